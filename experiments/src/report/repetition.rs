//! Whether a report's commands make everything in it again.

use azulejo_agents::AgentSpec;

/// The most agents that are named.
const NAMED: usize = 3;

/// The agents, each once, whose moves may be others when the same command plays again: those that think for a time or search on
/// several threads, and other programs, of which nothing is known.
pub fn unrepeated<'a>(specs: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for spec in specs {
        let differs = spec.parse().is_ok_and(|spec: AgentSpec| {
            matches!(spec, AgentSpec::External(_))
                || ["time", "cpu", "threads"].iter().any(|key| spec.get(key).is_some())
        });
        if differs && !found.iter().any(|known| known == spec) {
            found.push(spec.to_owned());
        }
    }
    found
}

/// What stands before the commands that make a report again, where the moves of these agents may be others.
pub(super) fn introduction(unrepeated: &[String]) -> String {
    if unrepeated.is_empty() {
        return "Everything here is reproduced by".to_owned();
    }
    let mut names = unrepeated[..unrepeated.len().min(NAMED)].join(", ");
    if unrepeated.len() > NAMED {
        names += &format!(" and {} others", unrepeated.len() - NAMED);
    }
    format!(
        "The commands below play the same pairings on the same deals. Not everything repeats: {names} think for a time, search \
         on several threads or are other programs, so that their moves, and all figures of their games, may be others."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_depends_on_no_clock_is_said_to_be_reproduced() {
        let specs = [
            "greedy",
            "mcts:sims=5,threads=1",
            "mcts:time=5",
            "minimax:cpu=5",
            "exec:cmd=bot",
            "mcts:time=5",
            "?",
        ];
        let found = unrepeated(specs);
        assert_eq!(found, ["mcts:time=5", "minimax:cpu=5", "exec:cmd=bot"]);
        assert_eq!(unrepeated(["neural:threads=2", "neural"]), ["neural:threads=2"]);
        assert_eq!(introduction(&unrepeated(["greedy"])), "Everything here is reproduced by");
        let text = introduction(&[&found[..], &["neural:time=1".to_owned()]].concat());
        assert!(text.contains("mcts:time=5, minimax:cpu=5, exec:cmd=bot and 1 others think"), "{text}");
    }
}
