"""Check that the compact set of ids has the same answers as a set."""

from hypothesis import given, strategies as st

from tests.face.ledger import OrderIds


@given(st.lists(st.text(max_size=3), max_size=60))
def test_order_id_is_new_once(names: list[str]) -> None:
    ids = OrderIds()
    assert [ids.add(name) for name in names] == [name in names[:at] for at, name in enumerate(names)]


def test_growing_set_keeps_every_order_id() -> None:
    ids = OrderIds()
    assert not any(ids.add(f"c{number}") for number in range(20_000))
    assert all(ids.add(f"c{number}") for number in range(20_000))
    assert not ids.add("c20000")


def test_order_id_takes_at_most_thirty_two_bytes() -> None:
    ids = OrderIds()
    for number in range(20_000):
        ids.add(f"a rather long id of an order, {number}")
    assert len(ids._places) * ids._places.itemsize <= 32 * 20_000
