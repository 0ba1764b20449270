//! Which agents may be asked for: none that starts a program or reads a file, none that takes more than its part of the machine.

use std::thread::available_parallelism;

use azulejo::excerpt;
use azulejo_agents::AgentSpec;

use crate::answer::CallError;

/// The agents with the parameters that a request may set.
const ALLOWED: [(&str, &[&str]); 6] = [
    ("random", &["name"]),
    ("greedy", &["strategy", "name"]),
    (
        "mcts",
        &[
            "sims",
            "time",
            "cpu",
            "rollout",
            "select",
            "c",
            "chance",
            "fpu",
            "prior",
            "margin",
            "threads",
            "memory",
            "goal",
            "goal_weight",
            "name",
        ],
    ),
    ("minimax", &["depth", "nodes", "time", "cpu", "search", "margin", "threads", "memory", "name"]),
    (
        "neural",
        &[
            "sims",
            "time",
            "cpu",
            "root",
            "considered",
            "noise",
            "scale",
            "c",
            "fpu",
            "prior",
            "rollout",
            "evaluate",
            "heuristic",
            "playout",
            "margin",
            "threads",
            "batch",
            "chance",
            "memory",
            "goal",
            "goal_weight",
            "name",
        ],
    ),
    ("ladder", &["level", "name"]),
];

/// The parameters by which an agent's own effort is limited.
const EFFORT: [&str; 5] = ["sims", "nodes", "depth", "time", "cpu"];

/// The most mebibytes for a search.
const MOST_MEMORY: u64 = 1024;

/// An agent by a spec from outside.
///
/// # Errors
/// A spec that cannot be read, or an agent or a parameter that may not be asked for.
pub(crate) fn read_agent(spec: &str) -> Result<AgentSpec, CallError> {
    let name = spec.split(':').next().unwrap_or_default();
    let Some((name, keys)) = ALLOWED.iter().find(|agent| agent.0.eq_ignore_ascii_case(name)) else {
        let known: Vec<&str> = ALLOWED.iter().map(|agent| agent.0).collect();
        let problem = format!("agent: found '{}', expected one of {}", excerpt(name), known.join(", "));
        return Err(CallError::bad(problem));
    };
    let agent: AgentSpec = spec.parse().map_err(CallError::bad)?;
    let all = AgentSpec::all().into_iter().filter(|known| known.0 == *name).flat_map(|known| known.2);
    if let Some(key) = all.map(|it| it.key).find(|key| !keys.contains(key) && agent.get(key).is_some()) {
        return Err(CallError::bad(format!("agent '{name}': the parameter '{key}' cannot be set from here")));
    }
    let threads = available_parallelism().map_or(1, |threads| threads.get() as u64);
    for (key, most) in [("threads", threads), ("memory", MOST_MEMORY)] {
        let number = agent.get(key).and_then(|value| value.parse::<u64>().ok());
        if let Some(found) = number.filter(|&number| number > most) {
            let problem =
                format!("agent '{name}', parameter '{key}': found {found}, expected at most {most}");
            return Err(CallError::bad(problem));
        }
    }
    Ok(agent)
}

/// Whether an agent thinks as long as it is allowed to: it has no effort of its own.
pub(crate) fn thinks_for_a_time(agent: &AgentSpec) -> bool {
    let searches = !matches!(agent, AgentSpec::Random(_) | AgentSpec::Greedy(_) | AgentSpec::Ladder(_));
    searches && EFFORT.iter().all(|key| agent.get(key).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters that a request may not set: they name files, or bear on a whole game, of which a request is one move.
    const REFUSED: [&str; 5] = ["net", "critic", "weights", "values", "carry"];

    #[test]
    fn every_parameter_of_every_agent_is_allowed_or_refused_on_purpose() {
        for (name, _, parameters) in AgentSpec::all() {
            let Some((_, keys)) = ALLOWED.iter().find(|agent| agent.0 == name) else {
                assert_eq!(name, "exec");
                continue;
            };
            for parameter in parameters {
                let (key, name) = (parameter.key, name);
                assert!(keys.contains(&key) != REFUSED.contains(&key), "{name}: {key}");
            }
            assert!(keys.iter().all(|key| parameters.iter().any(|known| known.key == *key)), "{name}");
        }
    }

    #[test]
    fn what_may_not_be_asked_for_is_named() {
        let message = |spec: &str| read_agent(spec).unwrap_err().message;
        assert!(message("exec:cmd=sh").starts_with("agent: found 'exec', expected one of random, greedy"));
        assert!(message("EXEC:cmd=sh").starts_with("agent: found 'EXEC'"));
        assert_eq!(
            message("neural:net=/etc/passwd"),
            "agent 'neural': the parameter 'net' cannot be set from here"
        );
        assert_eq!(
            message("mcts:memory=2048"),
            "agent 'mcts', parameter 'memory': found 2048, expected at most 1024"
        );
        assert!(message("mcts:threads=200").contains("'threads': found 200, expected at most "));
        assert!(thinks_for_a_time(&read_agent("mcts:c=1,memory=64").unwrap()));
        assert!(
            ["mcts:sims=5", "ladder:level=3", "random", "minimax:depth=2"]
                .iter()
                .all(|spec| !thinks_for_a_time(&read_agent(spec).unwrap()))
        );
    }
}
