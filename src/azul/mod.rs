//! Azul and Azul Mini: draft tiles of one color, fill pattern lines, tile the wall.
//!
//! The rules, the notation of actions and the decisions where the rulebooks are silent are in `docs/azul.md`.
//!
//! ```
//! use azulejo::azul::{Action, Azul, AzulRules};
//! use azulejo::{Game, Generator, Turn, intern};
//!
//! let mut game = Azul::new(intern(AzulRules::default()), 2);
//! assert_eq!(game.turn(), Turn::Chance);
//! game.play_chance(&mut Generator::new(7));
//! let mut actions = Vec::new();
//! game.legal_actions(&mut actions);
//! let action: Action = actions[0];
//! game.apply(action);
//! assert_eq!(game.scores().as_slice(), [0, 0]);
//! ```

mod actions;
mod json;
mod rules;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod variant;
mod wall;

pub use actions::{Action, Deal};
pub use state::{Azul, Board, Floor, Phase};
pub use variant::{AzulRules, WallSide};
pub use wall::Wall;

use std::fmt;

/// The number of colors, of wall rows and of pattern lines.
pub const COLORS: usize = 5;
/// The letters of the colors in order: blue, yellow, red, black, white.
pub const LETTERS: &str = "BYRKW";
/// Tiles of each color.
pub const TILES_PER_COLOR: u8 = 20;
/// Tiles dealt to a factory.
pub const FACTORY_TILES: u8 = 4;
/// The most factories: those of 4 players.
pub const MAX_FACTORIES: usize = 9;
/// Places that tiles are taken from: the center, number 0, and the factories from 1.
pub const SOURCES: usize = MAX_FACTORIES + 1;
/// The number of the center among the sources.
pub const CENTER: usize = 0;
/// Spaces of a floor line.
pub const FLOOR_SPACES: usize = 7;

/// A tile's color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// `B`
    #[default]
    Blue,
    /// `Y`
    Yellow,
    /// `R`
    Red,
    /// `K`
    Black,
    /// `W`
    White,
}

impl Color {
    /// All colors in order.
    pub const ALL: [Color; COLORS] = [Color::Blue, Color::Yellow, Color::Red, Color::Black, Color::White];

    /// The color's number, 0 to 4.
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
