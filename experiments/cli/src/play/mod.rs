//! A person at the table: the model of a game in play and two fronts over it, a full screen and plain
//! prompts.
//!
//! `GameTable` holds the game without any input or output: seats, moves, undo, save and load.
//! [`TableAgents`] are the agents that play or advise. [`prompt`] talks in lines of text; [`screen`] fills a
//! terminal, with the agents thinking in the background.

pub(crate) mod advice;
mod background;
mod choices;
mod command;
mod deal_source;
mod player;
pub mod prompt;
mod result;
pub mod screen;
mod session;
mod table;
mod table_agents;

pub use deal_source::DealSource;
pub(crate) use player::recorded;
pub use player::{Player, SeatingError, seated};
pub use session::{Evaluation, PlayError, Session, SessionSettings};
pub use table_agents::TableAgents;
