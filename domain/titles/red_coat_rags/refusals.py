"""Word each refusal and its remedy."""

REFUSALS = {
    "action-taken-already": (
        "a piece takes part in {action} only once, and these have already done so: {pieces}",
        "name pieces that have not taken part in {action}, or take another action",
    ),
    "all-loaded-already": ("no unloaded red cube is left on {pieces}", "take another action"),
    "already-there": ("{unit} is already at {at}", "name the places that it moves to"),
    "cannot-be-activated": ("{unit} {why}", "activate one of: {left}"),
    "cannot-disengage": ("{piece} cannot disengage: {why}", "name a piece locked at one corner: {pieces}"),
    "cannot-fire": ("{piece} cannot fire: {why}", "name a piece with a red cube"),
    "cannot-fire-unloaded": ("{piece} cannot fire: {why}", "load it with `load`, an action of its unit"),
    "cannot-rally": ("{piece} cannot rally: {why}", "rally one of: {left}"),
    "contact-already": ("{piece} and {enemy} are already in {contact}", "{remedy}"),
    "corner-locked": (
        "{piece} is corner locked and cannot move",
        "move another piece; you can try to break a single lock in step 2d of your next phase",
    ),
    "disengage-tried-already": (
        "{piece} has already tried to disengage this phase",
        "name another piece, or end the step: `done`",
    ),
    "facing-differs": (
        "{piece} faces {limit}, not {given}",
        "leave out `facing`: a locked piece cannot turn",
    ),
    "facing-unknown": (
        "the facing of {piece} is not recorded, so its rear is unknown",
        "add its `facing`, for example {example}",
    ),
    "fire-at-active-unit-only": (
        "{target} is not in the activated unit, the only target of {kind} fire",
        "fire at one of: {targets}",
    ),
    "formation-already": ("{unit} is already in {formation}", "name another formation"),
    "initiative-decided": ("{side_has} already rolled for initiative", "wait for {other}"),
    "limits-are-measured": (
        "Umpire measures the command limits from the recorded positions of the pieces",
        "end the step with `done`, which removes the pieces that are out of reach",
    ),
    "loaded-already": ("no unloaded red cube is left on {pieces}", "load one of: {can}"),
    "locked-cannot-turn": ("{unit} is corner locked and cannot turn", "break the lock in step 2d"),
    "locked-piece-there": ("{piece} is already at {place}", "name the place one piece length back"),
    "morale-checks-done": ("{unit} does not check its morale: {why}", "end the step: `done`"),
    "moved-with-wing": (
        "{officer} has already moved with the {wing} wing this phase",
        "move {officer} when another wing is active",
    ),
    "no-action-left": (
        "no action is left for {action}: {given} {was_rolled} rolled",
        "name pieces that have not taken part in {pieces}, or end with `done finished`",
    ),
    "no-cubes-left": ("{officer} has {limit:white cube} left, not {given}", "roll without the cubes of {officer}"),
    "no-fire-declared": ("no fire is declared", "end the step: `done`"),
    "no-morale-check": ("{unit} does not check its morale: {why}", "check one of: {left}"),
    "none-can-be-activated": ("{unit} {why}", "end the step: `done none`"),
    "none-can-rally": ("{piece} cannot rally: {why}", "end the step: `done`"),
    "not-a-combat-piece": ("{piece} is a {kind}, not a combat piece", "name an enemy combat piece"),
    "not-a-direction": ("{direction} is not a point of the compass", "write one of: {directions}"),
    "not-a-point": (
        "{place!r} is not a point of this table, which is measured in {measure}",
        "write, for example, {example}",
    ),
    "not-a-special-action": (
        "{action} is not a special action",
        "use its own order: `move-piece`, `form`, `fire` or `load`",
    ),
    "not-away": (
        "{place} is not straight back from {enemy}, which locks {piece}",
        "name the place one piece length straight back, away from {enemy_at}",
    ),
    "not-in-active-unit": ("{piece} is not in the activated unit {unit}", "name one of: {left}"),
    "not-in-close-combat": ("{piece} of the phasing player is not in contact with {enemy}", "resolve one of: {pairs}"),
    "not-of-this-combat": (
        "`plus` can name only other pieces of this close combat, not {strangers}",
        "name pieces of it: {pieces}",
    ),
    "not-straight-back": (
        "{place} is {way} of {piece}, which faces {facing}",
        "name the place one piece length to the {back}",
    ),
    "not-touching": ("{piece} and {enemy} do not touch: they are {apart}", "move the piece first"),
    "odds-incomplete": (
        "the odds have no answer for a roll of {total}",
        'give every roll an answer, for example "1..3" and "4 or more"',
    ),
    "one-move-each-wing": ("{officer} can move once with each wing, not {given} times", "take one move"),
    "only-fire": ("{side_is} not the phasing player and can only `fire` now", "wait for {phasing}"),
    "other-contact": ("{piece} and {enemy} touch at {contact}", "use the order for that: `{order}`"),
    "other-wing": (
        "{unit} is in the {unit_wing} wing, not in the {wing} wing",
        "select a unit of that wing, or leave out the wing for {unit}",
    ),
    "other-wings-command": (
        "{officer} does not command the active wing",
        "name the active officer, {active}; a free CO can use `move-officer` once",
    ),
    "other-wings-move": (
        "{officer} does not command the active wing",
        "move the active FO or a free CO",
    ),
    "other-wings-officer": (
        "{officer} commands the {wing} wing, not the wing of this unit",
        "spend cubes of an officer of the same wing (option own_wing_cubes)",
    ),
    "out-of-range": (
        "{target} is {given} {measure} from {piece}, which can reach only {limit}",
        "name a nearer target, or move first",
    ),
    "out-of-reach": ("outside {officer}'s reach of {limit}: {pieces}", "officers in reach with cubes: {officers}"),
    "outcome-not-read": ("the result of {pair} is already recorded", "read the result of {next_pair}"),
    "own-piece": ("{piece} is your own", "name an enemy piece"),
    "piece-corner-locked": ("{piece} is corner locked and cannot move", "leave it out of the order"),
    "piece-of-another-side": ("{piece} belongs to {owner}", "name one of your own pieces"),
    "repositioned-already": (
        "{figure} has already been repositioned this phase",
        "name another figure, or end the step: `done`",
    ),
    "special-action-not-taken": ("no special action of {unit} {does}", "take one first with `special-action`"),
    "special-move-taken": ("{officer} has already made its special move this phase", "end the step: `done`"),
    "too-far": (
        "{unit} would move {given} {measure}, but its limit is {limit}",
        "end the path within {limit} {measure}",
    ),
    "too-far-apart": (
        "{piece} and {enemy} do not touch: they are {given} {measure} apart",
        "move first: they touch within {limit} {measure}",
    ),
    "too-many-cubes": ("{officer} has {limit:white cube} left, not {given}", "spend at most {limit}"),
    "too-many-dice": ("{unit} cannot be activated with {given:die}: {why}", "roll 1 to {limit}"),
    "too-many-moves": ("{officer} can make {limit:move}, not {given}", "{remedy}"),
    "two-corners-locked": ("already locked at both front corners: {pieces}", "name another piece"),
    "unit-has-no-piece-left": ("the activated unit has no piece left", "end the activation: `done finished`"),
    "wrong-distance-back": (
        "{place} is {given} away, but {piece} moves back {limit}",
        "name the place one piece length back, {limit} away",
    ),
    "wrong-kind": ("{piece} is not a {wanted}: it is a {kind}", "name a {wanted}"),
    "wrong-number-of-cubes": (
        "the order gives cubes for {given:die}, but rolls {limit:die}",
        "write one entry for each die, {{}} for no cubes",
    ),
}
