//! The agent that plays the action with the best one-ply evaluation.

use std::path::PathBuf;

use azulejo::{Generator, Turn};

use crate::abilities::need_ratings;
use crate::agent::{Agent, AgentError, Decision, Limits};
use crate::builder::AgentBuilder;
use crate::game_knowledge::GameKnowledge;
use crate::heuristic::Heuristic;
use crate::parameters::{AgentParameters, AgentSpecError};
use crate::rule_knowledge::{KnownKeys, RuleKnowledge};
use crate::weights::read_weights;

crate::agent_parameters! {
    /// Plays the action that a hand-made evaluation rates best, without looking ahead; ties at random.
    GreedyParameters = "greedy" {
        /// A TOML file with some or all of the game's weights; default: the built-in ones.
        weights: Option<String> = None,
        /// A named set of weights of the game (see the balance page of the documentation); default: none.
        strategy: Option<String> = None,
    }
}

impl AgentBuilder for GreedyParameters {
    fn build<G: GameKnowledge>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        need_ratings::<G>(self)?;
        let weights = chosen_weights::<G>(self)?;
        let (actions, ratings) = (Vec::new(), Vec::new());
        Ok(Box::new(GreedyAgent::<G> { weights, rng: Generator::new(0), actions, ratings }))
    }

    fn weights<G: GameKnowledge>(&self) -> Result<Option<toml::Table>, AgentSpecError> {
        Ok(toml::Table::try_from(chosen_weights::<G>(self)?).ok())
    }

    fn rule_knowledge<G: GameKnowledge>(&self) -> Result<RuleKnowledge, AgentSpecError> {
        Ok(RuleKnowledge { keys: KnownKeys::Listed(<G as Heuristic>::KNOWN_RULES), by: "its ratings" })
    }

    fn files(&self) -> Vec<PathBuf> {
        self.weights.iter().map(PathBuf::from).collect()
    }
}

/// The weights of a strategy, of a file, or the built-in ones.
///
/// # Errors
/// If the game has no such strategy, if both are given, or as [`read_weights`].
fn chosen_weights<G: Heuristic>(parameters: &GreedyParameters) -> Result<G::Weights, AgentSpecError> {
    let Some(name) = &parameters.strategy else {
        return read_weights::<GreedyParameters, _>("weights", G::NAME, parameters.weights.as_deref());
    };
    let refuse = |expected: String| GreedyParameters::refusal("strategy", name, expected);
    if parameters.weights.is_some() {
        return Err(refuse("either a strategy or weights".to_owned()));
    }
    let known = || G::STRATEGIES.iter().map(|strategy| strategy.name).collect::<Vec<_>>().join(", ");
    let strategy = G::STRATEGIES.iter().find(|strategy| strategy.name == name);
    let strategy = strategy.ok_or_else(|| refuse(format!("one of {} for {}", known(), G::NAME)))?;
    Ok(toml::from_str(strategy.weights).expect("the weights of strategies are tested"))
}

/// Plays the action of the highest rating.
struct GreedyAgent<G: Heuristic> {
    weights: G::Weights,
    rng: Generator,
    actions: Vec<G::Action>,
    ratings: Vec<f32>,
}

impl<G: Heuristic> Agent<G> for GreedyAgent<G> {
    fn new_game(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
    }

    fn choose(&mut self, state: &G, _limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        match state.turn() {
            Turn::Player(_) => {
                let rng = &mut self.rng;
                let action = state.best_action(&self.weights, rng, &mut self.actions, &mut self.ratings);
                Ok(Decision::plain(action))
            }
            Turn::Chance | Turn::Over => Err(AgentError::NoTurn),
        }
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::{Game, GameSpec, Move, with_game};

    use super::*;
    use crate::{AgentSpec, Playable};

    /// Every strategy of a game can be built, differs from the built-in weights and from every other one.
    fn check_strategies<G: Playable>() {
        let specs = G::STRATEGIES.iter().map(|strategy| format!("greedy:strategy={}", strategy.name));
        let tables: Vec<toml::Table> = specs
            .chain(["greedy".to_owned()])
            .map(|spec| {
                let spec: AgentSpec = spec.parse().unwrap();
                spec.build::<G>().unwrap();
                spec.weights::<G>().unwrap().unwrap()
            })
            .collect();
        for (place, table) in tables.iter().enumerate() {
            assert!(!tables[..place].contains(table), "{} {place}", G::NAME);
        }
        assert!(tables.len() > 5, "{}", G::NAME);
    }

    #[test]
    fn every_game_has_strategies_that_differ() {
        for id in GameSpec::IDS {
            with_game!(id.parse::<GameSpec>().unwrap(), |_rules: &'static G::Rules| check_strategies::<G>());
        }
    }

    #[test]
    fn unknown_strategies_are_refused_with_the_known_ones() {
        let error =
            |spec: &str| spec.parse::<AgentSpec>().unwrap().build::<Azul>().err().unwrap().to_string();
        assert!(error("greedy:strategy=stars").contains("expected one of tiles, rows, columns, colors"));
        assert!(error("greedy:strategy=rows,weights=a.toml").contains("either a strategy or weights"));
    }

    /// How many columns games between copies of an agent complete under these rules.
    fn columns_completed(spec: &str, rules: &AzulRules) -> u32 {
        let spec: AgentSpec = spec.parse().unwrap();
        let mut agent = spec.build::<Azul>().unwrap();
        let mut found = 0;
        for seed in 0..40 {
            let mut state = Azul::new(azulejo::intern(rules.clone()), 2);
            let mut rng = Generator::new(seed);
            agent.new_game(seed);
            while state.turn() != Turn::Over {
                let played = match state.turn() {
                    Turn::Chance => Move::Outcome(state.sample_chance(&mut rng)),
                    _ => Move::Action(agent.choose(&state, &Limits::default()).unwrap().action),
                };
                played.apply(&mut state);
            }
            found +=
                state.boards().iter().map(|(_, board)| board.wall().complete_columns() as u32).sum::<u32>();
        }
        found
    }

    #[test]
    fn columns_first_completes_more_columns_than_rows_first() {
        let (columns, rows) = ("greedy:strategy=columns", "greedy:strategy=rows");
        let rules = AzulRules::default();
        assert!(columns_completed(columns, &rules) > columns_completed(rows, &rules) + 20);
    }

    #[test]
    fn columns_that_are_worth_more_are_completed_more_often() {
        let dear = AzulRules { column_bonus: 30, ..AzulRules::default() };
        let [usual, now] = [AzulRules::default(), dear].map(|rules| columns_completed("greedy", &rules));
        assert!(now > usual + usual / 3, "{now} columns of 30 points, {usual} of 7");
    }
}
