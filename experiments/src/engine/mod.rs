//! The engine protocol: a program that knows positions and answers with moves, line by line, in the manner of
//! chess engines. `docs/protocol.md` describes it.

mod board;
mod command;
mod session;

pub use session::serve;
