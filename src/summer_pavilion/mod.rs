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
mod json;
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

use std::fmt;

/// The number of colors.
pub const COLORS: usize = 6;
/// The letters of the colors in order, clockwise around the board: orange, red, blue, yellow, green, purple.
pub const LETTERS: &str = "ORBYGP";
/// Tiles of each color.
pub const TILES_PER_COLOR: u8 = 22;
/// Tiles dealt to a factory.
pub const FACTORY_TILES: u8 = 4;
/// The most factories: those of 4 players.
pub const MAX_FACTORIES: usize = 9;
/// Places that tiles are taken from: the center, number 0, and the factories from 1.
pub const SOURCES: usize = MAX_FACTORIES + 1;
/// The number of the center among the sources.
pub const CENTER: usize = 0;
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

/// A tile's color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// `O`
    #[default]
    Orange,
    /// `R`
    Red,
    /// `B`
    Blue,
    /// `Y`
    Yellow,
    /// `G`
    Green,
    /// `P`
    Purple,
}

impl Color {
    /// All colors in order.
    pub const ALL: [Color; COLORS] =
        [Color::Orange, Color::Red, Color::Blue, Color::Yellow, Color::Green, Color::Purple];

    /// The color's number, 0 to 5.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The color's letter.
    pub fn letter(self) -> char {
        LETTERS.as_bytes()[self.index()] as char
    }

    /// The color with this letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        LETTERS.find(letter).map(|index| Color::ALL[index])
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
