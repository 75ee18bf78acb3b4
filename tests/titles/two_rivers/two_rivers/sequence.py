"""The sequence of play of Two Rivers, as its rules print it."""

from two_rivers.market import is_decided
from two_rivers.rafting import Drift, can_drift
from two_rivers.tolls import SealToll, toll_is_owed
from two_rivers.water import RollWater, water_is_open
from umpire_ledger.kit import ACTIVE, EACH, END, Go, Heading, Rounds, Sequence, Step, Turns, fact

WATER_IS_OPEN = fact(
    "the water is open", water_is_open, otherwise="the water is rolled", owed="roll the water with `roll-water`"
)
TOLL_IS_OWED = fact(
    "the toll is open", toll_is_owed, otherwise="the toll is sealed", owed="seal the toll with `seal-toll`"
)
CAN_DRIFT = fact(
    "the raft can drift on",
    can_drift,
    otherwise="the next stretch is a mill whose toll the side cannot pay",
)
DECIDED = fact("the game is over", is_decided, otherwise="the game goes on")

WATER = Step("1", "water", by=EACH, allows=(RollWater,), needs=~WATER_IS_OPEN, rolls="1d6")

TOLLS = Heading("2", "tolls", steps=(
    Step("2a", "each side seals its toll", by=EACH, allows=(SealToll,), needs=~TOLL_IS_OWED, secret=True),
    Step("2b", "tolls are laid open"),
))  # fmt: skip

RAFTING = Heading("3", "rafting", steps=(
    Turns("3.1", "a raft", of="rafts", sides="in_order", steps=(
        Step("3a", "the raft drifts", by=ACTIVE, when=CAN_DRIFT, allows=(Drift,), need="optional"),
    )),
))  # fmt: skip

MARKET = Heading("4", "market", steps=(
    Step("4a", "rafts at sea deliver"),
    Step("4b", "has anybody won", then=(Go(END, when=DECIDED),)),
))  # fmt: skip

SEQUENCE = Sequence(steps=(Rounds("turn", "turn", counts_turns=True, steps=(WATER, TOLLS, RAFTING, MARKET)),))
