"""Make vectors about shared and witnessed dice (FORMAT.md, section 9): each with its verdict and its faulty record.

Red's and blue's secrets are 0x11 and 0x22, 32 times; their chains have three shares.
"""

import hashlib
import json
from typing import NamedTuple

from tests.attacks.damaged_logs import written_anew
from tests.face.domain import (
    Epoch,
    commitment_of,
    draw,
    parse,
)
from tests.face.ledger import NOTHING, Record

GAME = LABEL = "ford-7"
SEED = "6d" * 32
RAW = type(NOTHING)
VALID, REDACTED, INVALID = "VALID", "VALID WITH REDACTIONS", "INVALID"
RestrictedEvent = tuple[str, str]
"""The writer of a record and its event. A `+` before the seat: the record continues the order before it."""


class ShareVector(NamedTuple):
    """One log. `at`: the record that contains its fault; 0 for none."""

    name: str
    verdict: str
    at: int
    log: bytes


def _chain(digit: str) -> list[str]:
    """Return the commitment, then the shares in the order in which they are revealed."""
    links = [digit * 64]
    for _ in range(3):
        links.append(hashlib.sha256(bytes.fromhex(links[-1])).hexdigest())
    return links[::-1]


RED, BLUE = _chain("1"), _chain("2")


def _log(told: list[RestrictedEvent], *withheld: int) -> bytes:
    records: list[Record] = []
    for position, (seat, event) in enumerate(told, start=1):
        begins = not seat.startswith("+")
        command = f"c{position}" if begins else records[-1].command
        at = f"2026-11-22T01:{position:02}:00.000000Z" if begins else records[-1].at
        record = Record(
            position=position,
            at=at,
            seat=seat.removeprefix("+"),
            command=command,
            prior="0" * 64 if begins else None,
            salt=f"{position:032x}",
            event=RAW(event.encode()),
            visible_to=("red",) if position in withheld else None,
        )
        records.append(record)
    return written_anew(GAME, [one.redact() if one.position in withheld else one for one in records])


def _event(type_: str, **fields: object) -> str:
    return json.dumps({"type": type_, **fields}, separators=(",", ":"))


def committed(scheme: int, seed: str = SEED) -> RestrictedEvent:
    return "referee", _event("dice.committed", commitment=commitment_of(seed), label=LABEL, scheme=scheme)


def pledged(side: str, pledge: str) -> RestrictedEvent:
    return side, _event("dice.pledged", side=side, pledge=pledge)


def shared(side: str, share: str) -> RestrictedEvent:
    return side, _event("dice.shared", side=side, share=share)


def asked(seat: str, roll: int) -> RestrictedEvent:
    return seat, _event("dice.asked", seat=seat, roll=roll)


def rolled(
    seat: str, number: int, scheme: int, *shares: str, seed: str = SEED, thrown: int = 0, kept: int = 0
) -> RestrictedEvent:
    """Four dice of a seed and these shares; kept ones are those of roll `thrown`."""
    pips = list(draw(Epoch(seed, LABEL, scheme, shares), thrown or number, parse("4d6")))
    again = {"kept": kept, "thrown": thrown} if kept else {}
    return seat, _event("dice.rolled", roll=number, purpose="x", dice="4d6", pips=pips, total=sum(pips), **again)


def rewound(to: int, dice: str = "reroll") -> RestrictedEvent:
    return "referee", _event("play.rewound", to=to, dice=dice)


OPENED: RestrictedEvent = ("referee", _event("dice.opened", seed=SEED))
PLEDGES = [pledged("red", RED[0]), pledged("blue", BLUE[0])]
SHOWN = [shared("red", RED[1]), shared("blue", BLUE[1])]
OF_3 = [committed(3), *PLEDGES]
OF_4 = [committed(4), *PLEDGES]
ROLL_3 = rolled("red", 1, 3, RED[1], BLUE[1])
ASKED = [*OF_4, asked("red", 1)]
BLUES = shared("blue", BLUE[1])
ROLL_4 = rolled("red", 1, 4, BLUE[1])
OTHER_SEED = "6e" * 32


