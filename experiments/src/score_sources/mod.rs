//! Where a player's points came from: every point of a game, told apart by what it was given for.
//!
//! ```
//! use azulejo::azul::{Azul, AzulRules};
//! use azulejo::{Game, Generator, History, Move, Turn, intern};
//! use azulejo_experiments::score_sources::ScoreBreakdown;
//!
//! let (mut rng, mut buffer) = (Generator::new(1), Vec::new());
//! let mut history = History::<Azul>::new(intern(AzulRules::default()), 2);
//! while history.state().turn() != Turn::Over {
//!     history.push(Move::draw(history.state(), &mut rng, &mut buffer))?;
//! }
//! assert_eq!(ScoreBreakdown::of(&history).totals(), history.state().scores());
//! # Ok::<(), azulejo::MoveError>(())
//! ```

mod azul;
mod queens_garden;
mod summer_pavilion;
#[cfg(test)]
mod tests;

use azulejo::{History, Move, PerPlayer, Ply, Seat};

use crate::game_habits::GameHabits;

/// A game that can tell what points were given for. As it is provided, all points are of one source.
pub trait ScoreSources: GameHabits {
    /// The names of the sources in the order in which a table lists them.
    const SOURCES: &'static [&'static str] = &["points"];

    /// The names of the sources that there are under these rules, the first ones of all.
    fn sources(rules: &Self::Rules) -> &'static [&'static str] {
        _ = rules;
        Self::SOURCES
    }

    /// Attributes the points that the players have in the state in which a game starts; as it is provided, to
    /// the first source.
    fn attribute_start(start: &Self, breakdown: &mut ScoreBreakdown) {
        start.scores().iter().for_each(|(seat, score)| breakdown.add(seat, 0, *score));
    }

    /// Attributes what the move that led from `before` to `after` gave and took, final scoring included; as
    /// it is provided, to the first source.
    fn attribute(before: &Self, played: &Move<Self>, after: &Self, breakdown: &mut ScoreBreakdown) {
        _ = played;
        let (was, is) = (before.scores(), after.scores());
        Seat::all(after.players()).for_each(|seat| breakdown.add(seat, 0, is[seat] - was[seat]));
    }
}

/// The points of all seats by source; together they are the scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreBreakdown {
    names: &'static [&'static str],
    /// In the order of the names.
    points: Vec<PerPlayer<i16>>,
}

impl ScoreBreakdown {
    /// The breakdown of a game that begins.
    pub(crate) fn new<G: ScoreSources>(start: &G) -> Self {
        let names = G::sources(start.rules());
        let points = vec![PerPlayer::splat(start.players(), 0); names.len()];
        let mut breakdown = ScoreBreakdown { names, points };
        G::attribute_start(start, &mut breakdown);
        breakdown
    }

    /// The breakdown of all points of a game so far.
    pub fn of<G: ScoreSources>(history: &History<G>) -> Self {
        let mut breakdown = ScoreBreakdown::new(history.start());
        history.replay().for_each(|ply| breakdown.follow(&ply));
        breakdown
    }

    /// Attributes the points of a move.
    pub(crate) fn follow<G: ScoreSources>(&mut self, ply: &Ply<'_, G>) {
        G::attribute(&ply.before, ply.played, &ply.after, self);
    }

    /// Adds points (or, below 0, takes them away) of one source, by its place among the names.
    pub(crate) fn add(&mut self, seat: Seat, source: usize, points: i16) {
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
