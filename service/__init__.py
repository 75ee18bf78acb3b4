"""`umpire serve`: the desk behind HTTP. Routes parse, call the desk, answer; no rule, no SQL, nothing decided twice.

settings   how it is served, as plain data, so that worker processes can be told
problems   errors of the desk as RFC 9457 problems
doors      who asks: cookie or bearer token, same origin, rate
table      one request at a game: a look with its ETag, an act with its command id
library, games, looks, questions, acts, doorstep, streams, upkeep   the routes
watch      what other processes wrote, told to the streams
app        the parts put together; running: sockets, workers, stop
"""

if __name__ != "umpire_ledger.service":  # a second copy of each class would be made, equal to none of the first
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