def _of_shared_dice() -> list[ShareVector]:
    again = [*OF_3, *SHOWN, ROLL_3, rewound(1), committed(3), rolled("blue", 2, 3, RED[1], BLUE[1]), OPENED]
    fresh = committed(3, OTHER_SEED)
    of_other = rolled("red", 2, 3, seed=OTHER_SEED)
    return [
        ShareVector("right-shared", VALID, 0, _log([*OF_3, *SHOWN, ROLL_3, OPENED])),
        ShareVector("right-shared-behind-a-rewind", VALID, 0, _log(again)),
        ShareVector("right-shared-and-not-open", VALID, 0, _log([*OF_3, *SHOWN, ROLL_3])),
        ShareVector("shared-roll-of-the-seed-alone", INVALID, 6, _log([*OF_3, *SHOWN, rolled("red", 1, 2), OPENED])),
        ShareVector("shared-roll-of-one-share", INVALID, 6, _log([*OF_3, *SHOWN, rolled("red", 1, 3, RED[1]), OPENED])),
        ShareVector(
            "shared-roll-before-a-share", INVALID, 5, _log([*OF_3, SHOWN[0], rolled("red", 1, 3, RED[1]), OPENED])
        ),
        ShareVector(
            "shared-roll-before-a-share-not-open", INVALID, 5, _log([*OF_3, SHOWN[0], rolled("red", 1, 3, RED[1])])
        ),
        ShareVector("shared-roll-without-pledges", INVALID, 2, _log([committed(3), rolled("red", 1, 3), OPENED])),
        ShareVector(
            "shared-pledge-behind-a-share", INVALID, 4, _log([*OF_3[:2], SHOWN[0], PLEDGES[1], SHOWN[1], OPENED])
        ),
        ShareVector("shared-pledge-twice", INVALID, 4, _log([*OF_3, pledged("red", BLUE[1]), OPENED])),
        ShareVector(
            "shared-pledge-in-capitals", INVALID, 2, _log([committed(3), pledged("red", RED[0].upper()), OPENED])
        ),
        ShareVector(
            "shared-pledge-of-a-number",
            INVALID,
            2,
            _log([committed(3), ("red", _event("dice.pledged", side=5, pledge=RED[0])), OPENED]),
        ),
        ShareVector("shared-share-of-another-secret", INVALID, 4, _log([*OF_3, shared("red", BLUE[2]), OPENED])),
        ShareVector("shared-share-of-nobody", INVALID, 4, _log([*OF_3, shared("green", RED[1]), OPENED])),
        ShareVector("shared-share-twice", INVALID, 5, _log([*OF_3, SHOWN[0], SHOWN[0], OPENED])),
        ShareVector("shared-pledge-in-scheme-2", INVALID, 2, _log([committed(2), PLEDGES[0], OPENED])),
        ShareVector(
            "shared-roll-of-another-seed-without-shares",
            INVALID,
            9,
            _log([*OF_3, *SHOWN, ROLL_3, OPENED, fresh, of_other]),
        ),
        ShareVector("roll-of-scheme-5", INVALID, 2, _log([committed(5), rolled("red", 1, 2), OPENED])),
    ]


