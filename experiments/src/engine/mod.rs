//! The engine protocol: a program that knows positions and answers with moves, line by line, in the manner of
//! chess engines. `docs/protocol.md` describes it.

mod backlog;
mod board;
pub mod check;
mod command;
mod session;

pub use session::serve;
