"""The OpenAPI document has one schema for each order of every title, found by the order's name."""

import json
import re
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")
pytest.importorskip("jsonschema", reason="the extra `fuzz` is not installed: pip install '.[fuzz]'")

import jsonschema
import msgspec

from tests.at_least_one import at_least_one
from tests.face.desk import example_of
from tests.face.domain import Order, Title, order_schema
from tests.face.service import order_components
from tests.face.testing import titles
from tests.service.served import Served

ORDERS = [(title, order) for title in titles() for order in title.every_order.values()]
MOST = 1_000_000
"""Bytes of the whole document."""


@pytest.fixture(scope="module")
def document(served: Served) -> dict[str, Any]:
    answer = served.nobody().get("/schema/openapi.json")
    assert len(answer.content) < MOST
    return dict(answer.json())


def any_order(document: dict[str, Any]) -> Any:
    return document["components"]["schemas"]["AnyOrder"]


def faults(document: dict[str, Any], raw: dict[str, Any], ref: str) -> list[str]:
    schema = {"$ref": ref, "components": document["components"]}
    return [one.message for one in jsonschema.Draft202012Validator(schema).iter_errors(raw)]


def fault_of(document: dict[str, Any], raw: dict[str, Any]) -> list[str]:
    """Return the faults of an order by the schema that its name chooses."""
    return faults(document, raw, any_order(document)["discriminator"]["mapping"][raw["order"]])


class TestOrderBody:
    def test_body_is_any_order_or_typed_words(self, document: dict[str, Any]) -> None:
        body = document["paths"]["/games/{game}/orders"]["post"]["requestBody"]
        refs = [one["$ref"].rpartition("/")[2] for one in body["content"]["application/json"]["schema"]["oneOf"]]
        assert (body["required"], refs) == (True, ["AnyOrder", "TypedOrder"])

    def test_discriminator_names_every_order_once(self, document: dict[str, Any]) -> None:
        mapping = any_order(document)["discriminator"]["mapping"]
        assert set(mapping) == {order.tag() for _, order in ORDERS}
        assert [one["$ref"] for one in any_order(document)["oneOf"]] == list(mapping.values())

    @pytest.mark.parametrize("title", [pytest.param(one, id=one.id) for one in titles()])
    def test_examples_of_a_title_are_valid_by_their_schemas(self, document: dict[str, Any], title: Title) -> None:
        for order in at_least_one(list(title.every_order.values())):
            raw = json.loads(json.dumps(example_of(title, order)))
            assert fault_of(document, raw) == [], order
            assert fault_of(document, {**raw, "no-such-field": 1}), order

    @pytest.mark.parametrize(
        "raw", [{"order": "note"}, {"order": "note", "text": 1}, {"order": "board", "ships": [], "target": "athens-1"}]
    )
    def test_order_with_wrong_fields_is_not_valid(self, document: dict[str, Any], raw: dict[str, Any]) -> None:
        assert fault_of(document, raw)

    def test_order_is_valid_by_the_whole_union(self, document: dict[str, Any]) -> None:
        top = "#/components/schemas/AnyOrder"
        assert faults(document, {"order": "note", "text": "wind"}, top) == []
        assert faults(document, {"order": "no-such-order"}, top)
        assert faults(document, {"typed": "note wind"}, "#/components/schemas/TypedOrder") == []

    def test_order_name_of_two_titles_has_a_schema_for_each(self, document: dict[str, Any]) -> None:
        refs = [one["$ref"] for one in document["components"]["schemas"]["order.retreat"]["anyOf"]]
        assert [one.rpartition(".")[2] for one in refs] == ["federation-and-empire", "twilight-imperium-3"]

    def test_document_is_sent_compressed_and_may_be_cached(self, served: Served) -> None:
        answer = served.nobody().get("/schema/openapi.json")
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["cache-control"].startswith("public")
        assert int(answer.headers["content-length"]) < MOST / 10


# --- titles of other packages -----------------------------------------------------------------------------------------


class Counter:
    """A type of a title's own, without a schema."""


class Stack(msgspec.Struct):
    height: int


class Odd(Order, frozen=True, kw_only=True, tag="odd order"):
    """Give a counter."""

    what: Counter
    on: Stack


class Even(Order, frozen=True, kw_only=True, tag="even-order"):
    """Give a stack, which is not the other one."""

    on: msgspec.defstruct("Stack", [("color", str)])  # type: ignore[valid-type]


@pytest.fixture
def odd_components() -> dict[str, Any]:
    """Return the components of two orders that the built-in titles do not have."""
    return order_components({order.tag(): {"odd": order_schema(order)} for order in (Odd, Even)})


def test_field_of_an_unknown_type_does_not_break_the_document(odd_components: dict[str, Any]) -> None:
    assert odd_components["order.odd_20_order"]["properties"]["what"].keys() == {"description"}


def test_order_name_with_a_blank_has_a_valid_component(odd_components: dict[str, Any]) -> None:
    assert [one for one in odd_components if not re.fullmatch(r"[A-Za-z0-9._-]+", one)] == []
    assert odd_components["AnyOrder"]["discriminator"]["mapping"]["odd order"].endswith("/order.odd_20_order")


def test_parts_with_one_name_keep_their_own_schemas(odd_components: dict[str, Any]) -> None:
    document = {"components": {"schemas": odd_components}}
    odd, even = {"order": "odd order", "what": 1, "on": {"height": 2}}, {"order": "even-order", "on": {"color": "red"}}
    assert faults(document, odd, "#/components/schemas/order.odd_20_order") == []
    assert faults(document, even, "#/components/schemas/order.even-order") == []
