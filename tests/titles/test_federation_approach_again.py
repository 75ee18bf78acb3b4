"""308.3: an approach battle that did too little damage does not lead to the base in the next round."""

from tests.titles.federation_table import War, battle, ship
from tests.titles.test_federation_damage import numbers

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, CC, FF = ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105"), ship("Z-FF", "kzinti", "1105")


def second_round(answer: str, **more: object) -> War:
    """Fight and judge an accepted approach battle, and open the offer of the second round."""
    table = battle(D7, BASE, CC, FF, **more).to("5-2A3").done(A, answer="accept")
    return table.to("5-7A1", s5_4G=answer).to("5-2A2", s5_7A2="stay")


class Test52A2AfterTooLittle:
    """302.22, 308.3: too little damage requires another offer, and each approach battle is judged separately."""

    def test_too_little_binds_the_next_offer(self) -> None:
        """Federation & Empire 5-4G (308.3)."""
        table = second_round("too little")
        table.tries(C, "done", answer="no offer").then_refused("not-an-answer", rule="5-2A2", choices="offer")
        table.done(C, answer="offer").done(A, answer="reject").story.then_open("5-2B1")

    def test_too_little_is_judged_again_in_the_next_battle(self) -> None:
        """Federation & Empire 5-4G (308.3)."""
        table = second_round("too little").done(C, answer="offer").done(A, answer="accept").to("5-4G")
        table.done(C, answer="enough").to("5-7A1").to("5-2B1", s5_7A2="stay")
        assert table.steps().count("5-2A2") == 2

    def test_too_little_of_a_set_number_binds_the_offer(self) -> None:
        """Federation & Empire 5-4G (308.3)."""
        table = second_round("", numbers=numbers(approach_damage=9))
        table.tries(C, "done", answer="no offer").then_refused("not-an-answer", rule="5-2A2", choices="offer")
        assert "5-4G" not in table.steps()

    def test_too_little_binds_nothing_without_ships(self) -> None:
        """Check a base alone, which fights no approach battle."""
        table = battle(D7, BASE, CC).to("5-2A3").done(A, answer="accept").to("5-7A1", s5_4G="too little")
        table.done(A, answer="retreat").done(C, answer="stay").done(C, answer="do not").to("5-7D")
        table.says(A, "retreat", units=["Z-CC"], path=["1005"]).to("5-2A2").done(C, answer="no offer")
        table.story.then_open("5-2B1")

    def test_rejected_offer_leaves_the_next_one_optional(self) -> None:
        """Federation & Empire 5-2A2 (A3): no approach battle was fought."""
        table = battle(D7, BASE, CC).to("5-2A3").done(A, answer="reject").to("5-7A1").to("5-2A2", s5_7A2="stay")
        table.done(C, answer="no offer").story.then_open("5-2B1")
