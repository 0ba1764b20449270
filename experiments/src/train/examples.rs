//! How a game record becomes training data.
//!
//! Every state at which a player had a choice gives an example, and so does every state at a chance node but those before
//! the first choice: networks judge these, too. A record's game is replayed; nothing is taken from it but its moves, its
//! result and what searches found.
//!
//! - The policy to learn is the improved one that a full search wrote down. In a record without any, an agent's game to
//!   imitate, it is the action that was played wherever a search was made. Other states teach no policy.
//! - The share of the win is the game's result, mixed with the value that a search found in the state.
//! - The points still to come are the final ones less those so far.

use std::collections::HashMap;

use azulejo::record::{Analysis, End};
use azulejo::{Encode, MAX_PLAYERS, Parts, Record};
use azulejo_agents::Move;
use azulejo_agents::neural::Example;

/// The examples of a game; none if it was not played to its end.
///
/// `search_value` is the weight of the searches' values in the target for the win.
///
/// # Errors
/// If the record is for another game, or a move in it is not allowed.
pub fn examples<G: Encode>(
    record: &Record,
    rules: &'static G::Rules,
    search_value: f32,
) -> Result<Vec<Example>, String> {
    let mut examples = Vec::new();
    if record.end != End::Finished {
        return Ok(examples);
    }
    let analyses = record.analysis.as_deref().unwrap_or_default();
    let imitated = analyses.iter().flatten().all(|analysis| analysis.policy.is_empty());
    let (mut state, mut legal) = (G::new(rules, record.players), Vec::new());
    let mut chosen = false;
    for (ply, token) in record.moves.iter().enumerate() {
        let analysis = analyses.get(ply).and_then(Option::as_ref);
        let before = state;
        let played = Move::play_token(&mut state, token).map_err(|error| format!("move {ply}: {error}"))?;
        before.legal_actions(&mut legal);
        let policy = match (&played, analysis) {
            (Move::Chance(_), _) if !chosen => continue,
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
        examples.push(example(&before, record, policy, analysis, search_value));
    }
    Ok(examples)
}

fn example<G: Encode>(
    state: &G,
    record: &Record,
    policy: Vec<(Parts, f32)>,
    analysis: Option<&Analysis>,
    search_value: f32,
) -> Example {
    let (players, viewpoint, scores) = (record.players, state.viewpoint(), state.scores());
    let (mut wins, mut points_to_come) = ([0.0; MAX_PLAYERS], [0.0; MAX_PLAYERS]);
    for (place, seat) in viewpoint.around(players).enumerate() {
        let result = record.wins[seat.index()] as f32;
        let found = analysis.and_then(|analysis| analysis.values.get(seat.index()));
        wins[place] = found.map_or(result, |value| result + search_value * ((value + 1.0) / 2.0 - result));
        points_to_come[place] = f32::from(record.scores[seat.index()] - scores[seat]);
    }
    let mut features = Vec::new();
    state.encode(&mut features);
    Example { features, policy, players, wins, points_to_come }
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
