//! Where a player's points came from: every point of a game, told apart by what it was given for.
//!
//! ```
//! use azulejo::azul::{Azul, AzulRules};
//! use azulejo::{Game, Generator, Turn, intern};
//! use azulejo_agents::Move;
//! use azulejo_experiments::sources::Ledger;
//!
//! let mut rng = Generator::new(1);
//! let mut state = Azul::new(intern(AzulRules::default()), 2);
//! let mut ledger = Ledger::new(&state);
//! while state.turn() != Turn::Over {
//!     let before = state;
//!     let played = match state.turn() {
//!         Turn::Chance => Move::Chance(state.sample_chance(&mut rng)),
//!         _ => Move::Action(state.random_action(&mut rng, &mut Vec::new())),
//!     };
//!     played.play(&mut state);
//!     ledger.follow(&before, &played, &state);
//! }
//! assert_eq!(ledger.totals(), state.scores());
//! ```

mod azul;
mod queens_garden;
mod summer_pavilion;
#[cfg(test)]
mod tests;

use azulejo::{Game, PerPlayer, Seat};
use azulejo_agents::Move;

/// A game that can tell what points were given for.
pub trait PointSources: Game {
    /// The names of the sources in the order in which a table lists them.
    const SOURCES: &'static [&'static str];

    /// Books the points that the players have in the state in which a game starts.
    fn book_start(start: &Self, ledger: &mut Ledger) {
        _ = (start, ledger);
    }

    /// Books what the move that led from `before` to `after` gave and took, final scoring included.
    fn book(before: &Self, played: &Move<Self>, after: &Self, ledger: &mut Ledger);
}

/// The points of all seats by source; together they are the scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    names: &'static [&'static str],
    /// In the order of the names.
    points: Vec<PerPlayer<i16>>,
}

impl Ledger {
    /// The ledger of a game that begins.
    pub fn new<G: PointSources>(start: &G) -> Self {
        let points = vec![PerPlayer::splat(start.players(), 0); G::SOURCES.len()];
        let mut ledger = Ledger { names: G::SOURCES, points };
        G::book_start(start, &mut ledger);
        ledger
    }

    /// Books the points of a move.
    pub fn follow<G: PointSources>(&mut self, before: &G, played: &Move<G>, after: &G) {
        G::book(before, played, after, self);
    }

    /// Adds points (or, below 0, takes them away) of one source, by its place among the names.
    fn add(&mut self, seat: Seat, source: usize, points: i16) {
        self.points[source][seat] += points;
    }

    /// The sources in their order with the points of each seat.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, &PerPlayer<i16>)> {
        self.names.iter().copied().zip(&self.points)
    }

    /// The points of each seat over all sources.
    pub fn totals(&self) -> PerPlayer<i16> {
        let players = self.points.first().map_or(0, PerPlayer::players);
        PerPlayer::from_fn(players, |seat| self.points.iter().map(|points| points[seat]).sum())
    }
}

/// What a deduction (`points` is not positive) takes from a score that does not fall below a floor.
fn deducted(score: i16, points: i16, floor: i16) -> i16 {
    (score + points).max(floor) - score
}
