"""Serve the desk over HTTP (`umpire serve`). Routes parse, call the desk and answer; they contain no rules and no SQL.

settings        the settings as plain data, for worker processes
problems        errors of the desk as RFC 9457 problems
authentication  cookie or bearer token, same origin, rate
game_request    one request to a game: a read with its ETag, a write with its order id
library, games, view_routes, questions, order_routes, login, streams, health_routes   the routes
document, order_schemas   the OpenAPI document, with a schema for each order
compression     gzip, with ETags of its own
change_feed     new records of all processes, for the streams
app             the assembled application; running: sockets, workers, stop

Imports `desk` with all its rooms, `projections/record`, `projections/tables`, `projections/questions`,
`projections/reports`, `domain/game` and all of the ledger.
"""

if __name__ != "umpire_ledger.service":  # a second import would make classes that are unequal to the first ones
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
