//! The engine: a program that knows positions and answers with moves, line by line, in the manner of chess
//! engines. `docs/protocol.md` describes it; [`azulejo_agents::protocol`] has the words.

mod backlog;
mod board;
pub mod check;
mod session;

pub use session::serve;
