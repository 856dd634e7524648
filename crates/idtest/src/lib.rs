//! Oracles, seeded randomness, vectors and fuzz bodies for the tests of the workspace.
