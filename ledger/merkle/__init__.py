"""The Merkle tree of a game: compact ranges, inclusion and consistency proofs.

Imports `ledger/records`.
"""
