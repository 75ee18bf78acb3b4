"""Check units out of action: frozen units (312.20) neither act nor are acted on; decoys are lost with their ship."""

from typing import Any

from tests.titles.federation_table import BASE as BORDER_WAR, Line, War, battle, ship, war

A, C = "alliance", "coalition"
SFG, D7 = ship("K-D7A", "klingon", "1105", "sfg"), ship("K-D7", "klingon", "1105", attack=30)
THEIRS, CC = ship("Z-D7A", "kzinti", "1105", "sfg"), ship("Z-CC", "kzinti", "1105")
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)


def frozen(victim: str, *units: Line, side: str = C, first: War | None = None, **more: Any) -> War:
    """Freeze the victim by a field of the given side."""
    table = (first or battle(*units, **more)).to("5-4A7A")
    field = "K-D7A" if side == C else "Z-D7A"
    return table.says(side, "declare-stasis", attempts={field: victim}).says(side, "roll-stasis", 1)


class TestFrozen:
    def is_frozen(self, table: War, seat: str, order: str, *pips: int, **arguments: Any) -> None:
        table.tries(seat, order, *pips, **arguments).then_refused("frozen-this-round", rule="312.20")

    def test_fighters_stay_aboard_a_frozen_ship_and_none_come(self) -> None:
        carriers = [ship(f"Z-V{n}", "kzinti", "1105", fighters=6) for n in (1, 2, 3)]
        table = frozen("Z-V1", SFG, D7, *carriers, CC).to("5-4C4").says(C, "score", points=5).to("5-6A")
        table.says(A, "allot", unit="Z-V2", result="absorbed", points=5).to("5-6E")
        self.is_frozen(table, A, "transfer-fighters", unit="Z-V1", to="Z-V2", number=1)
        table.says(A, "transfer-fighters", unit="Z-V3", to="Z-V2", number=1)

    def test_frozen_ship_is_not_rescued_and_does_not_rescue(self) -> None:
        tugs = [ship(f"Z-T{n}", "kzinti", "1105", "tug") for n in (1, 2)]
        table = battle(SFG, D7, *tugs, CC).to("5-3E")
        table.says(A, "seal-force", units=["Z-CC", "Z-T1", "Z-T2"], rescues=["Z-T1", "Z-T2"])
        table = frozen("Z-T1", first=table).to("5-6H")
        self.is_frozen(table, A, "rescue", 4, tug="Z-T1", unit="Z-CC")
        self.is_frozen(table, A, "rescue", 4, tug="Z-T2", unit="Z-T1")
        table.says(A, "rescue", 4, tug="Z-T2", unit="Z-CC")

    def test_frozen_ship_is_not_captured(self) -> None:
        hurt = [ship(f"Z-F{n}", "kzinti", "1105", crippled=True) for n in (1, 2)]
        table = frozen("Z-F1", SFG, D7, *hurt, CC).to("5-6X1")
        self.is_frozen(table, C, "capture", 6, unit="Z-F1", at_least=5)
        table.says(C, "capture", 6, unit="Z-F2", at_least=5)

    def test_frozen_prize_gives_nothing(self) -> None:
        prizes = [ship(f"Z-P{n}", "kzinti", "1105", "captured") for n in (1, 2)]
        table = frozen("Z-P1", SFG, D7, *prizes, CC).to("5-4C2")
        self.is_frozen(table, A, "use-captured", unit="Z-P1")
        table.says(A, "use-captured", unit="Z-P2")

    def test_leaders_do_not_go_to_a_frozen_ship(self) -> None:
        admiral, others = ship("Z-ADM", "kzinti", "1105", "leader", aboard="Z-FF"), ship("Z-FF", "kzinti", "1105")
        units = (SFG, D7, CC, ship("Z-DD", "kzinti", "1105"), others, admiral)
        table = frozen("Z-CC", *units, options={"admirals": True}).to("5-4C4").says(C, "score", points=6).to("5-6A")
        table.says(A, "allot", unit="Z-FF", result="crippled").to("5-6X2")
        self.is_frozen(table, A, "transfer-leader", leader="Z-ADM", ship="Z-CC")
        table.says(A, "transfer-leader", leader="Z-ADM", ship="Z-DD")

    def test_frozen_saf_does_not_strike_and_is_kept(self) -> None:
        safs = [ship(f"K-S{n}", "klingon", "1105", "saf") for n in (1, 2)]
        table = battle(D7, *safs, BASE, THEIRS, CC, options={"saf": True}).to("5-4A6")
        table.says(C, "announce", units=["K-S1", "K-S2"], purpose="SAF", target="Z-BATS")
        table = frozen("K-S1", side=A, first=table).to("5-5E")
        idle = table.tries(C, "strike-saf", 3, unit="K-S1", result="missed")
        idle.then_refused("not-aimed", rule="520.4", unit="K-S1", units="K-S2")
        table.says(C, "strike-saf", 3, unit="K-S2", result="missed").done(C)
        assert not table.game.units["K-S1"].fate

    def test_saf_does_nothing_to_a_frozen_base(self) -> None:
        table = battle(D7, SFG, ship("K-S1", "klingon", "1105", "saf"), BASE, CC, options={"saf": True}).to("5-4A6")
        table.says(C, "announce", units=["K-S1"], purpose="SAF", target="Z-BATS")
        table = frozen("Z-BATS", first=table).to("5-5E")
        self.is_frozen(table, C, "strike-saf", 3, unit="K-S1", result="crippled")
        table.says(C, "strike-saf", 3, unit="K-S1", result="missed").done(C)

    def test_frozen_ship_lands_no_troops(self) -> None:
        troops = [ship(f"K-G{n}", "klingon", "1105", "troops") for n in (1, 2)]
        table = battle(D7, *troops, THEIRS, BASE, CC, options={"ground_combat": True}).to("5-4A5")
        table.says(C, "announce", units=["K-G1", "K-G2"], purpose="assault")
        table = frozen("K-G1", side=A, first=table).to("5-6X3")
        self.is_frozen(table, C, "announce", units=["K-G1"], purpose="assault")
        table.says(C, "announce", units=["K-G2"], purpose="assault").to("5-6X4")
        table.says(C, "skirmish", 4, units=["K-G2"])
        before = table.tries(A, "suffer", unit="Z-D7A", outcome="crippled")
        before.then_accepted()


