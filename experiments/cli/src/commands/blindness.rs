//! A warning of agents that do not see what is changed in a game's rules.

use azulejo_experiments::agent_knowledge::AgentKnowledge;

use crate::output::note;

/// Warns on stderr of every agent that does not see some of the changed numbers.
pub(super) fn warn_of_blindness(knowledge: &[AgentKnowledge]) {
    for warning in knowledge.iter().filter_map(AgentKnowledge::warning) {
        note(format!("warning: {warning}"));
    }
}
