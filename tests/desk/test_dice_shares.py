"""Shared and witnessed dice: no side can choose them, and no side alone can predict witnessed ones."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.attacks.damaged_logs import RAW, read, written_anew
from tests.face.desk import (
    CHAIN,
    draw,
    event_of,
    game_session,
    share_behind,
)
from tests.face.domain import (
    DiceCommitted,
    DiceOpened,
    DicePledged,
    DicePledges,
    DiceRolled,
    DiceSeeded,
    DiceShared,
    Epoch,
    Game,
    RuleViolation,
    TitleFault,
    awaited,
    decide,
    draw as pips_of,
    parse,
    unpledged,
    unshown,
)
from tests.face.testing import FIXTURES

FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
FIRE: dict[str, Any] = {"as": "red", "order": "roll", "dice": "6d6", "purpose": "fire"}
BACK: dict[str, Any] = {"as": "blue", "order": "roll", "dice": "6d6", "purpose": "fire back"}
SIDES = ("red", "blue")


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "club.ledger") as desk:
        yield desk.new("freeform", FORD, id="ford", dice="shared")


@pytest.fixture
def witnessed(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "club.ledger") as desk:
        yield desk.new("freeform", FORD, id="ford", dice="witnessed")


def now(game: umpire.PlayedGame) -> Game:
    return game.ledger.state(game.id)


def events(game: umpire.PlayedGame, kind: type[Any]) -> list[Any]:
    return [event for event in map(event_of, game.ledger.records(game.id)) if isinstance(event, kind)]


def gives(game: umpire.PlayedGame, side: str, home: Path) -> umpire.Outcome | None:
    """Act for a side's own machine: give the dice share that is due, and keep its secrets in a separate folder."""
    order = game.seat(side).dice_due(home / side)
    return None if order is None else game.seat(side).order(order)


def drawn(game: umpire.PlayedGame, home: Path) -> None:
    """Give all dice shares that are due at the beginning."""
    for _ in range(2):
        for side in SIDES:
            gives(game, side, home)


def refused(game: umpire.PlayedGame, order: dict[str, Any]) -> RuleViolation:
    before = game.size
    with pytest.raises(RuleViolation) as caught:
        game.seat(order["as"]).order(order)
    assert game.size == before, "nothing is recorded"
    return caught.value


def dice_wait(game: umpire.PlayedGame) -> tuple[object, object]:
    """Return what the dice wait for when an order of red is refused, and whose it is."""
    refusal = refused(game, FIRE)
    assert (refusal.code, refusal.rule) == ("dice-wait", "dice")
    return refusal.fields["what"], refusal.fields["missing"]


def over(game: umpire.PlayedGame) -> umpire.Checked:
    game.referee.order("end", reason="night falls")
    game.referee.order("open-dice")
    return game.verify()


