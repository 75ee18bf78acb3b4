"""Two Rivers: rafts, tolls and a market. A title in a package of its own; the rules are in RULES.md beside it."""

from two_rivers import market, rafting, suggests, tolls, water
from two_rivers.scenario import RiversScenario, set_up
from two_rivers.sequence import SEQUENCE
from two_rivers.starter import STARTER
from umpire_ledger.kit import Title, called, does

ORDERS = (
    does(water.RollWater, water.decide_roll_water, tries=suggests.roll_water),
    does(tolls.SealToll, tolls.decide_seal_toll, tries=suggests.seal_toll),
    does(rafting.Drift, rafting.decide_drift, tries=suggests.drift),
)

TITLE = Title(
    id="two-rivers",
    name="Two Rivers",
    version="1",
    sequence=SEQUENCE,
    orders=ORDERS,
    starter=STARTER,
    scenario=RiversScenario,
    set_up=set_up,
    roles={"in_order": called("sides in their order", lambda game: game.side_ids, none="no side is left")},
    sets={"rafts": rafting.rafts},
    acts={"2b": tolls.lay_open, "4a": market.deliver, "4b": market.conclude},
)
