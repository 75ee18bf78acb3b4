"""The games: events, sequence of play, orders, dice, one folder a title. Pure: no clock, file, environment or store."""
