//! How large positions are that the solver solves: plays games between equal agents and solves every position after the last
//! draw of each, or only the first one that is solved within a number of nodes.
//!
//! ```sh
//! cargo run --release -p azulejo-agents --example solve-figures -- azul neural:sims=64 100 1 10000000
//! ```
//!
//! The arguments are a game, an agent, the number of games, a seed and the most nodes a position. Each line is a position:
//! the game, the ply, the actions that were still played, the legal actions, the nodes and seconds, or why it was not solved.

use std::error::Error;
use std::io::Write;
use std::time::Instant;
use std::{env, io};

use azulejo::{GameSpec, Generator, History, Move, Turn, with_game};
use azulejo_agents::solve::SolveLimits;
use azulejo_agents::{AgentSpec, Limits, Playable};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [game, agent, games, seed, nodes] = &arguments[..] else {
        return Err("expected a game, an agent, games, a seed and nodes".into());
    };
    let (game, agent): (GameSpec, AgentSpec) = (game.parse()?, agent.parse()?);
    let (games, seed, nodes): (u64, u64, u64) = (games.parse()?, seed.parse()?, nodes.parse()?);
    with_game!(game, |rules: &'static G::Rules| {
        for index in 0..games {
            let history = play::<G>(rules, &agent, seed + index)?;
            solve_end(&history, index, nodes)?;
        }
    });
    Ok(())
}

/// A game of equal agents.
fn play<G: Playable>(
    rules: &'static G::Rules,
    agent: &AgentSpec,
    seed: u64,
) -> Result<History<G>, Box<dyn Error>> {
    let mut agent = agent.build::<G>()?;
    agent.new_game(seed);
    let (mut history, mut rng) = (History::<G>::new(rules, 2), Generator::new(seed));
    loop {
        let state = *history.state();
        let played = match state.turn() {
            Turn::Over => return Ok(history),
            Turn::Chance => Move::draw(&state, &mut rng, &mut Vec::new()),
            Turn::Player(_) => Move::Action(agent.choose(&state, &Limits::default())?.action),
        };
        agent.observe(&played);
        history.push(played)?;
    }
}

/// Solves the positions after the last draw, from the end backwards.
fn solve_end<G: Playable>(history: &History<G>, index: u64, nodes: u64) -> io::Result<()> {
    let plies = history.plies();
    for ply in (plies.saturating_sub(60)..plies).rev() {
        let state = history.state_at(ply);
        let Turn::Player(_) = state.turn() else { continue };
        let limits = SolveLimits { nodes, ..SolveLimits::default() };
        let start = Instant::now();
        let found = state.solve(limits, &mut |_| ());
        let seconds = start.elapsed().as_secs_f64();
        let found = match found {
            Ok(solution) => {
                let mut leads: Vec<i16> = solution.actions.iter().map(|it| it.lead).collect();
                leads.sort_unstable();
                let (low, high) = (leads.first().copied(), leads.last().copied());
                format!("{} {} {seconds:.3} {low:?} {high:?}", leads.len(), solution.nodes)
            }
            Err(error) => format!("{error} {seconds:.3}"),
        };
        writeln!(io::stdout(), "{} {index} {ply} {} {found}", G::ID, plies - ply)?;
    }
    Ok(())
}
