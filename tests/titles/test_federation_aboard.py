"""Check that passengers go with their ship if an order moves, stores, repairs, captures or removes the ship."""

from collections.abc import Callable

import pytest

from tests.face.domain import Game, UnitChanged, UnitRemoved
from tests.titles.federation_table import Line, War, battle, says, ship, war

A, C, ORION = "alliance", "coalition", "orion"
ON = dict.fromkeys(("admirals", "prime_teams", "raids", "depot_repair", "wyn", "orions", "tactical_reserves"), True)
SHIP = "K-D7"
RIDERS = ("K-ADM", "K-TEAM", "K-GCE")
HOME, BACK = ship("K-SB", "klingon", "1306", base=True), ship("K-F5", "klingon", "1206")
THEIRS, FAR = ship("Z-CC", "kzinti", "1105"), ship("Z-FAR", "kzinti", "0902")
FATES = {"K-ADM": "leader", "K-TEAM": "team"}


def laden(at: str = "1206", *traits: str, **more: object) -> list[Line]:
    """Return a ship with an admiral, a Prime Team and a ground combat element aboard."""
    own = [ship(name, "klingon", at, trait, aboard=SHIP) for name, trait in FATES.items()]
    return [ship(SHIP, "klingon", at, *traits, **more), *own, ship("K-GCE", "klingon", at, kind="GCE", aboard=SHIP)]


def peace(step: str, *more: Line, crippled: bool = False, at: str = "1206", traits: tuple[str, ...] = ()) -> War:
    return war(*laden(at, *traits, crippled=crippled), HOME, BACK, FAR, *more, options=ON).to(step)


def in_hex(step: str, *more: Line, crippled: bool = False, traits: tuple[str, ...] = (), **answers: str) -> War:
    here = laden("1105", *traits, crippled=crippled)
    return battle(*here, THEIRS, ship("K-D6", "klingon", "1105"), FAR, *more, options=ON).to(
        step, passed=False, **answers
    )


def stored() -> War:
    return peace("2B3", crippled=True).says(C, "depot", unit=SHIP, act="add")


def placed() -> War:
    return stored().to("1A2").to("3A-1A").to("1A2").to("2B3").says(C, "depot", unit=SHIP, act="place", at="1206")


def pooled() -> War:
    return peace("3A-1A").says(C, "pool", unit=SHIP)


def raiding() -> War:
    return pooled().to("3A-2B").says(C, "raid", unit=SHIP, path=["0902"])


def recalled() -> War:
    return raiding().to("3A-2J").says(C, "recall", unit=SHIP)


def hurt_in_a_raid() -> War:
    table = raiding().to("3A-2E").rolled().says(C, "suffer", unit=SHIP, outcome="crippled")
    return table.to("3A-5A").says(C, "depot", unit=SHIP, act="add")


def deployed() -> War:
    return peace("7B", traits=("repair",)).says(C, "deploy-repair", unit=SHIP, at="1306")


def repaired() -> War:
    return peace("2A2", crippled=True, at="1306").says(C, "repair", unit=SHIP, ep=2).to("2B1")


def reserved() -> War:
    table = peace("9A").says(C, "form-reserve", fleet="R1", units=[SHIP]).to("4B/fleet")
    return table.says(C, "pick", member="R1").says(C, "move-reserve", fleet="R1", path=["1207"])


def withdrawn() -> War:
    mine = [ship("Z-DD", "kzinti", "1105"), *laden("1105")]
    table = war(*mine, FAR, options=ON, turn_order=[A, C]).to("5-1A").done(C, answer="withdraw").to("5-1C")
    return table.says(C, "withdraw", units=[SHIP], path=["1106"])


def retreated() -> War:
    table = in_hex("5-7D", s5_7A2="retreat")
    return table.says(C, "retreat", units=[SHIP], path=["1106"])


ALONG: dict[str, Callable[[], War]] = {
    "2A2 repair": repaired,
    "2B3 depot add": stored,
    "2B3 depot place": placed,
    "3A-1A pool": pooled,
    "3A-2B raid": raiding,
    "3A-2J recall": recalled,
    "3A-5A depot": hurt_in_a_raid,
    "3B2 move": lambda: peace("3B2").says(C, "move-units", units=[SHIP], path=["1207"]),
    "4B reserve": reserved,
    "5-1C withdraw": withdrawn,
    "5-6X7 depot": lambda: in_hex("5-6X7", crippled=True).says(C, "depot", unit=SHIP, act="add"),
    "5-7D retreat": retreated,
    "6D2 retrograde": lambda: peace("6D2").says(C, "retrograde", units=[SHIP], path=["1207"]),
    "7B deploy": deployed,
    "7D return": lambda: deployed().to("8A"),
    "8A move": lambda: peace("8A").says(C, "move-units", units=[SHIP], path=["1207"]),
}
"""Orders after which every passenger is still aboard, in the hex of the ship."""


