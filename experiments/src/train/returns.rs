//! What a critic learns from games: [`Returns`].

use azulejo::record::End;
use azulejo::{MAX_PLAYERS, Move, PerPlayer, Record, Seat, Turn};
use azulejo_agents::Playable;
use azulejo_agents::neural::{Critic, Example};

use super::search_values::results;

/// How the points that a critic should have expected are put together.
///
/// A critic is asked where searches stop: at chance nodes. A game's final points are what such a state came
/// to, but also all the luck of what followed; the points that are expected at the next chance node have much
/// less of it and nearly all that the state itself decides. The λ-return (Sutton 1988) mixes both: Gᵢ = (1 −
/// λ) · Vᵢ₊₁ + λ · Gᵢ₊₁, where V are the points expected at the game's chance nodes and the last G are the
/// final points.
#[derive(Debug)]
pub(super) struct Returns<G: Playable> {
    /// λ, 0 to 1.
    pub lambda: f32,
    /// Says what is expected.
    pub critic: Critic<G>,
}

/// A chance node of a game.
struct Stop {
    example: Example,
    /// The points that the game's own value expects of each seat, and those that it expects with the
    /// corrections.
    own: PerPlayer<f32>,
    expected: PerPlayer<f32>,
    /// The seats in the order of the example's entries.
    seats: Vec<Seat>,
}

impl<G: Playable> Returns<G> {
    /// The examples of a game, one for each chance node that follows an action; none if it was not played to
    /// its end.
    ///
    /// Their points to come are what is to be added to the game's own value.
    ///
    /// # Errors
    /// If the record is for another game, or a move in it is not allowed.
    pub(super) fn examples(
        &mut self,
        record: &Record,
        rules: &'static G::Rules,
    ) -> Result<Vec<Example>, String> {
        if record.end != End::Finished {
            return Ok(Vec::new());
        }
        let mut stops = self.stops(record, rules)?;
        let scores = PerPlayer::from_fn(record.players, |seat| f32::from(record.scores[seat.index()]));
        let mut next: Option<(PerPlayer<f32>, PerPlayer<f32>)> = None;
        for stop in stops.iter_mut().rev() {
            let lambda = self.lambda;
            let returns = match &next {
                None => scores,
                Some((expected, returns)) => PerPlayer::from_fn(record.players, |seat| {
                    expected[seat] + lambda * (returns[seat] - expected[seat])
                }),
            };
            for (place, &seat) in stop.seats.iter().enumerate() {
                stop.example.points_to_come[place] = returns[seat] - stop.own[seat];
            }
            next = Some((stop.expected, returns));
        }
        Ok(stops.into_iter().map(|stop| stop.example).collect())
    }

    fn stops(&mut self, record: &Record, rules: &'static G::Rules) -> Result<Vec<Stop>, String> {
        let judge = G::judge(rules, record.players, &G::ValueWeights::default());
        let history = record.history::<G>(rules).map_err(|error| error.to_string())?;
        let decided = history.replay().filter(|ply| matches!(ply.played, Move::Action(_)));
        let stops = decided.map(|ply| ply.after).filter(|state| state.turn() == Turn::Chance);
        Ok(stops.map(|state| self.stop(&state, &judge, record)).collect())
    }

    fn stop(&mut self, state: &G, judge: &G::Judge, record: &Record) -> Stop {
        let own = self.critic.look(state, judge);
        let expected = self.critic.corrected(state, own);
        let seats: Vec<_> = state.viewpoint().around(record.players).collect();
        let (results, mut wins) = (results(record), [0.0; MAX_PLAYERS]);
        for (win, seat) in wins.iter_mut().zip(&seats) {
            *win = results[seat.index()];
        }
        let example = Example {
            features: self.critic.features().to_vec(),
            policy: Vec::new(),
            players: record.players,
            wins,
            points_to_come: [0.0; MAX_PLAYERS],
        };
        Stop { example, own, expected, seats }
    }
}
