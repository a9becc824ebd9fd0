"""The optional graph in Neo4j: events, notes and where they came from, derived from journal and vault.

The driver takes 190 ms to import, so only `connection` does, and only when a connection is opened.
"""
