//! Benchmarks of engine and agents: `cargo bench -p azulejo-benches`. They live in a crate of their own so
//! that the engine does not depend on their tools.
