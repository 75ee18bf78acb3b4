"""Word the refusals about the history of a game: undo and rewind, disputes, notes, seals, keys, dice seeds."""

REFUSALS = {
    "agreed-already": ("the agreement of {side} is already recorded", "ask {missing} to agree"),
    "all-sides-agreed": (
        "one seat cannot undo #{first}: all sides agreed to it",
        "ask the other sides again, or ask the referee",
    ),
    "already-there": ("play is already at #{to}", "name an earlier position: `umpire undo-points GAME` lists them"),
    "closed-to-referee": (
        "the referee of this game cannot read secrets or courier messages",
        "make a public ruling: `umpire rule`",
    ),
    "consented-already": (
        "the consent of {side} is already recorded",
        "wait for the other sides, or decline: `umpire decline`",
    ),
    "dice-of-another-game": (
        "#{to} comes from before this game was copied, so its dice belong to the original game",
        "copy the original game up to #{to} instead: `umpire fork GAME --at {to}`",
    ),
    "dice-revealed-already": ("the seed of the dice is already revealed", "`umpire verify` recomputes every roll"),
    "dispute-exists": ("the dispute {dispute} already exists", "choose another id, or leave it out"),
    "dispute-of-another-seat": (
        "only {seat} can withdraw the dispute {dispute}",
        "ask {seat} to withdraw it, or ask the referee to settle it",
    ),
    "each-side-reveals": (
        "the referee of this game cannot read secrets, so each side must reveal its own secrets",
        "ask each side to run `umpire reveal GAME --all --as SIDE`",
    ),
    "game-not-over": (
        "secrets can be revealed only after the end of the game",
        "wait for the end of the game; during play, `reveal` a sealed choice, or write a public note",
    ),
    "game-over": (
        "the game is over, so no later turn can begin",
        "write a private note: `umpire note GAME TEXT --to SEAT`",
    ),
    "inside-the-opening": ("#{found} belongs to the setup of the game, #1-#{last}", "rewind to #{last}"),
    "key-of-another-seat": ("{seat} cannot set the key of {who}", "ask {who} or the referee to set it"),
    "neither-pledge-nor-share": (
        "the order names neither a commitment nor a share",
        "run `umpire dice-share {game} --as {side}`, which gives the right one",
    ),
    "no-new-seed": ("the dice need a new seed, and only a ledger can draw one", "give the order to a ledger"),
    "no-order-waits": ("no order waits for a share of {side}", "keep the next shares secret until an order needs them"),
    "no-other-side": ("there is no other side to ask", "ask the referee to rewind"),
    "no-rewind-asked-for": ("no rewind is requested", "request one: `umpire ask-rewind`"),
    "no-seed": ("this game has no seed to reveal", "leave out the order: only a game with ledger dice has a seed"),
    "no-share": ("{seat} has no share of the dice", "act as one of: {side_ids}"),
    "no-shares": ("the dice of this game need no shares", "open a game with `--dice shared` or `--dice witnessed`"),
    "no-side": ("{seat} does not play for a side", "rewind as the referee: `umpire rewind`"),
    "no-such-dispute": ("there is no dispute {dispute}", "open disputes: {open_disputes}"),
    "no-such-place": ("{what}", "{remedy}"),
    "no-such-position": ("there is no position #{found}", "name one from #1 to #{tip}"),
    "no-such-reader": ("there is no seat {seat} to write to", "name one or more of: {known}"),
    "no-such-reader-nearest": ("there is no seat {seat} to write to", "did you mean {near}?"),
    "no-such-record": (
        "there is no record #{position}",
        "name a record from #1 to #{tip}: `umpire audit GAME` lists the records",
    ),
    "no-such-step": ("there is no step {step}", "`umpire sequence {title}` prints every step"),
    "no-such-step-nearest": ("there is no step {step}", "did you mean {near}?"),
    "no-target": ("{tag} does not return to a position", "name undo, redo or rewind"),
    "no-turns": ("this game does not count turns", "write a private note: `umpire note GAME TEXT --to SEAT`"),
    "not-a-key": ("this is not a valid key: {error}", "copy the whole line that `umpire key show` prints"),
    "not-a-note": ("#{instead_of} is not a note", "find the number of the note: `umpire audit GAME`"),
    "not-asked": ("the rewind does not need the consent of {seat}", "the request of {side} waits for: {sides}"),
    "not-on-current-branch": ("#{to} is on an abandoned branch", "ask the referee to return to it"),
    "not-on-its-way": ("no courier carries message {message}", "messages on their way: {numbers}"),
    "note-of-another-seat": ("only {seat} can replace note #{instead_of}", "ask {seat}, or ask the referee"),
    "note-withdrawn-already": (
        "note #{instead_of} has already been replaced",
        "name the newer note: `umpire audit GAME` lists the notes",
    ),
    "nothing-in-progress": ("no {what} is in progress now", "name it, for example `5-3D of 0407`"),
    "nothing-rolled": ("no roll on the current branch has used this seed yet", "reveal it after the first roll"),
    "nothing-sealed": (
        "#{note} contains no sealed orders",
        "list the sealed orders of your side: `umpire reveal GAME --as SIDE`",
    ),
    "nothing-to-redo": (
        "there is nothing to redo",
        "to return to an abandoned branch, rewind to one of its positions: `umpire rewind`",
    ),
    "nothing-to-seal": ("the referee cannot seal orders", "write a private note: `umpire note GAME TEXT --to SEAT`"),
    "nothing-to-undo": (
        "no orders are left to undo",
        "the setup of a game cannot be undone; open another game instead: `umpire new`",
    ),
    "only-the-referee-reveals": (
        "only the referee can reveal every secret of this game",
        "ask the referee to reveal them",
    ),
    "only-the-referee-rules": ("a seat can withdraw its dispute, but cannot rule on it", "leave out the ruling"),
    "only-the-referee-sets-dice": ("only the referee can choose between old and new rolls", "leave out `dice`"),
    "only-the-referee-undoes": (
        "a seat cannot undo #{first}, because {stop}",
        "ask the referee to undo it, or ask all other sides for a rewind: `umpire ask-rewind`",
    ),
    "only-the-side-reveals": (
        "the referee of this game cannot read secrets, so only {side} can reveal this secret",
        "ask {side} to give the order: `--as {side_id}`; or look at the secret: `umpire peek GAME {side_id}`",
    ),
    "only-the-side-tries": (
        "the referee of this game cannot read secrets, so only {side_tries} such orders",
        "try the order as that side: `--as {side_id}`; or give it without `--check`",
    ),
    "order-of-another-seat": (
        "you cannot undo #{first}: it is an order of {seat}",
        "ask the referee to undo it, or ask all other sides for a rewind: `umpire ask-rewind`",
    ),
    "other-readers": (
        "a note and its replacement must have the same readers; #{instead_of} is {meant}",
        "leave out `to`, or write a separate note",
    ),
    "play-has-continued": (
        "play has continued since the request for the rewind (#{first})",
        "request the rewind again, so that all sides know what it takes back: `umpire ask-rewind`",
    ),
    "pledge-of-another-side": (
        "another side has committed to this share",
        "draw your own share: `umpire dice-share GAME`",
    ),
    "pledged-already": (
        "the commitment of {side} to a share is already recorded",
        "reveal that share; if it is lost, ask the referee to begin the draw again: `open-dice`",
    ),
    "pledges-missing": (
        "shares stay secret until every side has committed to one; missing: {missing}",
        "wait for {waiting}",
    ),
    "reason-missing": (
        "{who} already has a key, and the order gives no reason for a new one",
        "add a reason: --reason 'the old one was lost'",
    ),
    "reason-needed": ("undoing #{first} needs a reason, because {stop}", 'add one: `--why "…"`, in JSON "why": "…"'),
    "reason-needed-to-return": (
        "returning to #{to} needs a reason, because {stop}",
        'add one: `--why "…"`, in JSON "why": "…"',
    ),
    "referee-has-no-key": (
        "the referee cannot have a key, because the ledger also writes records in the referee's name",
        "give keys to seats; let a third party cosign the log as a witness",
    ),
    "revealed-already": ("every secret is already revealed", "export the whole log for any seat: `umpire export GAME`"),
    "rolled-this-turn": (
        "this turn already has a roll: roll {roll}, {purpose}",
        "reveal the seed before the first roll of the next turn, or after the end of the game",
    ),
    "ruling-missing": ("settling a dispute needs a ruling", 'add it: `--ruling "…"`, in JSON "ruling": "…"'),
    "seal-of-another-side": ("only {side} can withdraw #{note}", "reveal it instead, or ask {side} to withdraw it"),
    "seal-opened-already": (
        "#{note} has already been {how}",
        "seal new orders; list the sealed orders of your side: `umpire reveal GAME --as SIDE`",
    ),
    "sealed-already": (
        "{seat} has already accepted every record up to #{first}",
        "seal again after the next order",
    ),
    "sealed-elsewhere": (
        "#{note} repeats the sealed orders of #{again}",
        "name #{again}; list the sealed orders of your side: `umpire reveal GAME --as SIDE`",
    ),
    "secret-rolls": ("the roll of #{first} is from this seed, and parts of it are secret", "{remedy}"),
    "seed-not-here": (
        "this copy of the game does not contain the seed of its dice",
        "give the order in the ledger that opened the game: `umpire dice-share --print` prints it",
    ),
    "settled-already": ("{dispute} is already settled: {ruling}", "open another dispute about the same records"),
    "share-shown-already": (
        "the share of {side} is already revealed",
        "keep the next shares secret until an order needs them",
    ),
    "turn-has-come": ("{step}turn {turn} has already begun", "name turn {first_possible} or later, {other}"),
    "turn-missing": ("the order names step {step} without a turn", "add the turn, or leave out the step"),
    "undone-by-another-seat": ("#{first} is the {kind} of {seat}", "ask {seat} or the referee"),
    "undone-by-the-referee": ("#{first} is the {kind} of {seat}", "ask the referee"),
    "within-one-order": (
        "{target} began and ended within one order, #{first} to #{last}",
        "rewind to the position before it: `--to '#{before}'`",
    ),
    "witness-key": ("this is the key of a witness", "give a key that `umpire key new` made"),
    "wrong-share": (
        "this is not the share that {side} committed to: its SHA-256 is not {before}",
        "run `umpire dice-share {game} --as {side}` on the computer that drew it",
    ),
}
