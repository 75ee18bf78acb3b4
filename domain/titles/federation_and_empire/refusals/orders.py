"""List the words of each refusal and its remedy, by code."""

REFUSALS = {
    "changes-nothing": ("`{order}` would change nothing", "end the step with `done`, or name another value"),
    "not-an-order-here": ("`{order}` is {whose} in {step}", "end the step: `done`"),
    "not-an-order-here-others": ("`{order}` is {whose} in {step}", "give one of: {orders}"),
}
