"""The sequence of play of Three Fords."""

from three_fords.battle import Attack
from three_fords.cards import DrawCard, PlayCard, draw_is_due
from three_fords.ending import is_decided
from three_fords.marching import March, Watch
from three_fords.plans import SealPlan, plan_is_due
from umpire_ledger.kit import EACH, END, Go, Heading, Rounds, Sequence, Step, fact

DRAW_IS_DUE = fact("a card is due", draw_is_due, otherwise="the card is drawn", owed="draw a card with `draw-card`")
PLAN_IS_DUE = fact("a plan is due", plan_is_due, otherwise="the plan is sealed", owed="seal it with `seal-plan`")
DECIDED = fact("the game is over", is_decided, otherwise="the game continues")

CARDS = Step("1", "cards", by=EACH, allows=(DrawCard,), needs=~DRAW_IS_DUE, secret=True, rolls="1d6")
PLANS = Heading("2", "plans", steps=(
    Step("2a", "each side seals its plan", by=EACH, allows=(SealPlan,), needs=~PLAN_IS_DUE, secret=True),
    Step("2b", "both plans become public"),
))  # fmt: skip
MARCHING = Step("3", "marches and cards", by=EACH, allows=(March, PlayCard, Watch), need="optional")
AT_ONCE = "an attack counts at once: a company that it destroys attacks no more"
BATTLE = Step("4", "battle", by=EACH, allows=(Attack,), need="optional", rolls="1d6", first_come=AT_ONCE)
END_OF_TURN = Heading("5", "end of the turn", steps=(
    Step("5a", "points for fords"),
    Step("5b", "the end of the game", then=(Go(END, when=DECIDED),)),
))  # fmt: skip

SEQUENCE = Sequence(steps=(
    Rounds("turn", "turn", counts_turns=True, steps=(CARDS, PLANS, MARCHING, BATTLE, END_OF_TURN)),
))  # fmt: skip
