//! A tournament without the program and without files: `cargo run --release --example tournament`.
#![expect(clippy::print_stdout, reason = "an example may stop where nobody reads it")]

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use azulejo::GameSpec;
use azulejo_agents::{AgentSpec, AgentSpecError};
use azulejo_experiments::game_loop::arena;
use azulejo_experiments::schedule::{Pairing, Schedule};
use azulejo_experiments::{StandingsBuilder, Summary, play_in_order, thread_pool};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game: GameSpec = "azul:gray".parse()?;
    let agents: Vec<AgentSpec> =
        ["random", "greedy", "mcts:sims=50"].into_iter().map(str::parse).collect::<Result<_, _>>()?;
    let schedule = Schedule::tournament((game, 3), &agents, 30, 1, Pairing::All)?;

    let mut standings = StandingsBuilder::new(&schedule);
    let pool = thread_pool(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))?;
    play_in_order(
        (&*arena(game), &schedule),
        0,
        &pool,
        &AtomicBool::new(false),
        |played| played,
        |played| {
            standings.push(&schedule.job(played.record.index), &played);
            Ok::<_, AgentSpecError>(ControlFlow::Continue(()))
        },
    )?;

    for agent in Summary::new(&schedule, &standings.finish(), None)?.agents {
        let Some(share) = agent.win_share else { continue };
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let interval = share.interval.map(|it| format!(" ({} to {})", percent(it.low), percent(it.high)));
        println!("{:14} {:>8}{}", agent.spec, percent(share.value), interval.unwrap_or_default());
    }
    Ok(())
}
