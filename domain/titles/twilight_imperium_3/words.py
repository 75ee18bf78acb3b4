"""How the orders of Twilight Imperium 3 are told, and which marks only its rules keep."""

from umpire_ledger.kit import InWords

WORDS = InWords(
    orders={
        "take-action": "takes the action {action}[: {card}]",
        "choose-strategy": "chooses the Strategy cards {cards}",
        "join-secondary": "joins in the secondary ability",
        "play-card": "plays {card}",
        "draw-card": "draws {card}[ ({why})]",
        "activate": "activates {system}",
        "transfer": "activates {first} and {second} for a transfer",
        "move-ships": "moves {units}",
        "probe": "probes {planets}",
        "raze": "razes {planet} with {ship}",
        "resolve-domain": "turns up a domain counter[: {counter}]",
        "fire-pds": "fires PDS[ {pds}][ at {at}][ against {target}]",
        "roll-mine": "rolls for the mines against {ship}",
        "assign-hits": "takes hits on {to}",
        "barrage": "fires an anti-Fighter barrage",
        "announce-retreat": "announces the retreat",
        "roll-combat": "rolls for combat",
        "retreat": "retreats to {to}[, losing {lose}]",
        "land-friendly": "lands {units} on {planet}",
        "land-neutral": "lands {units} on neutral {planet}",
        "land-hostile": "invades {planet} with {units}",
        "land-pds": "lands {units} on {planet}",
        "bombard": "bombards[ {planet}] with {ship}",
        "produce": "produces at {dock}: {units}",
        "build-dock": "builds a Space Dock on {planet}",
        "scuttle": "scuttles {units}",
    },
    attributes=("arrived", "bombarded", "fired", "landed", "mined", "produced", "range", "shot"),
    markers=("now/*", "since/*", "last-round", "probed/*", "seen/*", "used-cards/*"),
    called={"damaged": ("damaged", "repaired")},
    battles=("SB*", "IC*", "TA.3*", "TA.mines", "TA.raze", "TA.6*", "TR.3*"),
    retreats=("SB.4",),
)