def consistent(game: Game) -> bool:
    """Return whether every passenger is aboard a ship in play of their own side, in its place."""
    riding = [unit for unit in game.units.values() if unit.get("aboard") and not unit.fate]
    ships = [game.units[str(unit.get("aboard"))] for unit in riding]
    return all((one.side, one.at, "") == (its.side, its.at, its.fate) for one, its in zip(riding, ships, strict=True))


@pytest.mark.parametrize("order", ALONG)
def test_passengers_go_along_with_their_ship(order: str) -> None:
    """Federation & Empire 316, 522.34, 424.3, 422.22."""
    game = ALONG[order]().game
    assert [(game.units[name].get("aboard"), game.units[name].at) for name in RIDERS] == [
        (SHIP, game.units[SHIP].at)
    ] * 3
    assert consistent(game)


OFF: dict[str, tuple[Callable[[], War], str]] = {
    "1C3 scrap": (lambda: peace("1C3").says(C, "scrap", unit=SHIP, ep=1), "1206"),
    "2B3 salvage": (lambda: stored().says(C, "depot", unit=SHIP, act="salvage", ep=1), "1306"),
    "2B11 scuttle": (lambda: peace("2B11").says(C, "scuttle", unit=SHIP), "1206"),
    "3B4 sell": (lambda: peace("3B4").says(C, "sell-ship", unit=SHIP, ep=1), "1206"),
}
"""Orders by which an owner gives up a ship, with the place of its commanders afterwards."""


@pytest.mark.parametrize("order", OFF)
def test_commanders_aboard_a_ship_given_up_stay(order: str) -> None:
    build, at = OFF[order]
    game = build().game
    assert [(game.units[name].get("aboard"), game.units[name].at) for name in FATES] == [(None, at)] * 2
    assert consistent(game)


def destroyed(until: str = "5-6B") -> War:
    """Destroy the laden ship, the only one that takes damage."""
    table = in_hex("5-4C4").says(A, "score", points=6).to("5-6B")
    table.says(C, "allot", unit=SHIP, result="crippled").to("5-7A1")
    table.to("5-4C4", s5_7A2="stay").says(A, "score", points=3).to("5-6B")
    return table.says(C, "allot", unit=SHIP, result="destroyed").to(until)


def captured(*pips: int) -> War:
    table = in_hex("5-6X1", crippled=True)
    return table.says(A, "capture", *pips, unit=SHIP, at_least=5)


class Test56AWhoIsAboard:
    """316.31, 522.32: steps of fate ask for leaders and teams; cargo is lost with its ship."""

    def test_cargo_of_a_destroyed_ship_is_lost(self) -> None:
        table = destroyed()
        assert any(isinstance(event, UnitRemoved) and event.unit == "K-GCE" for event in table.story.events)
        assert [table.game.units[name].fate for name in FATES] == ["", ""]

    def test_survivors_are_aboard_no_ship(self) -> None:
        table = destroyed("5-6C").says(C, "roll-fate", 6, unit="K-TEAM", at_least=2).to("5-6X2")
        table.says(C, "roll-fate", 6, unit="K-ADM", at_least=2)
        assert consistent(table.game)
        table.says(C, "transfer-leader", leader="K-ADM", ship="K-D6")

    def test_leader_in_a_pursuit_is_lost_with_its_ship(self) -> None:
        """A2: a pursuit has no step 5-6X2 in which a die could be thrown."""
        table = in_hex("5-4C4", crippled=True).says(A, "score", points=0).says(C, "score", points=0).to("5-7A1")
        table.done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay").done(A, answer="pursue")
        table.to("5-8C").done(A, answer="success").says(C, "stand", units=[SHIP])
        table.plan("5-4C4", says(A, "score", points=3)).to("5-6B").says(C, "allot", unit=SHIP, result="destroyed")
        assert table.game.units["K-ADM"].fate == "lost"
        assert table.game.units["K-TEAM"].fate == ""

    def test_fate_is_not_asked_for_if_the_option_is_off(self) -> None:
        here = laden("1105", crippled=True)
        table = battle(*here, THEIRS, ship("K-D6", "klingon", "1105"), FAR).to("5-4C4").says(A, "score", points=3)
        table.to("5-6B").says(C, "allot", unit=SHIP, result="destroyed")
        assert [table.game.units[name].fate for name in RIDERS] == ["lost"] * 3


