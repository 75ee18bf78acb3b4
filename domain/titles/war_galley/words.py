"""Word the orders of War Galley for players, and list the attributes and markers that only its rules read."""

from umpire_ledger.kit import InWords

WORDS = InWords(
    orders={
        "roll-wind": "rolls for the wind",
        "join": "adds {ship} to the squadron of {squadron}",
        "roll-initiative": "rolls for the initiative",
        "name-first": "names {side} as first player",
        "set-levels": "sets {level} speed[, except for {but}]",
        "activate-both": "tries a double activation[ with {squadron}]",
        "test-crew": "tests the crew",
        "move-ship": "moves {ship}[, facing {facing}]",
        "stay": "stays[ with {ships}]",
        "set-sails": "sets the sails of {ship}: {to}",
        "ram": "rams {target} with {ship}",
        "grapple": "grapples {target} with {ship}",
        "foul": "fouls {target} with {ship}",
        "cast-off": "casts {ship} off from {target}",
        "run-aground": "runs {ship} aground",
        "set-fire": "sets {target} on fire from {ship}",
        "hit": "hits {ship}: loses {loses}[ {amount}][ ({cause})]",
        "board": "boards {target} with {ships}",
        "tire": "tires {ships}[ by {counters}]",
        "disengage": "disengages {ship}",
        "fight-fire": "fights the fire on {ship}",
        "check-spread": "rolls for fire spreading[ to {ship}]",
        "check-sinking": "rolls for the sinking[ of {ship}]",
        "test-fleet": "rolls for the withdrawal of the fleet",
    },
    attributes=(
        *("moved", "sent", "worth_to", "captured_by", "capture_points", "ram_points", "restrained", "disengaging"),
        *("firefighting", "spread_tested", "caught", "sinking_tested", "rigged"),
    ),
    markers=("initiative", "initiative/*", "boarded", "joined", "used", "lost_admirals", "sinking", "columns", "rows"),
    called={
        "fire": ("on fire", "no longer on fire"),
        "sails_up": ("sails up", "sails down"),
        "masts_down": ("Masts Down", "masts cleared"),
        "aground": ("aground", "no longer aground"),
    },
    battles=("E.1", "E.2", "F.1", "F.3"),
    causes={"tie, roll again": "tie: roll again"},
)
