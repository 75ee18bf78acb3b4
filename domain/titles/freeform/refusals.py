"""Word each refusal and its remedy. The requirements of a scenario's own orders have their own words."""

REFUSALS = {
    "cup-empty": ("{cup} is empty", "end the step: `done`"),
    "no-such-side": ("there is no side {side}", "name one of: {sides}"),
    "not-an-answer": ("{given} is not an answer to {question}", "seal one of: {choices}"),
    "other-question": ("this step asks for {question}, not {given}", "seal {question}"),
}
