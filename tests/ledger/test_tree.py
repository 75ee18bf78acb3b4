"""The tree is RFC 6962's, checked against the RFC's own test data and not only against ourselves."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, strategies as st

from tests.face.ledger import Checkpoint, CompactRange

# Inputs and roots of the certificate-transparency reference tests (merkle_tree_test.cc), sizes 0 to 8.
INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [hashlib.sha256(b"\x00" + bytes.fromhex(text)).digest() for text in INPUTS]


def naive_root(leaves: list[bytes]) -> bytes:
    """RFC 6962 section 2.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + naive_root(leaves[:k]) + naive_root(leaves[k:])).digest()


class TestKnownAnswers:
    @pytest.mark.parametrize("size", range(9))
    def test_well_known_leaves_have_published_roots(self, size: int) -> None:
        assert CompactRange().grow(LEAVES[:size]).root().hex() == ROOTS[size]

    def test_naive_root_equals_published_roots(self) -> None:
        assert [naive_root(LEAVES[:size]).hex() for size in range(9)] == ROOTS


class TestEdge:
    @given(st.integers(0, 130), st.integers(0, 130))
    def test_growing_in_two_goes_is_growing_in_one(self, first: int, more: int) -> None:
        leaves = [hashlib.sha256(b"%d" % n).digest() for n in range(first + more)]
        edge = CompactRange().grow(leaves[:first]).grow(leaves[first:])
        assert edge.root() == naive_root(leaves)
        assert len(edge.peaks) == edge.size.bit_count()

    def test_growing_leaves_the_old_edge_as_it_was(self) -> None:
        old = CompactRange().grow(LEAVES[:5])
        old.grow(LEAVES[5:])
        assert old.root().hex() == ROOTS[5]

    @given(st.integers(0, 70), st.binary(max_size=5))
    def test_compact_range_is_encoded_and_decoded(self, size: int, behind: bytes) -> None:
        edge = CompactRange().grow(LEAVES[n % 8] for n in range(size))
        raw = edge.encode()
        assert CompactRange.decode(raw + behind) == (edge, len(raw))

    @pytest.mark.parametrize("raw", [b"", b"\0" * 7, b"\0" * 7 + b"\1" + b"x" * 31])
    def test_truncated_compact_range_is_refused(self, raw: bytes) -> None:
        with pytest.raises(ValueError, match="compact range"):
            CompactRange.decode(raw)


class TestCheckpoint:
    def test_checkpoint_text_has_three_lines(self) -> None:
        checkpoint = Checkpoint(game="syracuse-1", size=8, root=bytes.fromhex(ROOTS[8]))
        assert checkpoint.text() == "umpire/syracuse-1\n8\nXcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\n"
        assert Checkpoint.read(checkpoint.text()) == checkpoint

    @pytest.mark.parametrize(
        "damage",
        [
            lambda text: text[:-1],
            lambda text: text + "more\n",
            lambda text: text.replace("umpire/", ""),
            lambda text: text.replace("\n8\n", "\n+8\n"),
            lambda text: text.replace("\n8\n", "\n 8\n"),
            lambda text: text.replace("\n8\n", "\neight\n"),
            lambda text: text.replace("Xcna", "Xcn"),
            lambda text: text.replace("Xcna", ""),
            lambda text: "",
        ],
    )
    def test_any_other_spelling_is_refused(self, damage: object) -> None:
        text = Checkpoint(game="g", size=8, root=bytes.fromhex(ROOTS[8])).text()
        assert callable(damage)
        with pytest.raises(ValueError, match="not a checkpoint"):
            Checkpoint.read(damage(text))
