//! The names that foreign engines have of their own.

use std::borrow::Cow;

use azulejo_agents::AgentSpec;

/// The agents, with the programs among them called as they call themselves where they have no name in their specs,
/// unless another agent is called so.
pub(super) fn with_engine_names(agents: &[AgentSpec]) -> Cow<'_, [AgentSpec]> {
    let is_program = |agent: &AgentSpec| matches!(agent, AgentSpec::External(_));
    if !agents.iter().any(is_program) {
        return Cow::Borrowed(agents);
    }
    let introduced: Vec<AgentSpec> = agents.iter().map(introduced).collect();
    let named = |(place, agent): (usize, &AgentSpec)| {
        let label = agent.label();
        let is_same = |(other, given): (usize, &AgentSpec)| {
            agents[other] != agents[place] && given.label().eq_ignore_ascii_case(&label)
        };
        let taken = introduced.iter().enumerate().any(is_same);
        if taken { agents[place].clone() } else { agent.clone() }
    };
    introduced.iter().enumerate().map(named).collect()
}

/// The agent with its own name, if it is a program that says one.
fn introduced(agent: &AgentSpec) -> AgentSpec {
    match agent {
        AgentSpec::External(parameters) => {
            AgentSpec::External(parameters.introduced(|name| !AgentSpec::is_taken(name)))
        }
        agent => agent.clone(),
    }
}
