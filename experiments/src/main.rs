//! azulejo.
fn main() {}