class TestSharedDice:
    def test_dice_wait_until_each_side_has_committed_and_revealed(
        self, shared: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        assert dice_wait(shared) == ("pledge", "red and blue")
        gives(shared, "red", tmp_path)
        refusal = refused(shared, FIRE)
        assert (refusal.code, refusal.rule, refusal.fields["missing"]) == ("dice-wait", "dice", "blue")
        assert refusal.remedy == "`umpire dice-share ford --as blue`"
        gives(shared, "blue", tmp_path)
        gives(shared, "red", tmp_path)
        assert dice_wait(shared) == ("share", "blue")
        gives(shared, "blue", tmp_path)
        shared.seat("red").order(FIRE)
        assert len(events(shared, DiceRolled)) == 1

    def test_results_depend_on_the_seed_and_each_share(self, shared: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(shared, tmp_path)
        shared.seat("red").order(FIRE)
        [seed], shares = (
            [one.seed for one in events(shared, DiceSeeded)],
            [one.share for one in events(shared, DiceShared)],
        )
        key = hashlib.sha256(bytes.fromhex(seed + "".join(sorted(shares)))).hexdigest()
        [rolled] = events(shared, DiceRolled)
        assert rolled.pips == pips_of(Epoch(key, "ford"), 1, parse("6d6"))
        assert rolled.pips != pips_of(Epoch(seed, "ford"), 1, parse("6d6")), "the ledger's seed alone gives other dice"

    def test_dice_are_recomputed_after_the_seed_is_revealed(self, shared: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(shared, tmp_path)
        shared.seat("red").order(FIRE)
        shared.seat("blue").order(BACK)
        checked = over(shared)
        assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", 2, ())

    def test_rewind_keeps_the_shares(self, shared: umpire.PlayedGame, tmp_path: Path) -> None:
        opened = shared.size
        drawn(shared, tmp_path)
        shared.seat("red").order(FIRE)
        shared.referee.rewind(opened, why="a wrong scenario")
        assert awaited(now(shared)) == ()
        assert len(events(shared, DicePledges)) == 1
        shared.seat("red").order(FIRE)
        assert events(shared, DiceRolled)[-1].roll == 2
        checked = over(shared)
        assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", 2, ())

    def test_missing_share_names_its_side_and_restarts_the_draw(
        self, shared: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        gives(shared, "red", tmp_path)
        gives(shared, "blue", tmp_path)
        gives(shared, "red", tmp_path)
        [told] = shared.referee.order("open-dice").told
        assert told.endswith(" Blue")
        assert events(shared, DiceOpened)[-1].missing == ("blue",)
        assert unpledged(now(shared)) == SIDES
        assert len({one.commitment for one in events(shared, DiceCommitted)}) == 2
        drawn(shared, tmp_path)
        shared.seat("red").order(FIRE)
        checked = over(shared)
        assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", 1, ())

    def test_another_seed_at_a_turns_end_needs_other_shares(self, shared: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(shared, tmp_path)
        shared.seat("red").order(FIRE)
        shared.referee.order("open-dice")
        assert events(shared, DiceOpened)[-1].missing == ()
        assert now(shared).scheme == 3
        assert dice_wait(shared) == ("pledge", "red and blue")
        drawn(shared, tmp_path)
        shared.seat("red").order(FIRE)
        assert over(shared).dice == 2

    def test_copy_rolls_its_own_dice_without_shares(self, shared: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(shared, tmp_path)
        shared.seat("red").order(FIRE)
        copy = shared.fork("what-if", at=shared.size)
        copy.seat("red").order(FIRE)
        assert now(copy).scheme == 2
        assert copy.verify().valid

    def test_scenario_can_require_shared_dice(self, tmp_path: Path) -> None:
        text = FORD.read_text(encoding="utf-8")
        text = re.sub(r"^dice = .*$", 'dice = "shared"', text, flags=re.MULTILINE)
        assert 'dice = "shared"' in text
        with umpire.open(tmp_path / "other.ledger") as desk:
            game = desk.new_from_text("freeform", text, id="ford")
            assert unpledged(now(game)) == SIDES
            assert game.referee.status.dice["mode"] == "shared"
            assert game.referee.status.dice["waits_for"] == SIDES
            assert 'dice = "shared"' in game.referee.scenario()


class TestPledgesAndShares:
    """Refusals of commitments and shares, with their remedies: rule "dice"."""

    PLEDGE, SHARE = "5" * 64, "6" * 64

    def pledge(self, side: str, pledge: str = "") -> dict[str, Any]:
        return {"as": side, "order": "seat-dice", "pledge": pledge or hashlib.sha256(b"\x66" * 32).hexdigest()}

    def share(self, side: str, share: str = SHARE) -> dict[str, Any]:
        return {"as": side, "order": "seat-dice", "share": share}

    def test_dice_of_the_ledger_alone_take_no_shares(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "other.ledger") as desk:
            game = desk.new("freeform", FORD, id="ford", dice="ledger")
            refusal = refused(game, self.pledge("red"))
            assert (refusal.code, refusal.rule) == ("no-shares", "dice")
            assert "--dice shared" in refusal.remedy
            assert game.seat("red").dice_due(tmp_path / "red") is None

    def test_referee_has_no_share(self, shared: umpire.PlayedGame) -> None:
        refusal = refused(shared, self.pledge("referee"))
        assert refusal.code == "no-share"
        assert refusal.fields == {"seat": "referee", "side_ids": SIDES}

    def test_copy_without_the_seed_accepts_no_share(self, shared: umpire.PlayedGame, tmp_path: Path) -> None:
        shared.referee.export(tmp_path / "ford.jsonl")
        with umpire.open(tmp_path / "copy.ledger") as desk:
            copy = desk.import_log(tmp_path / "ford.jsonl")
            refusal = refused(copy, self.pledge("red"))
            assert refusal.code == "seed-not-here"
            assert "--print" in refusal.remedy

    def test_order_has_a_pledge_or_a_share(self, shared: umpire.PlayedGame) -> None:
        for order in ({"as": "red", "order": "seat-dice"}, self.pledge("red") | {"share": self.SHARE}):
            assert refused(shared, order).code == "neither-pledge-nor-share"

    def test_share_has_64_hex_digits(self, shared: umpire.PlayedGame) -> None:
        assert refused(shared, self.share("red", "six")).code == "unreadable-order"

    def test_side_commits_once(self, shared: umpire.PlayedGame) -> None:
        shared.seat("red").order(self.pledge("red"))
        refusal = refused(shared, self.pledge("red", self.PLEDGE))
        assert (refusal.code, refusal.fields) == ("pledged-already", {"side": "red"})
        assert "open-dice" in refusal.remedy

    def test_same_pledge_by_two_sides_is_refused(self, shared: umpire.PlayedGame) -> None:
        shared.seat("red").order(self.pledge("red"))
        assert refused(shared, self.pledge("blue")).code == "pledge-of-another-side"

    def test_share_before_all_pledges_is_refused(self, shared: umpire.PlayedGame) -> None:
        shared.seat("red").order(self.pledge("red"))
        refusal = refused(shared, self.share("red"))
        assert (refusal.code, refusal.fields["missing"]) == ("pledges-missing", ("blue",))

    def test_share_must_match_its_pledge(self, shared: umpire.PlayedGame) -> None:
        shared.seat("red").order(self.pledge("red"))
        shared.seat("blue").order(self.pledge("blue", self.PLEDGE))
        wrong = refused(shared, self.share("red", "7" * 64))
        assert (wrong.code, wrong.fields["side"]) == ("wrong-share", "red")
        shared.seat("red").order(self.share("red"))
        again = refused(shared, self.share("red"))
        assert (again.code, again.fields) == ("share-shown-already", {"side": "red"})

    def test_share_after_the_seed_is_revealed_is_refused(self, shared: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(shared, tmp_path)
        over(shared)
        assert refused(shared, self.share("red")).code == "no-shares"


class TestWitnessedDice:
    def test_order_waits_until_the_other_side_reveals_its_share(
        self, witnessed: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        drawn(witnessed, tmp_path)
        assert events(witnessed, DiceShared) == [], "nothing is shown before an order asks"
        witnessed.seat("red").order(FIRE)
        assert events(witnessed, DiceRolled) == []
        assert (now(witnessed).awaits_dice, unshown(now(witnessed))) == ("red", ("blue",))
        shown = gives(witnessed, "blue", tmp_path)
        assert shown is not None
        assert [line.split()[0] for line in shown.told] == ["Blue", "Red"]
        [rolled] = events(witnessed, DiceRolled)
        assert now(witnessed).awaits_dice == ""
        assert [one.seat for one in witnessed.ledger.records("ford")][-2:] == ["blue", "red"]
        [share] = [one.share for one in events(witnessed, DiceShared)]
        [seed] = [one.seed for one in events(witnessed, DiceSeeded)]
        assert rolled.pips == pips_of(Epoch(seed, "ford", 4, (share,)), 1, parse("6d6"))

    @pytest.mark.parametrize("seat", ["red", "anna"])
    def test_seats_of_one_side_use_the_other_side_s_share(
        self, witnessed: umpire.PlayedGame, tmp_path: Path, seat: str
    ) -> None:
        witnessed.referee.order("take-seat", taker="anna", side="red")
        drawn(witnessed, tmp_path)
        witnessed.seat(seat).order({**FIRE, "as": seat})
        assert unshown(now(witnessed)) == ("blue",)
        gives(witnessed, "blue", tmp_path)
        checked = over(witnessed)
        assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", 1, ())

    def test_order_uses_the_next_share_of_the_chain(self, witnessed: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(witnessed, tmp_path)
        for _ in range(3):
            witnessed.seat("red").order(FIRE)
            gives(witnessed, "blue", tmp_path)
        pledge = next(one.pledge for one in events(witnessed, DicePledged) if one.side == "blue")
        before = [pledge, *(one.share for one in events(witnessed, DiceShared))]
        hashes = [hashlib.sha256(bytes.fromhex(one)).hexdigest() for one in before[1:]]
        assert hashes == before[:-1]
        checked = over(witnessed)
        assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", 3, ())

    def test_meanwhile_nothing_else_is_played(self, witnessed: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(witnessed, tmp_path)
        witnessed.seat("red").order(FIRE)
        for order in (BACK, FIRE | {"purpose": "another"}, {"as": "red", "order": "mark", "marker": "m", "to": 1}):
            refusal = refused(witnessed, order)
            assert (refusal.code, refusal.fields["seat"]) == ("order-awaits-dice", "red")
            assert "Blue" in refusal.remedy
        assert dice_wait(witnessed) == ("share", "blue"), "nor is the same carried out sooner"
        witnessed.seat("blue").note("what takes so long?")

    def test_waiting_order_cannot_be_undone_by_its_seat(self, witnessed: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(witnessed, tmp_path)
        witnessed.seat("red").order(FIRE)
        first = witnessed.size
        with pytest.raises(RuleViolation) as by_seat:
            witnessed.seat("red").undo()
        with pytest.raises(RuleViolation) as silently:
            witnessed.referee.undo()
        assert [one.value.code for one in (by_seat, silently)] == ["only-the-referee-undoes", "reason-needed"]
        assert [one.value.fields["first"] for one in (by_seat, silently)] == [first, first]
        witnessed.referee.undo(why="blue has gone home")
        assert now(witnessed).awaits_dice == ""
        witnessed.seat("blue").order(BACK)
        gives(witnessed, "red", tmp_path)
        assert over(witnessed).dice == 1

    def test_share_is_revealed_only_for_an_order_of_another(self, witnessed: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(witnessed, tmp_path)
        pledge = now(witnessed).pledges["red"].pledge
        mine = {"as": "red", "order": "seat-dice", "share": share_behind(tmp_path / "red", pledge, "")}
        before = refused(witnessed, mine)
        witnessed.seat("red").order(FIRE)
        after = refused(witnessed, mine)
        assert [(one.code, one.fields) for one in (before, after)] == [("no-order-waits", {"side": "red"})] * 2
        assert witnessed.seat("red").dice_due(tmp_path / "red") is None

    def test_dice_reused_after_a_rewind_need_no_share(self, witnessed: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(witnessed, tmp_path)
        start = witnessed.size
        witnessed.seat("red").order(FIRE)
        gives(witnessed, "blue", tmp_path)
        witnessed.referee.rewind(start, why="the range was wrong", dice="keep")
        [first] = events(witnessed, DiceRolled)
        witnessed.seat("red").order(FIRE)
        again = events(witnessed, DiceRolled)[-1]
        assert (again.pips, again.thrown) == (first.pips, 1)
        checked = over(witnessed)
        assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", 2, ())

    def test_order_cut_off_after_its_share_is_carried_out_first(
        self, witnessed: umpire.PlayedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from umpire_ledger.desk.core.game_session import GameSession  # noqa: PLC0415 -- what is cut off is inside

        drawn(witnessed, tmp_path)
        witnessed.seat("red").order(FIRE)
        with monkeypatch.context() as cut:
            cut.setattr(GameSession, "resolve_witnessed_order", lambda _: ())
            gives(witnessed, "blue", tmp_path)
        assert events(witnessed, DiceRolled) == []
        witnessed.seat("blue").note("well?")
        assert len(events(witnessed, DiceRolled)) == 1
        assert over(witnessed).dice == 1

    @pytest.mark.parametrize(
        "failure",
        [
            RuleViolation("no more", where="", rule="1", remedy=""),
            TitleFault("broken", title="freeform", decision="roll", where="", rule="", remedy=""),
        ],
    )
    def test_refused_waiting_order_blocks_neither_share_nor_referee(
        self, witnessed: umpire.PlayedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
    ) -> None:
        """Another edition of the title may refuse an order that an earlier edition let wait."""
        drawn(witnessed, tmp_path)
        start = witnessed.size
        witnessed.seat("red").order(FIRE)

        def refuses(title: Any, game: Game, sent: Any, past: Any) -> Any:
            if sent.order.tag() == "roll":
                raise failure
            return decide(title, game, sent, past)

        monkeypatch.setattr(game_session, "decide", refuses)
        shared = gives(witnessed, "blue", tmp_path)
        assert shared is not None
        assert [line.split()[0] for line in shared.told[:-1]] == ["Blue"]
        assert "red" in shared.told[-1].split()
        assert len(events(witnessed, DiceShared)) == 1
        refusal = refused(witnessed, {"as": "blue", "order": "mark", "marker": "range", "to": 1})
        assert (refusal.code, refusal.fields["seat"]) == ("order-awaits-dice", "red")
        assert "blue" not in refusal.remedy, "no share is missing"
        witnessed.referee.rewind(start, why="the rules have changed")
        witnessed.seat("blue").order({"as": "blue", "order": "mark", "marker": "range", "to": 1})
        assert events(witnessed, DiceRolled) == []

    def test_share_is_recorded_if_another_program_rolls_first(
        self, witnessed: umpire.PlayedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn(witnessed, tmp_path)
        witnessed.seat("red").order(FIRE)

        def too_late(title: Any, game: Game, sent: Any, past: Any) -> Any:
            decided = decide(title, game, sent, past)
            if sent.order.tag() == "roll":
                monkeypatch.undo()
                with umpire.open(tmp_path / "club.ledger") as other:
                    assert other.game("ford").throw_what_waits()
            return decided

        monkeypatch.setattr(game_session, "decide", too_late)
        assert gives(witnessed, "blue", tmp_path) is not None
        assert (len(events(witnessed, DiceShared)), len(events(witnessed, DiceRolled))) == (1, 1)
        witnessed.seat("blue").note("a hit?")
        assert over(witnessed).verdict.verdict == "VALID"

    def test_order_undone_after_all_shares_is_a_finding(
        self, witnessed: umpire.PlayedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # The program carries out the order first; an operator with a modified program could omit it.
        from umpire_ledger.desk.core.game_session import GameSession  # noqa: PLC0415 -- what is cut off is inside

        drawn(witnessed, tmp_path)
        start = witnessed.size
        witnessed.seat("red").order(FIRE)
        with monkeypatch.context() as cut:
            cut.setattr(GameSession, "resolve_witnessed_order", lambda _: ())
            gives(witnessed, "blue", tmp_path)
            back = witnessed.referee.rewind(start, why="a slip")
        [found] = witnessed.verify().findings
        assert found.position == back.records[0].position
        assert "red" in found.what.split()

    def test_rewind_is_recorded_after_a_cut_off_order(
        self, witnessed: umpire.PlayedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from umpire_ledger.desk.core.game_session import GameSession  # noqa: PLC0415 -- what is cut off is inside

        drawn(witnessed, tmp_path)
        start = witnessed.size
        witnessed.seat("red").order(FIRE)
        with monkeypatch.context() as cut:
            cut.setattr(GameSession, "resolve_witnessed_order", lambda _: ())
            gives(witnessed, "blue", tmp_path)
        witnessed.referee.rewind(start, why="a slip")
        assert len(events(witnessed, DiceRolled)) == 1
        assert witnessed.verify().findings == ()

    def test_roll_for_other_words_than_requested_is_reported(
        self, witnessed: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        drawn(witnessed, tmp_path)
        witnessed.seat("red").order(FIRE)
        asked = witnessed.size
        gives(witnessed, "blue", tmp_path)
        thrown = witnessed.size
        witnessed.referee.export(tmp_path / "ford.jsonl")
        name, records = read((tmp_path / "ford.jsonl").read_bytes())
        words = bytes(records[thrown - 1].cause).replace(b'"fire"', b'"a walk"')
        records[thrown - 1] = replace(records[thrown - 1], cause=RAW(words))
        (tmp_path / "ford.jsonl").write_bytes(written_anew(name, records))
        [found] = umpire.verify(tmp_path / "ford.jsonl").findings
        assert found.position == thrown
        assert f"#{asked}" in found.what.split()

    def test_amendment_reuses_dice_and_requests_none(self, witnessed: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(witnessed, tmp_path)
        witnessed.seat("red").order({"as": "red", "order": "mark", "marker": "range", "to": 1})
        marked = witnessed.size
        witnessed.seat("red").order(FIRE)
        gives(witnessed, "blue", tmp_path)
        witnessed.referee.amend(marked, {"order": "mark", "marker": "range", "to": 2}, why="a typo")
        assert now(witnessed).markers["range"] == 2
        first, again = events(witnessed, DiceRolled)
        assert first.pips == again.pips
        with pytest.raises(RuleViolation) as caught:
            witnessed.referee.amend(witnessed.size, {}, why="once more", how="reroll")
        assert caught.value.code == "dice-wait-for-others"
        assert over(witnessed).verdict.verdict == "VALID"

    def test_ruling_that_rewinds_cannot_roll(self, witnessed: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(witnessed, tmp_path)
        start = witnessed.size
        witnessed.seat("red").order(FIRE)
        gives(witnessed, "blue", tmp_path)
        carried = [{"order": "rewind", "to": start, "why": "x"}, {"order": "roll", "dice": "d6", "purpose": "x"}]
        with pytest.raises(RuleViolation) as caught:
            witnessed.referee.order("rule", ruling="again", reason="r", grounds="house rule", orders=carried)
        assert caught.value.code == "no-witnessed-dice-here"

    def test_roll_of_the_referee_needs_the_shares_of_all_sides(
        self, witnessed: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        drawn(witnessed, tmp_path)
        carried = [{"order": "roll", "dice": "d6", "purpose": "weather"}]
        witnessed.referee.order("rule", ruling="rain?", reason="r", grounds="house rule", orders=carried)
        assert unshown(now(witnessed)) == SIDES
        gives(witnessed, "red", tmp_path)
        assert events(witnessed, DiceRolled) == []
        gives(witnessed, "blue", tmp_path)
        assert len(events(witnessed, DiceRolled)) == 1
        assert over(witnessed).dice == 1

    def test_side_without_its_secret_is_named(self, witnessed: umpire.PlayedGame, tmp_path: Path) -> None:
        drawn(witnessed, tmp_path)
        witnessed.seat("red").order(FIRE)
        for file in (tmp_path / "blue").iterdir():
            file.unlink()
        with pytest.raises(umpire.WrongUse) as caught:
            witnessed.seat("blue").dice_due(tmp_path / "blue")
        assert caught.value.code == "secret-not-here"
        witnessed.referee.order("open-dice")
        assert events(witnessed, DiceOpened)[-1].missing == ("blue",)
        assert (now(witnessed).awaits_dice, now(witnessed).scheme) == ("", 4)


class TestShareFiles:
    def test_secret_file_is_readable_by_its_owner_only(self, tmp_path: Path) -> None:
        pledge = draw(tmp_path / "dice", 3)
        [file] = (tmp_path / "dice").iterdir()
        assert (file.stat().st_mode & 0o777, (tmp_path / "dice").stat().st_mode & 0o777) == (0o600, 0o700)
        shares, shown = [], ""
        for _ in range(3):
            shown = share_behind(tmp_path / "dice", pledge, shown)
            shares.append(shown)
        assert [hashlib.sha256(bytes.fromhex(one)).hexdigest() for one in shares] == [pledge, *shares[:-1]]
        with pytest.raises(umpire.WrongUse) as caught:
            share_behind(tmp_path / "dice", pledge, shown)
        assert caught.value.code == "all-shares-shown"
        assert CHAIN == 10_000

    @pytest.mark.parametrize(("text", "code"), [("not hex\n", "no-secret"), ("6d" * 32 + "\n1\n", "other-secret")])
    def test_changed_secret_file_is_reported(self, tmp_path: Path, text: str, code: str) -> None:
        pledge = draw(tmp_path, 1)
        [file] = tmp_path.iterdir()
        file.write_text(text, encoding="ascii")
        with pytest.raises(umpire.WrongUse) as caught:
            share_behind(tmp_path, pledge, "")
        assert caught.value.code == code
        assert json.dumps(text.split(maxsplit=1)[0])[1:-1] not in str(caught.value), "no secret in an error"

    def test_folder_that_cannot_be_created_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", encoding="ascii")
        with pytest.raises(umpire.WrongUse) as caught:
            draw(tmp_path / "file" / "dice", 1)
        assert caught.value.code == "share-not-kept"
