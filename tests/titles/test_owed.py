"""Check the turn view of the open step: required actions, the sides that act now, and the cost of `done`."""

from tests.face.domain import REFEREE, Game
from tests.face.projections import TurnView, turn_view
from tests.face.testing import Story, titles
from tests.naming import Naming
from tests.titles.federation_table import battle, ship, war
from tests.titles.pacific_war_table import JAPAN, campaign, says as in_the_pacific, until
from tests.titles.red_coat_rags_table import KING, says as at_the_bridge, table, to_step
from tests.titles.test_federation_combat import BASE, CC, D7, A, C, passed
from tests.titles.test_twilight_imperium_3_battle import cruisers
from tests.titles.test_war_galley_movement import moving
from tests.titles.twilight_imperium_3_table import says as among_the_stars, to_dice
from tests.titles.war_galley_table import says as at_sea


def view(game: Game) -> TurnView:
    """Return the view of the referee."""
    return turn_view(next(title for title in titles() if title.id == game.title), game, REFEREE, 1)


class TestWarGalley:
    def test_required_ships_are_named(self) -> None:
        seen = view(moving().play(at_sea("athens", "move-ship", ship="athens-1", path=["0506"])).game)
        (owed,) = seen.owed
        assert (owed.words, owed.about) == ("move each ship, or let it `stay`: athens-2", ("athens-2",))
        assert "done" not in seen.orders
        assert {"move-ship", "stay"} <= set(seen.orders)


class TestTwilightImperium3:
    def test_hits_are_counted_and_only_the_attacker_acts_first(self) -> None:
        rolls = (among_the_stars("sol", "roll-combat", 9), among_the_stars("mentak", "roll-combat", 9))
        story = to_dice(cruisers(1, 1)).play(*rolls)
        seen = view(story.game)
        assert story.game.cursor.waiting() == ("sol", "mentak")
        assert seen.waiting == ("sol",)
        assert "Mentak" not in seen.where
        assert [(one.side, one.words) for one in seen.owed] == [("sol", Naming("`assign-hits`", 1, "quann-space"))]


class TestRedCoatRags:
    def test_pieces_about_to_be_lost_are_named_before_done(self) -> None:
        story = to_step(table(), "2e.move")
        assert view(story.game).on_done == ()
        story.play(at_the_bridge(KING, "move-command", command="tyldesley-command", path=["14,9"]))
        (loss,) = view(story.game).on_done
        assert (loss.step, loss.side) == ("2e.move", KING)
        lost = loss.words.partition(": ")[2].split(", ")
        story.play(at_the_bridge(KING, "done"))
        assert lost
        assert all(story.game.units[piece].fate == "casualty" for piece in lost)


class TestFederationAndEmpire:
    def test_points_to_allot_are_shown(self) -> None:
        story = battle(D7, CC).to("5-4C4").says(C, "score", points=3)
        story.says(A, "score", points=0).to("5-6A")
        (owed,) = view(story.game).owed
        assert owed.about == (Naming(3, "coalition"),)

    def test_cloak_after_the_approach_bars_later_offensive_cloaks(self) -> None:
        """Rule 5-2A1: the first answer in a Battle Hex counts, so later answers change nothing."""
        story = war(ship("R-KE", "romulan", "1105", "cloak"), BASE, CC).to("5-2A1").done(C, answer="cloak")
        story.to("5-7A1").to("5-2A1", s5_7A2="stay").done(C, answer="go openly")
        story.events.clear()
        story.to("5-3X4")
        assert passed(story, "5-3X3")


class TestRefusedDone:
    """The remedy names the orders that are required, and none that is only offered."""

    def named(self, story: Story) -> set[str]:
        assert story.refusal is not None
        return set(story.refusal.remedy.partition(": ")[2].split(", "))

    def test_war_galley_movement_names_move_and_stay(self) -> None:
        assert self.named(moving().when(at_sea("athens", "done"))) == {"move-ship", "stay"}

    def test_pacific_war_isolation_names_no_roll(self) -> None:
        """Pacific War 5.1.H."""
        table = until(campaign(), "5.1.H").when(in_the_pacific(JAPAN, "done"))
        assert self.named(table) == {"isolation-penalty", "change"}

    def test_federation_interest_names_no_mark(self) -> None:
        """Federation and Empire 1C2."""
        assert self.named(war(D7, CC).to("1C2").tries(C, "done")) == {"state-interest"}
