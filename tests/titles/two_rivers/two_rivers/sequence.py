"""The sequence of play of Two Rivers, as its rules print it."""

from two_rivers.rafting import Drift
from two_rivers.tolls import SealToll
from two_rivers.water import RollWater
from umpire_ledger.kit import ACTIVE, EACH, END, Go, Heading, Rounds, Sequence, Step, Turns, fact

LABELS = ("1", "2", "2a", "2b", "3", "3.1", "3a", "4", "4a", "4b")

water_is_open = fact("water_is_open", "the water is not rolled")
toll_is_owed = fact("toll_is_owed", "the toll is not sealed")
decided = fact("decided", "the game is over")

WATER = Step("1", "water", by=EACH, allows=(RollWater,), needs=~water_is_open, rolls="1d6")

TOLLS = Heading("2", "tolls", steps=(
    Step("2a", "each side seals its toll", by=EACH, allows=(SealToll,), needs=~toll_is_owed, secret=True),
    Step("2b", "tolls are laid open"),
))  # fmt: skip

RAFTING = Heading("3", "rafting", steps=(
    Turns("3.1", "a raft", of="rafts", sides="in_order", steps=(
        Step("3a", "the raft drifts", by=ACTIVE, allows=(Drift,), need="optional"),
    )),
))  # fmt: skip

MARKET = Heading("4", "market", steps=(
    Step("4a", "rafts at sea deliver"),
    Step("4b", "has anybody won", then=(Go(END, when=decided),)),
))  # fmt: skip

SEQUENCE = Sequence(steps=(Rounds("turn", "turn", counts_turns=True, steps=(WATER, TOLLS, RAFTING, MARKET)),))
