//! Azul: Queen's Garden: acquire tiles and garden expansions, plant a garden of hexagons, surround its
//! ornaments.
//!
//! The notation of actions, the variants, the rules file and the decisions where the sources are silent are
//! in `docs/queens-garden.md`.
//!
//! A turn consists of several actions of the same player: what to place, where, and how to pay. Where only
//! one continuation is possible it is carried out at once.
//!
//! ```
//! use azulejo::queens_garden::{QueensGarden, QueensGardenRules};
//! use azulejo::{Game, Generator, Turn, intern};
//!
//! let mut game = QueensGarden::new(intern(QueensGardenRules::default()), 2);
//! assert_eq!(game.turn(), Turn::Chance);
//! game.play_token("FY1,B4,B4,V6")?;
//! game.play_token("acq:B")?;
//! assert_eq!(game.turn(), Turn::Chance);
//! let refusal = game.play_token("F-").unwrap_err();
//! assert_eq!(refusal.to_string(), "the stack's top gets 4 tiles as long as bag and tower have any");
//! # Ok::<(), azulejo::MoveError>(())
//! ```

mod actions;
mod choices;
mod consistency;
mod counts;
mod encode;
mod garden;
mod json;
mod key;
mod kind;
mod place;
mod rules;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod variant;

pub use actions::{Action, Outcome, Selection};
pub use counts::{TILES_PER_KIND, TileCounts};
pub use garden::{Area, Garden};
pub use kind::{COLORS, Color, KINDS, Kind, KindSet, LETTERS, PATTERNS, Pattern, PerLine};
pub use place::{AREAS, AROUND_GAP, PLACES, Place, gap_hex, neighbors, ring};
pub use state::{Board, Pending, Phase, QueensGarden, Slot};
pub use variant::{JokerAwards, Ornament, QueensGardenRules, Side, Wheel};

/// The game's id in specs.
const GAME_ID: &str = "queens-garden";
/// The number of rounds.
pub const ROUNDS: usize = 4;
/// Spaces of a storage for tiles and jokers together.
pub const STORAGE_TILES: u8 = 12;
/// Spaces of a storage for expansions.
pub const STORAGE_EXPANSIONS: u8 = 2;
/// Tiles that a stack's top gets.
pub const TOP_TILES: u8 = 4;
/// The most slots of a display: all expansions of a round, of which four stacks leave some in the supply.
pub const MAX_SLOTS: usize = 8;
