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
mod consistency;
mod encode;
mod json;
mod key;
mod rules;
mod state;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;
mod variant;
mod wall;

pub use actions::{Action, Deal};
pub use state::{Azul, Board, Floor, Line, Phase};
pub use variant::{AzulRules, WallSide};
pub use wall::Wall;

use crate::colors::colors;
pub use crate::factories::{CENTER, FACTORY_TILES, MAX_FACTORIES, SOURCES};

/// The number of colors, of wall rows and of pattern lines.
pub const COLORS: usize = 5;
/// Tiles of each color.
pub const TILES_PER_COLOR: u8 = 20;
/// Spaces of a floor line.
pub const FLOOR_SPACES: usize = 7;

colors! {
    /// A tile's color.
    Blue = "B", Yellow = "Y", Red = "R", Black = "K", White = "W",
}
