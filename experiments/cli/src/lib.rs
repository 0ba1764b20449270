//! azulejo at a terminal: games drawn and told in words, a person at the table, games looked at again.
//!
//! What is special for a game is its [`display::GameDisplay`], one file a game; a game without one is shown
//! as its states print. [`play`] seats persons beside agents, [`review`] judges recorded games, both line by
//! line or on a full screen ([`terminal`]). The commands of the program `azulejo` are made of these and of
//! [`azulejo_experiments`].
#![forbid(unsafe_code)]

pub mod abilities;
pub mod display;
pub mod play;
pub mod review;
pub mod terminal;