def _of_witnessed_dice() -> list[ShareVector]:
    second = rolled("red", 2, 4, BLUE[1])
    whole = [
        *(*ASKED, BLUES, ROLL_4, ("+red", second[1]), asked("blue", 3), shared("red", RED[1])),
        *(rolled("blue", 3, 4, RED[1], BLUE[1]), OPENED),
    ]
    # A record withheld from the order that rolls may be its first roll; a withheld record of another order is not.
    own_roll = [*ASKED, BLUES, ROLL_4, ("+red", second[1]), OPENED]
    others_note = [*ASKED, BLUES, ("blue", _event("note.added", text="hm")), second, OPENED]
    as_blue = ("referee", _event("seat.taken", seat="red", side="blue"))
    taken = [*OF_4, as_blue, asked("red", 1), shared("red", RED[1]), rolled("red", 1, 4, RED[1]), OPENED]
    seated = [*OF_4, ("referee", _event("seat.taken", seat="anna", side="red")), asked("anna", 1)]
    anna = ("anna", ROLL_4[1])
    own = shared("red", RED[1])
    of_own = rolled("red", 1, 4, RED[1])
    both = rolled("red", 2, 4, BLUE[2])
    both_at_2 = rolled("red", 2, 4, RED[1], BLUE[1])
    other_dice = [
        ("+red", committed(4, OTHER_SEED)[1]),
        ("+red", rolled("red", 2, 4, seed=OTHER_SEED)[1]),
        ("referee", _event("dice.opened", seed=OTHER_SEED)),
    ]
    nameless = [*OF_4, ("referee", _event("seat.taken", side="red")), asked("None", 1)]
    # A secret roll, 6, is withheld; a second is requested, and after a rewind the first is reused.
    secret = [*ASKED, BLUES, ROLL_4, asked("red", 2), shared("blue", BLUE[2]), both, rewound(5, "keep")]
    kept = rolled("red", 3, 4, BLUE[1], thrown=1, kept=6)
    tried = rolled("red", 3, 4, BLUE[2], thrown=1, kept=6)
    return [
        ShareVector("right-witnessed", VALID, 0, _log(whole)),
        ShareVector("right-witnessed-behind-a-roll-of-its-own", REDACTED, 0, _log(own_roll, 6)),
        ShareVector("witnessed-a-number-left-out-by-others", INVALID, 7, _log(others_note, 6)),
        ShareVector("witnessed-seat-of-a-side-taken-for-another", INVALID, 6, _log(taken)),
        ShareVector("right-witnessed-by-a-seat", VALID, 0, _log([*seated, BLUES, anna, OPENED])),
        ShareVector(
            "right-witnessed-for-the-referee",
            VALID,
            0,
            _log([*OF_4, asked("referee", 1), BLUES, own, ("referee", rolled("", 1, 4, RED[1], BLUE[1])[1]), OPENED]),
        ),
        ShareVector("right-witnessed-kept", REDACTED, 0, _log([*secret, kept, OPENED], 6)),
        ShareVector("witnessed-kept-with-later-shares", INVALID, 11, _log([*secret, tried, OPENED], 6)),
        ShareVector("witnessed-roll-that-nobody-asked-for", INVALID, 4, _log([*OF_4, rolled("red", 1, 4), OPENED])),
        ShareVector("witnessed-roll-without-a-share", INVALID, 5, _log([*ASKED, rolled("red", 1, 4), OPENED])),
        ShareVector("witnessed-roll-without-a-share-not-open", INVALID, 5, _log([*ASKED, rolled("red", 1, 4)])),
        ShareVector("witnessed-by-the-side-that-throws", INVALID, 5, _log([*ASKED, own, of_own, OPENED])),
        ShareVector("witnessed-by-the-side-of-the-seat", INVALID, 6, _log([*seated, own, ("anna", of_own[1]), OPENED])),
        ShareVector(
            "witnessed-by-half-for-the-referee",
            INVALID,
            6,
            _log([*OF_4, asked("referee", 1), BLUES, ("referee", ROLL_4[1]), OPENED]),
        ),
        ShareVector(
            "witnessed-share-before-the-order", INVALID, 4, _log([*OF_4, BLUES, asked("red", 1), ROLL_4, OPENED])
        ),
        ShareVector("witnessed-order-of-another-seat", INVALID, 6, _log([*ASKED, BLUES, ("blue", ROLL_4[1]), OPENED])),
        ShareVector("witnessed-two-orders-for-one-share", INVALID, 7, _log([*ASKED, BLUES, ROLL_4, second, OPENED])),
        ShareVector("witnessed-roll-behind-a-rewind", INVALID, 7, _log([*ASKED, BLUES, rewound(3), ROLL_4, OPENED])),
        ShareVector(
            "witnessed-asked-for-a-later-roll", INVALID, 4, _log([*OF_4, asked("red", 2), BLUES, ROLL_4, OPENED])
        ),
        ShareVector(
            "witnessed-own-shares-until-the-dice-please",
            INVALID,
            6,
            _log([*ASKED, BLUES, own, shared("red", RED[2]), rolled("red", 1, 4, RED[2], BLUE[1]), OPENED]),
        ),
        ShareVector(
            "witnessed-two-shares-for-one-order",
            INVALID,
            6,
            _log([*ASKED, BLUES, shared("blue", BLUE[2]), rolled("red", 1, 4, BLUE[2]), OPENED]),
        ),
        ShareVector(
            "witnessed-share-behind-the-roll",
            INVALID,
            7,
            _log([*ASKED, BLUES, ROLL_4, ("+red", own[1]), ("+red", both_at_2[1]), OPENED]),
        ),
        ShareVector(
            "witnessed-another-order-once-a-share-is-shown",
            INVALID,
            6,
            _log([*ASKED, BLUES, asked("red", 1), shared("blue", BLUE[2]), rolled("red", 1, 4, BLUE[2]), OPENED]),
        ),
        ShareVector(
            "witnessed-other-dice-in-the-same-order",
            INVALID,
            9,
            _log([*ASKED, BLUES, ROLL_4, ("+red", OPENED[1]), *other_dice]),
        ),
        ShareVector("witnessed-seat-of-no-name", INVALID, 7, _log([*nameless, BLUES, ("None", ROLL_4[1]), OPENED])),
        ShareVector(
            "witnessed-roll-before-the-one-asked-for",
            INVALID,
            7,
            _log([*ASKED, BLUES, ROLL_4, rolled("red", 1, 4, BLUE[1]), OPENED]),
        ),
    ]


def share_vectors() -> list[ShareVector]:
    """Return all vectors, each name once."""
    return [*_of_shared_dice(), *_of_witnessed_dice()]
