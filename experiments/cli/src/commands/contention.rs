//! A warning of more threads than cores where agents think for a time.

use std::num::NonZeroUsize;
use std::sync::Once;
use std::thread;

use azulejo_agents::AgentSpec;

use crate::output::note;

/// Warns on stderr, once a program, if games that run on so many threads have more searching threads than the machine has
/// cores, and a time limits an agent.
pub(super) fn warn_of_contention(agents: &[AgentSpec], threads: NonZeroUsize) {
    static WARNED: Once = Once::new();
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    if let Some(warning) = warning(agents, threads.get(), cores.get()) {
        WARNED.call_once(|| note(format!("warning: {warning}")));
    }
}

/// The warning, if there is a reason for one.
fn warning(agents: &[AgentSpec], threads: usize, cores: usize) -> Option<String> {
    let limited = |key: &str| agents.iter().find(|agent| agent.get(key).is_some());
    let timed = limited("time").or_else(|| limited("cpu"))?;
    let of_agent = |agent: &AgentSpec| agent.get("threads").and_then(|text| text.parse().ok()).unwrap_or(1);
    let searching = threads.saturating_mul(agents.iter().map(of_agent).max().unwrap_or(1));
    let meaning = match limited("time") {
        Some(_) => {
            "time= is wall clock, of which each gets less processor time; cpu=MS limits processor time instead"
        }
        None => "cpu= keeps to processor time, but threads that share a core may each be slower",
    };
    (searching > cores).then(|| format!("up to {searching} threads search at once on {cores} cores, and {timed} has a limit of time: {meaning}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(agents: &[&str], threads: usize, cores: usize) -> Option<String> {
        let agents: Vec<AgentSpec> = agents.iter().map(|agent| agent.parse().unwrap()).collect();
        warning(&agents, threads, cores)
    }

    #[test]
    fn only_searches_of_limited_time_on_too_few_cores_are_warned_of() {
        assert_eq!(found(&["greedy", "mcts:sims=9,threads=8"], 8, 2), None);
        assert_eq!(found(&["greedy", "mcts:time=9"], 2, 2), None);
        assert_eq!(found(&["minimax:time=9,cpu=9", "mcts:sims=9,threads=2"], 2, 4), None);
        let crowded = found(&["greedy", "mcts:time=9,threads=3"], 2, 4).unwrap();
        assert!(crowded.starts_with("up to 6 threads search at once on 4 cores, and mcts:time=9,threads=3 "));
        assert!(crowded.contains("time= is wall clock"), "{crowded}");
        let kept = found(&["mcts:cpu=9", "random"], 3, 2).unwrap();
        assert!(!kept.contains("wall clock") && kept.contains("mcts:cpu=9"), "{kept}");
        assert!(found(&["random", "exec:cmd=bot,time=5"], 3, 2).is_some());
    }
}
