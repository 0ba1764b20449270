//! Exact, fast, allocation-free engine for the Azul family of board games.
#![forbid(unsafe_code)]

pub mod azul;
mod bitlist;
mod encode;
mod error;
mod game;
mod json;
mod player;
pub mod queens_garden;
pub mod record;
pub mod seed;
mod spec;
pub mod summer_pavilion;
pub mod testing;
pub mod tiles;

pub use encode::Indexed;
pub use error::{MoveError, NotationError, Refusal, SpecError, StateError, excerpt};
pub use game::{Game, Rules, Turn};
pub use player::{MAX_PLAYERS, PerPlayer, Seat, leaders};
pub use record::{End, Record};
pub use seed::Generator;
pub use spec::{GameSpec, GameVisitor, check_players, intern, spec_of};