class TestDecoyOfALostShip:
    """538.51: a decoy stays with its recorded unit and is lost with it; its existence stays secret."""

    def lost(self) -> War:
        ships = [ship(f"R-{name}", "romulan", "1105", "cloak") for name in ("KE", "WE")]
        decoy, foe = ship("R-DC", "romulan", "raid-pool", "decoy"), {**CC, "attack": 30}
        table = war(*ships, decoy, foe, options={"decoys": True, "raids": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC", ship="R-KE").to("5-4C4").says(A, "score", points=9)
        return table.to("5-6B").says(C, "allot", unit="R-KE", result="destroyed")

    def test_lost_decoy_serves_no_other_ship(self) -> None:
        table = self.lost().to("5-3G/decoys", s5_7A2="stay")
        bonus = table.tries(C, "reveal-decoy", decoy="R-DC", purpose="formation")
        bonus.then_refused("ship-of-decoy-not-fighting", rule="538.54", decoy="R-DC")

    def test_lost_decoy_is_not_recorded_for_another_ship_later(self) -> None:
        table = self.lost().to("2B7").to("3A-1A").to("2B7")
        again = table.tries(C, "assign-decoy", decoy="R-DC", ship="R-WE")
        again.then_refused("decoy-recorded-already", rule="538.31", decoy="R-DC")


class TestNothingHappens:
    """A player turn in which nothing happens: each side leaves what follows, the Coalition again at its income."""

    def test_three_orders_end_an_empty_player_turn(self) -> None:
        no_debt = [{**empire, "debt": 0} for empire in BORDER_WAR["empires"]]
        table, orders = war(ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902"), empires=no_debt), 0
        while table.game.cursor.side() == C:
            table.says(table.game.cursor.waiting()[0], "done", until="END-SOP")
            orders += 1
        assert orders == 3
