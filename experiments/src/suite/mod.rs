//! Positions with the values of all their actions, and how agents choose in them: a bench of strength that needs no opponent and
//! does not drift.
//!
//! Each game has a [`Suite`] of each [`Tier`] that comes with the library. [`SuiteScore`] is what an agent loses in it.

mod games;
mod making;
mod position;
mod round_before;
mod score;
#[cfg(test)]
mod tests;

use std::io;

use azulejo::GameSpec;

pub use games::{MakingError, SuiteGames};
pub use making::SuiteMaker;
pub use position::{ExpectedMove, PositionSource, SolvedMove, SuitePosition, Values};
pub use round_before::RoundBeforeMaker;
pub use score::{SuiteError, SuiteLosses, SuiteScore};

/// What a suite's positions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// Ends of games in which no chance is left: every action is solved.
    Ends,
    /// Positions of the round before the last one: every action was played to the end on common chances.
    RoundBefore,
}

impl Tier {
    /// All tiers.
    pub const ALL: [Tier; 2] = [Tier::Ends, Tier::RoundBefore];
}

/// The suites by the ids of their games, in the order of [`Tier::ALL`].
const SUITES: [(&str, [&[u8]; 2]); 3] = [
    (
        "azul",
        [
            include_bytes!("../../suites/azul.jsonl.zst"),
            include_bytes!("../../suites/azul-round-before.jsonl.zst"),
        ],
    ),
    (
        "summer-pavilion",
        [
            include_bytes!("../../suites/summer-pavilion.jsonl.zst"),
            include_bytes!("../../suites/summer-pavilion-round-before.jsonl.zst"),
        ],
    ),
    (
        "queens-garden",
        [
            include_bytes!("../../suites/queens-garden.jsonl.zst"),
            include_bytes!("../../suites/queens-garden-round-before.jsonl.zst"),
        ],
    ),
];

/// The most bytes that a suite has when it is not compressed.
const MOST: usize = 16 << 20;

/// Positions of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// The game's id.
    pub game: &'static str,
    /// What the positions are.
    pub tier: Tier,
    /// The positions, in the order of the games that they are from.
    pub positions: Vec<SuitePosition>,
}

impl Suite {
    /// The ids of the games that have a suite.
    pub const GAMES: [&'static str; 3] = [SUITES[0].0, SUITES[1].0, SUITES[2].0];

    /// The suite of a game; `None` if it has none.
    pub fn of(game: &str, tier: Tier) -> Option<Self> {
        let (game, tiers) = SUITES.iter().find(|suite| suite.0 == game)?;
        let packed = tiers[tier as usize];
        let lines = zstd::bulk::decompress(packed, MOST).expect("a suite is compressed as it was written");
        let lines = String::from_utf8(lines).expect("a suite is text");
        let positions = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        Some(Suite { game, tier, positions: positions.expect("a suite has a position a line") })
    }

    /// The positions as they are kept: a line each, compressed.
    ///
    /// # Errors
    /// If there is no memory to compress them in.
    pub fn packed(positions: &[SuitePosition]) -> io::Result<Vec<u8>> {
        let lines = positions.iter().map(|position| serde_json::to_string(position).map(|line| line + "\n"));
        zstd::bulk::compress(lines.collect::<Result<String, _>>()?.as_bytes(), 19)
    }

    /// The games' specs that occur.
    ///
    /// # Errors
    /// A spec that no game has.
    pub fn specs(&self) -> Result<Vec<GameSpec>, azulejo::SpecError> {
        let mut specs: Vec<GameSpec> = Vec::new();
        for position in &self.positions {
            let spec = position.game.parse()?;
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
        Ok(specs)
    }
}
