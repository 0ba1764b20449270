//! An agent of one's own against the greedy one, without the program:
//! `cargo run --release --example own_agent`.
#![expect(clippy::print_stdout, reason = "an example may stop where nobody reads it")]

use azulejo::azul::{Azul, AzulRules};
use azulejo::{Game, Seat, intern};
use azulejo_agents::{Agent, AgentError, AgentSpec, Decision, Limits};
use azulejo_experiments::game_loop::{Deals, GameSetup, Participant};
use azulejo_experiments::schedule::Analyses;

/// Plays the action after which it has the most points, the first one of equals.
struct Shortsighted {
    legal: Vec<<Azul as Game>::Action>,
}

impl Agent<Azul> for Shortsighted {
    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, state: &Azul, _limits: &Limits<'_>) -> Result<Decision<Azul>, AgentError> {
        let azulejo::Turn::Player(seat) = state.turn() else { return Err(AgentError::NoTurn) };
        let points_after = |action: &<Azul as Game>::Action| {
            let mut next = *state;
            next.apply(*action);
            next.scores()[seat]
        };
        state.legal_actions(&mut self.legal);
        let best = self.legal.iter().copied().rev().max_by_key(points_after);
        best.map(Decision::plain).ok_or(AgentError::NoTurn)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const GAMES: u64 = 100;
    let mut own = Shortsighted { legal: Vec::new() };
    let mut greedy = "greedy".parse::<AgentSpec>()?.build::<Azul>()?;
    let mut won = 0.0;
    for game in 0..GAMES {
        // Two games on the same deals, with seats changed.
        let seats = if game % 2 == 0 { vec![0, 1] } else { vec![1, 0] };
        let own_seat = Seat::new(seats[0]);
        let setup = GameSetup {
            rules: intern(AzulRules::default()),
            participants: vec![
                Participant { agent: &mut own, seed: game },
                Participant { agent: &mut *greedy, seed: game },
            ],
            seats,
            deals: Deals::new(1, game / 2),
            move_limit: azulejo::record::MOVE_LIMIT,
            analyses: Analyses::Dropped,
        };
        won += setup.play().history.state().wins()[own_seat];
    }
    println!("shortsighted won {won} of {GAMES} games against greedy");
    Ok(())
}
