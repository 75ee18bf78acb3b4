"""Three Fords: companies, hidden hands of cards and sealed plans. A small title made up for the contract checks."""

from three_fords import battle, cards, ending, marching, plans
from three_fords.scenario import STARTER, FordsScenario, set_up
from three_fords.sequence import SEQUENCE
from umpire_ledger.kit import Title, does

TITLE = Title(
    id="three-fords",
    name="Three Fords",
    version="1",
    sequence=SEQUENCE,
    orders=(
        does(cards.DrawCard, cards.decide_draw_card, tables=("deck",)),
        does(plans.SealPlan, plans.decide_seal_plan, tries=plans.every_plan),
        does(cards.PlayCard, cards.decide_play_card, tries=cards.playable),
        does(marching.March, marching.decide_march, tries=marching.marches),
        does(marching.Watch, marching.decide_watch, tries=marching.watches),
        does(battle.Attack, battle.decide_attack, tries=battle.attacks, tables=("battle",)),
    ),
    starter=STARTER,
    scenario=FordsScenario,
    set_up=set_up,
    acts={"2b": plans.reveal_plans, "5a": ending.score, "5b": ending.conclude},
    tables={"5a": ("points",)},
)
