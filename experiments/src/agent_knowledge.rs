//! Which of the changed numbers of a game's rules its agents see: [`AgentKnowledge`].

use azulejo::{GameSpec, RuleKey, changed_keys, with_game};
use azulejo_agents::{AgentSpec, Playable, RuleKnowledge};
use serde::{Deserialize, Serialize};

/// What an agent sees of changed rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentKnowledge {
    /// The game's spec with the changed rules.
    pub game: String,
    /// The agent's spec.
    pub agent: String,
    /// The changed keys on which its choices depend.
    pub seen: Vec<String>,
    /// The changed keys on which they do not.
    pub unseen: Vec<String>,
    /// By what it plays.
    pub by: String,
}

impl AgentKnowledge {
    /// What each agent sees of a game's changed numbers; none where no number is changed. Agents that cannot be
    /// made are left out.
    pub fn of(game: GameSpec, agents: &[AgentSpec]) -> Vec<Self> {
        let keys = with_game!(game, |rules: &'static G::Rules| changed_keys(rules));
        if keys.is_empty() {
            return Vec::new();
        }
        let found = agents.iter().filter_map(|agent| {
            let knowledge = with_game!(game, |_rules: &'static G::Rules| knowledge::<G>(agent))?;
            Some(AgentKnowledge::new(game, agent, &keys, knowledge))
        });
        found.collect()
    }

    fn new(game: GameSpec, agent: &AgentSpec, keys: &[&RuleKey], knowledge: RuleKnowledge) -> Self {
        let (seen, unseen): (Vec<&RuleKey>, Vec<&RuleKey>) =
            keys.iter().partition(|key| knowledge.covers(key));
        let names = |keys: Vec<&RuleKey>| keys.iter().map(|key| key.name.to_owned()).collect();
        AgentKnowledge {
            game: game.to_string(),
            agent: agent.to_string(),
            seen: names(seen),
            unseen: names(unseen),
            by: knowledge.by.to_owned(),
        }
    }

    /// A warning if there are changed numbers that the agent does not see.
    pub fn warning(&self) -> Option<String> {
        let AgentKnowledge { agent, seen, unseen, by, .. } = self;
        let anew = if seen.is_empty() { ", so that its games are only counted anew" } else { "" };
        let unseen = (!unseen.is_empty()).then(|| unseen.join(", "))?;
        Some(format!("{agent} does not see {unseen}: it plays by {by}, as without that change{anew}"))
    }
}

fn knowledge<G: Playable>(agent: &AgentSpec) -> Option<RuleKnowledge> {
    agent.rule_knowledge::<G>().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(game: &str, agents: &[&str]) -> Vec<AgentKnowledge> {
        let agents: Vec<AgentSpec> = agents.iter().map(|agent| agent.parse().unwrap()).collect();
        AgentKnowledge::of(game.parse().unwrap(), &agents)
    }

    #[test]
    fn what_agents_do_not_see_is_told() {
        let game = r#"azul:rules={"column_bonus":30,"factories":[4,6,8],"last_round":4}"#;
        let agents = ["greedy", "random", "mcts:rollout=greedy", "mcts", "minimax", "neural:heuristic=0"];
        let found = found(game, &agents);
        let unseen: Vec<String> = found.iter().map(|it| it.unseen.join(" ")).collect();
        let both = "column_bonus last_round";
        assert_eq!(unseen, ["last_round", both, "", "last_round", "last_round", both]);
        assert_eq!(found[0].seen, ["factories", "column_bonus"]);
        assert_eq!(
            found[0].warning().unwrap(),
            "greedy does not see last_round: it plays by its ratings, as without that change"
        );
        assert_eq!(found[2].warning(), None);
    }

    #[test]
    fn an_agent_that_sees_nothing_only_counts_anew() {
        let found = found(r#"azul:rules={"last_round":4}"#, &["greedy"]);
        let warning = found[0].warning().unwrap();
        assert!(
            warning.ends_with("as without that change, so that its games are only counted anew"),
            "{warning}"
        );
    }

    #[test]
    fn nothing_is_told_of_rules_as_they_are() {
        assert_eq!(found("azul:gray", &["greedy"]), []);
    }

    #[test]
    fn only_what_differs_from_the_variant_is_changed() {
        let wheel = r#"queens-garden:variant,rules={"joker_awards":{"bench":3},"stack":[5,7,7]}"#;
        assert_eq!(found(wheel, &["greedy"])[0].seen, ["stack", "joker_awards.bench"]);
    }
}
