"""The closed vocabulary of events, the state and its fold, orders, errors, dice, scenarios: plain data for all."""
