"""Open each table, facet and saved query in Datasette itself, with the file that `umpire read-models --open` writes."""

import asyncio
import importlib.util
import json
import re
import shlex
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.face.projections import (
    QUERIES,
    TABLES,
    VIEWS,
    Query,
    connect,
    title_views,
)
from tests.naming import Naming
from tests.projections.read_models_of_games import make

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("datasette") is None,
    reason="the read models are looked at in Datasette, which is not installed: pip install '.[datasette]'",
)
BASE = "/umpire-views"
READ = [name for name, table in TABLES.items() if not table.hidden]
FACETS = [(name, facet) for name, table in (TABLES | VIEWS).items() for facet in table.facets]


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the words of the command that starts Datasette."""
    where = tmp_path_factory.mktemp("club") / "umpire.db"
    make(where)
    with umpire.open(where) as desk:
        return shlex.split(desk.for_datasette().command)


@pytest.fixture(scope="module")
def datasette(command: list[str]) -> Any:
    """Datasette with the file and the settings of the command."""
    from datasette.app import Datasette  # noqa: PLC0415 -- it may be missing
    from datasette.utils import parse_metadata  # noqa: PLC0415 -- as above

    metadata = parse_metadata(Path(command[command.index("--metadata") + 1]).read_text(encoding="utf-8"))
    return Datasette([command[1]], metadata=metadata, settings={"sql_time_limit_ms": 5000, "num_sql_threads": 1})


def get(datasette: Any, path: str) -> Any:
    answer = asyncio.run(datasette.client.get(BASE + path))
    assert answer.status_code == 200, (path, answer.text[:500])
    return answer.json() if ".json" in path else answer.text


class TestCommand:
    def test_runs_as_it_is_named(self, command: list[str]) -> None:
        """Run the command with `--get` instead of `--open`, so that it prints one page and ends."""
        words = [sys.executable, "-m", "datasette", *command[1:-1], "--get", f"{BASE}/who_burned_whose_ship.json"]
        assert (command[0], command[-1]) == ("datasette", "--open")
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert len(json.loads(done.stdout)["rows"]) == 2


class TestPages:
    def test_first_page_shows_secrets_warning_and_all_queries(self, datasette: Any) -> None:
        page = get(datasette, "")
        assert "These tables contain every secret of their games" in page
        assert all(query.title.replace("'", "&#39;") in page for query in QUERIES)

    def test_internal_tables_are_hidden(self, datasette: Any) -> None:
        found = {table["name"]: table["hidden"] for table in get(datasette, ".json")["tables"]}
        assert {name for name, hidden in found.items() if not hidden} == set(READ)

    @pytest.mark.parametrize("name", [*READ, *VIEWS])
    def test_table_page_explains_its_columns(self, datasette: Any, name: str) -> None:
        page = get(datasette, f"/{name}")
        assert "<summary>What the columns mean</summary>" in page
        assert (TABLES | VIEWS)[name].what.split("`")[0].replace("'", "&#39;").replace("&#39;", "&#x27;") in page

    def test_table_of_each_title_has_its_facets(self, datasette: Any, command: list[str]) -> None:
        with closing(connect(command[1])) as views:
            of_titles = title_views.views(views)
        assert len(of_titles) == 5
        for name in of_titles:
            answer = get(datasette, f"/{name}.json?seat=referee")
            assert answer["rows"]
            assert answer["facet_results"].keys() == set(VIEWS["units"].facets)

    @pytest.mark.parametrize(("name", "facet"), FACETS)
    def test_facet_has_counts(self, datasette: Any, name: str, facet: str) -> None:
        answer = get(datasette, f"/{name}.json")
        assert answer["facet_results"][facet]["results"] or not answer["rows"]

    @pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
    def test_saved_query_has_a_form_and_rows(self, datasette: Any, query: Query) -> None:
        form = get(datasette, f"/{query.name}")
        assert all(f'name="{name}"' in form for name in query.parameters)
        asked = "&".join(f"{name}={value}" for name, value in query.examples.items())
        answer = get(datasette, f"/{query.name}.json?{asked}")
        assert answer["rows"]

    def test_audit_trail_is_searched_by_word(self, datasette: Any) -> None:
        found = get(datasette, "/audit.json?_search=fire&_shape=objects&game=great-harbour")["rows"]
        assert any("fire none → yes" in row["text"] for row in found)

    def test_record_links_to_its_order_and_game(self, datasette: Any) -> None:
        row = get(datasette, "/audit.json?_shape=objects&_labels=on&game=great-harbour&position=305")["rows"][0]
        assert row["game"] == {"value": "great-harbour", "label": "great-harbour"}
        assert row["order_id"]["label"].startswith("Syracuse ")
        assert row["order_id"]["label"] == Naming("syracuse-3")
        page = get(datasette, "/audit?game=great-harbour&position=305")
        links = set(re.findall(rf'href="{BASE}(/(?:orders|game)/[^"?]+)"', page))
        assert links == {f"/orders/{row['order_id']['value']}", "/game/great-harbour"}
        assert "14 rows" in "".join(get(datasette, link) for link in links)
