//! What a critic learns from games: [`Returns`].

use azulejo::record::End;
use azulejo::{History, MAX_PLAYERS, Move, PerPlayer, Ply, Record, Seat, Turn};
use azulejo_agents::Playable;
use azulejo_agents::neural::{Critic, Example};

use super::random_moves::RandomMoves;
use super::search_values::results;

/// How the points that a critic should have expected are put together.
///
/// A critic is asked where searches stop: at chance nodes that are valued as they are. A game's final points are what such a state came
/// to, but also all the luck of what followed; the points that are expected at the next chance node have much
/// less of it and nearly all that the state itself decides. The λ-return (Sutton 1988) mixes both: Gᵢ = (1 −
/// λ) · Vᵢ₊₁ + λ · Gᵢ₊₁, where V are the points expected at the game's chance nodes and the last G are the
/// final points.
///
/// What is expected supposes good play, so no return runs through a move that was drawn at random: the last chance node
/// before it has none and teaches nothing, and for those before that one it is the last, with G = V.
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
    /// The number of the game's next move.
    ply: usize,
}

impl<G: Playable> Returns<G> {
    /// The examples of a game, one for each chance node that follows an action, but those from which the next one is
    /// reached by a random move; none if it was not played to its end.
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
        let history = record.history::<G>(rules).map_err(|error| error.to_string())?;
        let (random, mut stops) = (RandomMoves::of(record, &history), self.stops(record, &history));
        let scores = PerPlayer::from_fn(record.players, |seat| f32::from(record.scores[seat.index()]));
        // The next stop's move, and what is expected and returned there.
        let mut next = (record.moves.len(), scores, scores);
        for stop in stops.iter_mut().rev() {
            let (end, expected, returns) = next;
            let lambda = self.lambda;
            next = if random.next(stop.ply).is_some_and(|random| random < end) {
                (stop.ply, stop.expected, stop.expected)
            } else {
                let returns = PerPlayer::from_fn(record.players, |seat| {
                    expected[seat] + lambda * (returns[seat] - expected[seat])
                });
                let mut points = [0.0; MAX_PLAYERS];
                for (point, &seat) in points.iter_mut().zip(&stop.seats) {
                    *point = returns[seat] - stop.own[seat];
                }
                stop.example.points_to_come = Some(points);
                (stop.ply, stop.expected, returns)
            };
            stop.example.wins = stop.example.wins.filter(|_| random.next(stop.ply).is_none());
        }
        let examples = stops.into_iter().map(|stop| stop.example);
        Ok(examples.filter(|example| example.points_to_come.is_some()).collect())
    }

    fn stops(&mut self, record: &Record, history: &History<G>) -> Vec<Stop> {
        let judge = G::judge(history.state().rules(), record.players, &G::ValueWeights::default());
        let decided = history.replay().enumerate().filter(|(_, ply)| matches!(ply.played, Move::Action(_)));
        let stops = decided.map(|(ply, Ply { after, .. })| (ply + 1, after));
        let stops = stops.filter(|(_, state)| state.turn() == Turn::Chance && state.horizon().is_none());
        stops.map(|(ply, state)| self.stop((ply, &state), &judge, record)).collect()
    }

    fn stop(&mut self, (ply, state): (usize, &G), judge: &G::Judge, record: &Record) -> Stop {
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
            wins: Some(wins),
            points_to_come: None,
        };
        Stop { example, own, expected, seats, ply }
    }
}
