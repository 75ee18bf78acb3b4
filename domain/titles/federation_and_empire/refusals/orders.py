"""Word each refusal and its remedy."""

REFUSALS = {
    "changes-nothing": ("`{order}` changes nothing: it is so already", "`done`, or say something else"),
    "not-an-order-here": ("`{order}` is {whose} in {step}", "`done`"),
    "not-an-order-here-others": ("`{order}` is {whose} in {step}", "give one of: {orders}"),
}
