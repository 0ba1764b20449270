//! Exact, fast, allocation-free engine for the Azul family of board games.
//!
//! Every game implements [`Game`]: a state is a plain value that stops at each chance node, lists its legal
//! actions into the caller's buffer and allocates nothing in play. Variants are rules data; 2 to 4 players
//! sit at the table.
//!
//! A random game of a game that is known at compile time:
//!
//! ```
//! use azulejo::azul::{Azul, AzulRules};
//! use azulejo::{Game, Generator, Turn, intern};
//!
//! let mut rng = Generator::new(1);
//! let (mut state, mut buffer) = (Azul::new(intern(AzulRules::default()), 2), Vec::new());
//! while state.turn() != Turn::Over {
//!     state.play_random(&mut rng, &mut buffer);
//! }
//! assert_eq!(state.wins().as_slice().iter().sum::<f64>(), 1.0);
//! ```
//!
//! Something done with any game, named at run time by its spec:
//!
//! ```
//! use azulejo::{Game, GameSpec, with_game};
//!
//! fn count_actions<G: Game>(rules: &'static G::Rules) -> usize {
//!     let mut state = G::new(rules, 2);
//!     while state.turn() == azulejo::Turn::Chance {
//!         state.play_chance(&mut azulejo::Generator::new(1));
//!     }
//!     let mut actions = Vec::new();
//!     state.legal_actions(&mut actions);
//!     actions.len()
//! }
//!
//! let game: GameSpec = "azul:gray".parse()?;
//! let actions = with_game!(game, |rules: &'static G::Rules| count_actions::<G>(rules));
//! assert!((54..=120).contains(&actions));
//! # Ok::<(), azulejo::SpecError>(())
//! ```
//!
//! Moves as text, and what is refused:
//!
//! ```
//! use azulejo::azul::{Azul, AzulRules};
//! use azulejo::{Game, intern};
//!
//! let mut state = Azul::new(intern(AzulRules::default()), 2);
//! state.play_token("DBBYR/KKWW/BYRK/RRRR/BWWW")?;
//! state.play_token("4R4")?;
//! let error = state.play_token("4R4").unwrap_err();
//! assert_eq!(error.to_string(), "that source holds no tile of that color");
//! # Ok::<(), azulejo::MoveError>(())
//! ```
//!
//! [`History`] is the course of a game, [`record`] its written form: records are written, read and verified
//! there. [`testing`] checks games, [`for_each_game`] is the registry.
#![forbid(unsafe_code)]

#[macro_use]
mod registry;
#[macro_use]
pub mod abilities;

pub mod azul;
pub mod bits;
mod changes;
mod colors;
mod consistency;
mod encode;
mod error;
pub mod factories;
mod game;
mod history;
mod index;
mod json;
mod key;
mod player;
pub mod queens_garden;
pub mod record;
pub mod seed;
mod spec;
mod suggestion;
pub mod summer_pavilion;
mod supply;
pub mod testing;
pub mod tiles;

pub use changes::{Changes, RuleEffect, RuleKey, RuleValues};
pub use encode::{Encode, Parts, encoding_hash, fingerprint, former_encodings};
pub use error::{
    IllegalMove, MoveError, NotationError, RuleViolation, SpecError, StateError, excerpt, printable,
    shortened,
};
pub use game::{Game, Rules, Turn};
pub use history::{History, Move, Ply};
pub use index::Indexed;
pub use key::Keyed;
pub use player::{MAX_PLAYERS, PerPlayer, Seat, leaders};
pub use record::{End, Record};
pub use registry::GameSpec;
pub use seed::Generator;
pub use spec::{
    MOST_RULES, changed_keys, changed_rules, check_players, check_seats, intern, names, rules_of, spec_of,
    variant_of, variants, widest,
};
pub use suggestion::suggestion;
