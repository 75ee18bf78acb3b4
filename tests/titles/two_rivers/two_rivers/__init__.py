"""Two Rivers: rafts, tolls and a market. A title in a package of its own; the rules are in RULES.md beside it."""

from two_rivers import market, rafting, suggests, tolls, water
from two_rivers.scenario import RiversScenario, set_up
from two_rivers.sequence import LABELS, SEQUENCE
from umpire_ledger.kit import Title

TITLE = Title(
    id="two-rivers",
    name="Two Rivers",
    version="1",
    sequence=SEQUENCE,
    labels=LABELS,
    scenario=RiversScenario,
    set_up=set_up,
    decides={
        water.RollWater: water.decide_roll_water,
        tolls.SealToll: tolls.decide_seal_toll,
        rafting.Drift: rafting.decide_drift,
    },
    roles={"in_order": lambda game: game.side_ids},
    facts={"water_is_open": water.is_open, "toll_is_owed": tolls.is_owed, "decided": market.is_decided},
    sets={"rafts": rafting.rafts},
    acts={"2b": tolls.lay_open, "4a": market.deliver, "4b": market.conclude},
    suggests={
        water.RollWater: suggests.suggest_roll_water,
        tolls.SealToll: suggests.suggest_seal_toll,
        rafting.Drift: suggests.suggest_drift,
    },
)
