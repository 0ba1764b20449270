//! How a game record becomes training data.
//!
//! Every state at which a player had a choice is an example, and so is every state at a chance node but those
//! before the first choice: networks judge these, too. A record's game is replayed; nothing is taken from it
//! but its moves, its result and what searches found.
//!
//! - The policy to learn is the improved one that a full search wrote down. In a record without any, an
//!   agent's game to imitate, it is the action that was played wherever a search was made. Other states teach
//!   no policy.
//! - The share of the win is the game's result, mixed with what a search found in the state
//!   ([`SearchValues`]); at a chance node, with what the search found right after it: the mean over the draws
//!   is what the state is worth.
//! - The points still to come are the final ones less those so far.
//!
//! Before a move that was drawn at random the result and the final points are not what play came to ([`Outcomes`]): the last
//! search before that move stands in for the result, and the points teach nothing. A state of which neither a policy
//! nor a share of the win is known is no example.

use std::collections::HashMap;

use azulejo::record::{Analysis, End};
use azulejo::{Encode, MAX_PLAYERS, Move, Parts, Ply, Record, Seat};
use azulejo_agents::neural::Example;

use super::outcomes::{Outcome, Outcomes};
use super::search_values::SearchValues;

/// An example, and where in its game it comes from.
pub(crate) struct ExampleRow {
    /// The ply that follows.
    pub ply: usize,
    /// The seat from whose point of view it is.
    pub seat: Seat,
    /// What is to be learned.
    pub example: Example,
}

/// The examples of a game; none if it was not played to its end.
///
/// `search_values` says how what searches found enters the targets for the win.
///
/// # Errors
/// If the record is for another game, or a move in it is not allowed.
pub(crate) fn examples<G: Encode>(
    record: &Record,
    rules: &'static G::Rules,
    search_values: SearchValues,
) -> Result<Vec<Example>, String> {
    Ok(example_rows::<G>(record, rules, search_values)?.into_iter().map(|row| row.example).collect())
}

/// The same with where each example comes from.
///
/// # Errors
/// The same.
pub(crate) fn example_rows<G: Encode>(
    record: &Record,
    rules: &'static G::Rules,
    search_values: SearchValues,
) -> Result<Vec<ExampleRow>, String> {
    let mut rows = Vec::new();
    if record.end != End::Finished {
        return Ok(rows);
    }
    let analyses = record.analysis.as_deref().unwrap_or_default();
    let imitated = analyses.iter().flatten().all(|analysis| analysis.policy.is_empty());
    let history = record.history::<G>(rules).map_err(|error| error.to_string())?;
    let outcomes = Outcomes::new(record, &history, search_values);
    let (mut legal, mut chosen) = (Vec::new(), false);
    for (ply, Ply { before, played, .. }) in history.replay().enumerate() {
        let analysis_at = |ply: usize| analyses.get(ply).and_then(Option::as_ref);
        let analysis = analysis_at(ply);
        before.legal_actions(&mut legal);
        let policy = match (played, analysis) {
            (Move::Outcome(_), _) if !chosen => continue,
            (Move::Action(_), _) if legal.len() == 1 => continue,
            (Move::Action(action), Some(_)) if imitated => {
                target(&before, &legal, |other| f32::from(u8::from(other == *action)))
            }
            (Move::Action(_), Some(analysis)) if !analysis.policy.is_empty() => {
                improved(&before, &legal, analysis)?
            }
            _ => Vec::new(),
        };
        chosen |= matches!(played, Move::Action(_));
        let searched = ply + usize::from(matches!(played, Move::Outcome(_)));
        let outcome = outcomes.of(ply, searched);
        if outcome.wins.is_some() || !policy.is_empty() {
            let example = example(&before, record.players, policy, outcome);
            rows.push(ExampleRow { ply, seat: before.viewpoint(), example });
        }
    }
    Ok(rows)
}

/// An example of a state.
fn example<G: Encode>(state: &G, players: usize, policy: Vec<(Parts, f32)>, outcome: Outcome<'_>) -> Example {
    let (viewpoint, scores) = (state.viewpoint(), state.scores());
    let in_turn_order = |of_seat: &dyn Fn(Seat) -> f32| {
        let mut entries = [0.0; MAX_PLAYERS];
        entries.iter_mut().zip(viewpoint.around(players)).for_each(|(entry, seat)| *entry = of_seat(seat));
        entries
    };
    let mut features = Vec::new();
    state.encode(&mut features);
    Example {
        features,
        policy,
        players,
        wins: outcome.wins.map(|wins| in_turn_order(&|seat| wins[seat.index()])),
        points_to_come: outcome
            .scores
            .map(|last| in_turn_order(&|seat| f32::from(last[seat.index()] - scores[seat]))),
    }
}

/// The parts of the legal actions' outputs, each once, with the shares of all actions that have it.
fn target<G: Encode>(state: &G, legal: &[G::Action], share: impl Fn(G::Action) -> f32) -> Vec<(Parts, f32)> {
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut policy: Vec<(Parts, f32)> = Vec::with_capacity(legal.len());
    for &action in legal {
        let output = state.output(action);
        let place = *places.entry(output).or_insert(policy.len());
        if place == policy.len() {
            policy.push((G::parts(output), 0.0));
        }
        policy[place].1 += share(action);
    }
    policy
}

fn improved<G: Encode>(
    state: &G,
    legal: &[G::Action],
    analysis: &Analysis,
) -> Result<Vec<(Parts, f32)>, String> {
    let (mut shares, mut total): (HashMap<G::Action, f32>, f32) = (HashMap::new(), 0.0);
    for (token, share) in &analysis.policy {
        let action: G::Action = token.parse().map_err(|error| format!("policy: {error}"))?;
        if !legal.contains(&action) {
            return Err(format!("policy: {action} is not legal"));
        }
        *shares.entry(action).or_default() += share;
        // In the order of the record: a map has none, and sums of another order are rounded otherwise.
        total += share;
    }
    if !(total > 0.0 && total.is_finite()) {
        return Err(format!("policy: found probabilities that add up to {total}, expected 1"));
    }
    Ok(target(state, legal, |action| shares.get(&action).map_or(0.0, |share| share / total)))
}
