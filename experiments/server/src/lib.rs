//! A board in the browser: a small server on this machine alone that plays, analyzes and reviews games and shows what runs have
//! come to, by calls in JSON, and the page that makes them.
//!
//! [`Server`] listens; what it answers lies in `calls/`, one file a call. It keeps nothing between calls: each brings
//! the whole course of its game. Searches run on threads of their own, of which there are few; who comes too much is told so.
//! What is kept from it is in `guard.rs` (who may ask), `agents.rs` (which agents may be asked for) and `files.rs`
//! (which files are read).
#![forbid(unsafe_code)]

mod agents;
mod answer;
mod calls;
mod course;
mod files;
mod guard;
mod listen;
mod page;
mod report;
mod runs;
mod search;

pub use guard::{Token, TokenError};
pub use listen::{ServeError, ServeSettings, Server};