class Test56X1WhoIsAboard:
    """305.1: cargo is captured with the ship, the admiral waits for 5-6X2, the team leaves."""

    def test_captured_ship_keeps_cargo_and_no_marks(self) -> None:
        table = captured(6)
        game = table.game
        assert (game.units["K-GCE"].side, game.units["K-GCE"].get("aboard")) == (A, SHIP)
        assert (game.units["K-TEAM"].side, game.units["K-TEAM"].get("aboard")) == (C, None)
        table.to("5-6X2").says(C, "roll-fate", 6, unit="K-ADM", at_least=2)
        assert consistent(table.game)

    def test_failed_capture_leaves_everybody_aboard(self) -> None:
        assert consistent(captured(2).game)

    def test_captured_ship_is_in_no_reserve_of_its_owner(self) -> None:
        marked = {"reserve": "R1"}
        hurt = ship(SHIP, "klingon", "1105", crippled=True, **marked)
        table = battle(hurt, THEIRS, ship("K-D6", "klingon", "1105"), options=ON).to("5-6X1")
        table.says(A, "capture", 6, unit=SHIP, at_least=5)
        assert table.game.units[SHIP].get("reserve") is None


class Test54DWhoIsAboard:
    """305.21: a captured ship that is used up is given up by its owner."""

    def test_leader_of_a_used_ship_stays(self) -> None:
        prize = laden("1105", "captured")
        table = battle(*prize, THEIRS, ship("K-D6", "klingon", "1105"), options=ON).to("5-4C2")
        table.says(C, "use-captured", unit=SHIP).to("5-5B", passed=True)
        assert table.game.units[SHIP].fate
        assert table.game.units["K-ADM"].get("aboard") is None
        assert consistent(table.game)


class Test51EWhoIsAboard:
    """306.1: cargo evades with its ship."""

    def test_cargo_evades_with_its_ship(self) -> None:
        theirs = ship("K-E4", "klingon", "1105")
        mine = [ship("R-KE", "romulan", "1105", "cloak"), ship("R-GCE", "romulan", "1105", kind="GCE", aboard="R-KE")]
        table = war(theirs, *mine, ship("Z-CC", "kzinti", "1105"), FAR, turn_order=[A, C]).to("5-1E")
        table.says(C, "evade", 6, unit="R-KE", at_least=4)
        assert table.game.units["R-GCE"].get("evaded") == "1105"


class Test3A4BCargo:
    """320.52: a unit that is cargo goes with its runner, and stays in the hex in which it is unloaded."""

    def test_unit_as_cargo_goes_with_its_runner(self) -> None:
        run, gce = ship("K-RUN", "klingon", "raid-pool"), ship("K-GCE", "klingon", "raid-pool", kind="GCE")
        table = war(run, gce, HOME, FAR, options=ON).to("3A-4A").says(C, "raid", unit="K-RUN").to("3A-4B")
        table.says(C, "load", unit="K-RUN", cargo=["K-GCE"]).to("3A-4C").says(C, "raid", unit="K-RUN", path=["1003"])
        assert table.game.units["K-GCE"].at == "1003"
        table.to("3A-4H").says(C, "load", unit="K-RUN").to("3A-4P").says(C, "recall", unit="K-RUN")
        assert table.game.units["K-GCE"].at == "1003"
        assert consistent(table.game)


class Test11HWhoIsAboard:
    """504.34: pirates leave and return with their passengers; a lease and its end do not move passengers."""

    ORIONS = (ship("O-LR", "orion", "orion-pool"), ship("O-ADM", "orion", "orion-pool", "leader", aboard="O-LR"))

    def pirates(self, step: str) -> War:
        return war(*self.ORIONS, *laden(), HOME, FAR, options=ON).to(step)

    def test_pirate_takes_its_leader_out_and_home(self) -> None:
        table = self.pirates("11H").says(ORION, "pirate", unit="O-LR", at="1401")
        assert table.game.units["O-ADM"].at == "1401"
        table.to("1A2").to("11H")
        assert table.game.units["O-ADM"].at == table.game.units["O-LR"].at == "orion-pool"

    def test_leader_of_a_leased_ship_stays_in_the_pool(self) -> None:
        table = self.pirates("11F").says(ORION, "offer-lease", unit="O-LR").to("11G")
        table.says(C, "seal-bid", ep=2, empire="klingon").says(A, "seal-bid", ep=0)
        table.says(C, "lease", unit="O-LR", at="1206")
        assert table.game.units["O-ADM"].at == "orion-pool"
        assert consistent(table.game)


