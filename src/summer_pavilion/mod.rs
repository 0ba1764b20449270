//! Azul: Summer Pavilion: draft tiles around a wild color, then pay for places on seven stars.
//!
//! The rules as implemented, the notation of actions and the decisions where the rulebook is silent are in
//! `docs/summer-pavilion.md`.
//!
//! ```
//! use azulejo::summer_pavilion::{Color, SummerPavilion, SummerPavilionRules};
//! use azulejo::{Game, Generator, Turn, intern};
//!
//! let mut game = SummerPavilion::new(intern(SummerPavilionRules::default()), 2);
//! let mut rng = Generator::new(7);
//! game.play_chance(&mut rng); // ten tiles into the supply,
//! game.play_chance(&mut rng); // then four to each factory
//! assert_eq!(game.turn(), Turn::Player(game.starting_seat()));
//! assert_eq!(game.wild(), Color::Purple);
//! let mut actions = Vec::new();
//! game.legal_actions(&mut actions);
//! game.apply(actions[0]);
//! assert_eq!(game.scores().as_slice(), [5, 5]);
//! ```

mod actions;
mod board;
mod consistency;
mod encode;
mod json;
mod key;
mod payment;
mod rules;
mod slot;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod variant;

pub use actions::{Action, Deal, Outcome};
pub use board::Board;
pub use slot::{Feature, FeatureKind, Slot};
pub use state::{Phase, SummerPavilion};
pub use variant::{BoardSide, SummerPavilionRules, WildOrder};

use crate::colors::colors;
pub use crate::factories::{CENTER, FACTORY_TILES, MAX_FACTORIES, SOURCES};

/// The number of colors.
pub const COLORS: usize = 6;
/// Tiles of each color.
pub const TILES_PER_COLOR: u8 = 22;
/// Stars of a board: one for each color, then the center star.
pub const STARS: usize = COLORS + 1;
/// The letters of the stars in order.
pub const STAR_LETTERS: &str = "ORBYGPC";
/// The number of the center star among the stars.
pub const CENTER_STAR: usize = COLORS;
/// Slots of a star.
pub const STAR_SLOTS: usize = 6;
/// Slots of a board.
pub const SLOTS: usize = STARS * STAR_SLOTS;

colors! {
    /// A tile's color; in order clockwise around the board.
    Orange = "O", Red = "R", Blue = "B", Yellow = "Y", Green = "G", Purple = "P",
}
