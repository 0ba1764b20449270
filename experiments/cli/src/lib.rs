//! azulejo at a terminal: the commands of the program, games drawn and told in words, a person at the table,
//! games looked at again.
//!
//! What is special for a game is its [`GameDisplay`](display::GameDisplay), one file a game; a game without
//! one is shown as its states print. With it another crate can let persons [`play`] a game of its own.
#![forbid(unsafe_code)]

mod abilities;
mod commands;
pub mod display;
mod output;
pub mod play;
mod review;
mod terminal;

pub use commands::main;