class TestCarriedByCargo:
    """320.52, 316: leaders aboard the cargo of a ship go with the ship."""

    ELEMENT = ship("K-PF", "klingon", "1206", aboard=SHIP)
    GENERAL = ship("K-GEN", "klingon", "1206", "leader", aboard="K-PF")

    def carried(self, step: str) -> War:
        return war(ship(SHIP, "klingon", "1206"), self.ELEMENT, self.GENERAL, HOME, BACK, FAR, options=ON).to(step)

    def test_carried_by_cargo_goes_along(self) -> None:
        """Federation & Empire 3B2."""
        table = self.carried("3B2").says(C, "move-units", units=[SHIP], path=["1207"])
        assert [table.game.units[name].at for name in (SHIP, "K-PF", "K-GEN")] == ["1207"] * 3

    def test_cargo_of_a_scuttled_ship_leaves_its_leader(self) -> None:
        """Federation & Empire 2B11 (301.911)."""
        game = self.carried("2B11").says(C, "scuttle", unit=SHIP).game
        assert (game.units["K-PF"].fate, game.units["K-GEN"].get("aboard")) == ("lost", None)
        assert consistent(game)


class TestNoShip:
    """Leaders are aboard ships and bases; a base, or a passenger of another ship, is not cargo."""

    def test_leader_goes_aboard_no_leader(self) -> None:
        """Federation & Empire 8A (316.144C)."""
        other = ship("K-ADM2", "klingon", "1306", "leader")
        table = war(*laden(), other, HOME, FAR, options=ON).to("8A")
        wrong = table.tries(C, "transfer-leader", leader="K-ADM", ship="K-ADM2")
        wrong.then_refused("neither-ship-nor-base", rule="316.144C")
        table.says(C, "transfer-leader", leader="K-ADM", ship="K-SB")

    def test_leader_without_a_ship_does_not_travel(self) -> None:
        """Federation & Empire 6D2 (206.0)."""
        table = war(ship("K-ADM", "klingon", "1206", "leader"), HOME, FAR, options=ON).to("6D2")
        alone = table.tries(C, "retrograde", units=["K-ADM"], path=["1207"])
        alone.then_refused("leader-moves-with-ship", rule="6D2")

    def test_bases_and_passengers_of_another_ship_are_not_cargo(self) -> None:
        """Federation & Empire 3A-4B (320.52)."""
        runner = ship("K-RUN", "klingon", "raid-pool")
        pooled = [{**one, "at": "raid-pool"} for one in laden()]
        base = ship("K-MB", "klingon", "raid-pool", base=True)
        table = war(runner, *pooled, base, HOME, FAR, options=ON).to("3A-4A").says(C, "raid", unit="K-RUN").to("3A-4B")
        for cargo in ("K-GCE", "K-MB"):
            table.tries(C, "load", unit="K-RUN", cargo=[cargo]).then_refused(
                "foreign-cargo", rule="320.52", cargo=cargo
            )


class TestReserveInTheDepot:
    def test_ship_in_the_depot_is_in_no_reserve_and_no_group(self) -> None:
        """Federation & Empire 2B3 (424.35), 4B."""
        table = war(ship(SHIP, "klingon", "1206", crippled=True), HOME, BACK, FAR, options=ON).to("2B3")
        table.story.given(UnitChanged(unit=SHIP, attribute="group", before=None, after="K-F5"))
        table.says(C, "depot", unit=SHIP, act="add")
        assert table.game.units[SHIP].get("group") is None

    def test_reserve_in_the_depot_is_not_picked(self) -> None:
        """Federation & Empire 5-6X7 (424.33), 4B (203.7)."""
        mine = ship("Z-CR", "kzinti", "1105", reserve="1st", crippled=True)
        table = battle(ship("K-D6", "klingon", "1105"), THEIRS, mine, options=ON).to("5-6X7")
        table.says(A, "depot", unit="Z-CR", act="add")
        assert table.game.units["Z-CR"].get("reserve") is None
