"""Word the orders of In Red Coat Rags Attired, and list the attributes and markers that only its rules read."""

from umpire_ledger.kit import InWords

WORDS = InWords(
    orders={
        "roll-initiative": "rolls for the initiative",
        "reposition": "repositions {officer}",
        "check-morale": "checks the morale of {unit}",
        "rally": "rallies {piece}",
        "break-lock": "breaks {piece} free to {to}",
        "move-command": "moves the line command {command}",
        "out-of-command": "finds {pieces} out of command",
        "activate": "activates {unit} with {dice} {dice|die|dice}",
        "move-piece": "moves {piece}[, facing {facing}]",
        "form": "forms {formation}",
        "load": "loads[ {pieces}]",
        "special-action": "takes the action: {what}",
        "engage": "engages {enemy} with {piece}",
        "lock-corner": "locks {piece} with {enemy}",
        "fire": "declares fire of {piece} at {target}",
        "resolve-fire": "resolves the fire",
        "resolve-close": "resolves close combat of {piece} with {enemy}",
        "special-move": "rolls for the special move of {officer}",
        "move-officer": "moves {officer}",
        "concede": "concedes",
        "let-die-decide": "lets a die decide: {question}",
    },
    attributes=(
        *("repositioned", "activated", "did", "special", "moves_left", "moved_for", "morale_checked", "rally_tried"),
        *("lock_tried"),
    ),
    markers=(
        "initiative/*",
        "active_unit",
        "actions",
        "taken",
        "firing",
        "fired_at",
        "phasing",
        "phased",
        "failed",
        "fewer_dice",
        "close/*",
    ),
    called={"disrupted": ("disrupted", "in order again")},
    battles=("4*",),
    causes={"tie, roll again": "tie: roll again"},
)
