//! The registry: the agents that there are, a line an agent, and the games that all of them play.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use azulejo::azul::Azul;
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Generator, excerpt};

use crate::agent::Agent;
use crate::builder::{AgentBuilder, AgentFactory};
use crate::game_knowledge::GameKnowledge;
use crate::label::Label;
use crate::parameters::{AgentParameters, AgentSpecError, Parameter};
use crate::rule_knowledge::RuleKnowledge;
use crate::rung::{Ladder, Rung};
use crate::shipped::ShippedNet;
use crate::solve::{Solution, SolveError, SolveLimits, SolveProgress};

/// A game that all agents play. [`fill_in!`](crate::fill_in) implements it for every game.
///
/// Its methods have no defaults, so that what is slow to compile and has to be fast is compiled once for a game, in the crate
/// that calls [`fill_in!`](crate::fill_in), and not in every crate that asks for it.
pub trait Playable: GameKnowledge {
    /// The agent of a spec, for this game.
    fn factory(spec: &AgentSpec) -> &dyn AgentFactory<Self>;

    /// Plays a random game from the start to the end and returns the number of its actions. `buffer` is scratch space.
    fn random_game(
        rules: &'static Self::Rules,
        players: usize,
        rng: &mut Generator,
        buffer: &mut Vec<Self::Action>,
    ) -> u64;

    /// [`solve`](crate::solve::solve), as a method.
    ///
    /// # Errors
    /// If the position cannot be solved.
    fn solve(
        &self,
        limits: SolveLimits,
        watch: &mut dyn FnMut(&SolveProgress),
    ) -> Result<Solution<Self>, SolveError>;
}

impl GameKnowledge for Azul {
    const NET: Option<ShippedNet> =
        Some(ShippedNet { weights: &azulejo_net_azul::NETWORK, critic: Some(&azulejo_net_azul::CRITIC) });
    const LADDER: Option<Ladder> = Some([
        Rung::greedy(15).rated(-176, -252, -106),
        Rung::greedy(0).rated(0, 0, 0),
        Rung::neural(4).slipping(15).rated(288, 223, 367),
        Rung::neural(4).slipping(3).rated(553, 470, 649),
        Rung::neural(7).rated(715, 621, 826),
        Rung::neural(24).rated(980, 874, 1105),
        Rung::neural(75).rated(1143, 1029, 1280),
        Rung::neural(250).rated(1343, 1216, 1495),
        Rung::neural(1100).rated(1524, 1392, 1683),
        Rung::neural(16_384).rated(1787, 1634, 1964),
    ]);
}

impl GameKnowledge for SummerPavilion {
    const NET: Option<ShippedNet> = Some(ShippedNet {
        weights: &azulejo_net_summer_pavilion::NETWORK,
        critic: Some(&azulejo_net_summer_pavilion::CRITIC),
    });
    const LADDER: Option<Ladder> = Some([
        Rung::greedy(39).rated(-761, -945, -633),
        Rung::greedy(24).rated(-555, -716, -430),
        Rung::greedy(14).rated(-343, -457, -248),
        Rung::greedy(6).rated(-146, -240, -72),
        Rung::greedy(0).rated(0, 0, 0),
        Rung::neural(4).slipping(3).rated(232, 145, 339),
        Rung::neural(6).rated(497, 386, 639),
        Rung::neural(70).rated(650, 525, 800),
        Rung::neural(800).rated(877, 737, 1049),
        Rung::neural(16_384).rated(961, 819, 1140),
    ]);
}

impl GameKnowledge for QueensGarden {
    const NET: Option<ShippedNet> = Some(ShippedNet {
        weights: &azulejo_net_queens_garden::NETWORK,
        critic: Some(&azulejo_net_queens_garden::CRITIC),
    });
    const LADDER: Option<Ladder> = Some([
        Rung::greedy(39).rated(-865, -1055, -729),
        Rung::greedy(27).rated(-655, -803, -534),
        Rung::greedy(17).rated(-449, -584, -342),
        Rung::greedy(8).rated(-288, -399, -203),
        Rung::greedy(0).rated(0, 0, 0),
        Rung::neural(4).slipping(2).rated(183, 96, 279),
        Rung::neural(12).rated(347, 263, 446),
        Rung::neural(64).rated(527, 418, 655),
        Rung::neural(600).rated(733, 614, 877),
        Rung::neural(16_384).rated(1020, 873, 1216),
    ]);
}

macro_rules! fill_in_all {
    ($($name:ident => $game:ty: $($ability:ident)*,)+) => {
        $(crate::fill_in!($game: $($ability)*);)+
    };
}

azulejo::for_each_game!(fill_in_all);

impl AgentSpec {
    /// An agent for a game with these parameters.
    ///
    /// # Errors
    /// If the parameters cannot be used for this game.
    pub fn build<G: Playable>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        G::factory(self).agent()
    }

    /// The weights of the agent's evaluation of a game, as a TOML table; `None` if it has none.
    ///
    /// # Errors
    /// If they are to come from a file that is missing or does not fit.
    pub fn weights<G: Playable>(&self) -> Result<Option<toml::Table>, AgentSpecError> {
        G::factory(self).weights()
    }

    /// Which changed numbers of a game's rules the agent's choices depend on.
    ///
    /// # Errors
    /// If a file that says so is missing or does not fit.
    pub fn rule_knowledge<G: Playable>(&self) -> Result<RuleKnowledge, AgentSpecError> {
        G::factory(self).rule_knowledge()
    }
}

/// The parameters, of whichever agent, that name a file that it reads.
const FILES: [&str; 4] = ["net", "critic", "weights", "values"];

/// Declares the agents that exist: a line an agent.
macro_rules! agents {
    ($($name:ident => $parameters:ty,)+) => {
        /// An agent and its parameters. `FromStr` and `Display` are the spec: `mcts:sims=800`.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AgentSpec {
            $(
                #[doc = concat!("The agent of [`", stringify!($parameters), "`].")]
                $name($parameters),
            )+
        }

        impl AgentSpec {
            /// Name, description and parameters of every agent.
            pub fn all() -> Vec<(&'static str, &'static str, &'static [Parameter])> {
                vec![$((
                    <$parameters as AgentParameters>::NAME,
                    <$parameters as AgentParameters>::ABOUT,
                    <$parameters as AgentParameters>::PARAMETERS,
                )),+]
            }

            /// Its parameters, for a game: what [`Playable::factory`] returns.
            pub fn factory<G: GameKnowledge>(&self) -> &dyn AgentFactory<G> {
                match self {
                    $(AgentSpec::$name(parameters) => parameters,)+
                }
            }

            /// The files that decide how the agent plays beside the spec itself: weights of evaluations and networks, a critic
            /// that a network's file names too. A program that it starts is none.
            pub fn files(&self) -> Vec<PathBuf> {
                match self {
                    $(AgentSpec::$name(parameters) => parameters.files(),)+
                }
            }

            /// The files that the spec names, each with the parameter that names it.
            pub fn named_files(&self) -> Vec<(&'static str, String)> {
                FILES.into_iter().filter_map(|key| Some((key, self.get(key)?))).collect()
            }

            /// A parameter's value as text; `None` if it is the default, or if there is no such parameter.
            pub fn get(&self, key: &str) -> Option<String> {
                match self {
                    $(AgentSpec::$name(parameters) => parameters.get(key),)+
                }
            }

            /// Sets a parameter from text.
            ///
            /// # Errors
            /// An unknown key or an unusable value.
            pub fn set(&mut self, key: &str, value: &str) -> Result<(), AgentSpecError> {
                match self {
                    $(AgentSpec::$name(parameters) => parameters.change(key, value),)+
                }
            }
        }

        impl AgentSpec {
            /// Its name, if it has one.
            pub fn name(&self) -> Option<&str> {
                let name = match self {
                    $(AgentSpec::$name(parameters) => AgentParameters::name(parameters),)+
                };
                name.map(Label::as_str)
            }

            /// What it is called: its name, or without one its spec.
            pub fn label(&self) -> String {
                self.name().map_or_else(|| self.to_string(), str::to_owned)
            }

            /// Whether no agent can be called so: kinds of agents are, and persons in records.
            pub fn is_taken(name: &str) -> bool {
                let mut names = Self::all().into_iter().map(|agent| agent.0).chain(["human"]);
                names.any(|known| known.eq_ignore_ascii_case(name))
            }

            /// The agent, unless it has a name that is taken.
            fn with_own_name(self) -> Result<Self, AgentSpecError> {
                let agent = match &self {
                    $(AgentSpec::$name(_) => <$parameters as AgentParameters>::NAME,)+
                };
                match self.get("name").filter(|name| Self::is_taken(name)) {
                    None => Ok(self),
                    Some(value) => Err(AgentSpecError::Value {
                        agent,
                        key: "name".to_owned(),
                        value,
                        expected: "a name that is no agent's".to_owned(),
                    }),
                }
            }
        }

        impl FromStr for AgentSpec {
            type Err = AgentSpecError;

            fn from_str(text: &str) -> Result<Self, AgentSpecError> {
                let (name, pairs) = text.split_once(':').map_or((text, None), |(name, pairs)| (name, Some(pairs)));
                $(if name.eq_ignore_ascii_case(<$parameters as AgentParameters>::NAME) {
                    let parameters = pairs.map_or_else(|| Ok(Default::default()), AgentParameters::from_pairs);
                    return parameters.map(AgentSpec::$name)?.with_own_name();
                })+
                let known: Vec<&str> = Self::all().iter().map(|agent| agent.0).collect();
                Err(AgentSpecError::Name { name: excerpt(name), known: known.join(", ") })
            }
        }

        impl fmt::Display for AgentSpec {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(AgentSpec::$name(parameters) => f.write_str(&parameters.to_spec()),)+
                }
            }
        }
    };
}

agents! {
    Random => crate::random::RandomParameters,
    Greedy => crate::greedy::GreedyParameters,
    Mcts => crate::mcts::MctsParameters,
    Minimax => crate::minimax::MinimaxParameters,
    External => crate::external::ExternalParameters,
    Neural => crate::neural::NeuralParameters,
    Ladder => crate::ladder::LadderParameters,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_print_and_parse_back() {
        for text in ["random", "greedy", "greedy:weights=my.toml"] {
            let spec: AgentSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
    }

    #[test]
    fn former_keys_are_read_and_present_ones_printed() {
        let spec: AgentSpec = "neural:look=leaf,sims=8,hand=0.5".parse().unwrap();
        assert_eq!(spec.to_string(), "neural:sims=8,evaluate=leaf,heuristic=0.5");
        let mut set: AgentSpec = "neural:sims=8,evaluate=leaf".parse().unwrap();
        set.set("hand", "0.5").unwrap();
        assert_eq!(set, spec);
        assert_eq!((set.get("sims"), set.get("cpu"), set.get("x")), (Some("8".to_owned()), None, None));
        let message = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
        let twice = "agent 'neural', parameter 'heuristic': found '1', expected each parameter once";
        assert_eq!(message("neural:hand=0.5,heuristic=1"), twice);
        assert!(message("mcts:hand=1").starts_with("agent 'mcts' has no parameter 'hand'"));
        assert_eq!("minimax:table=64".parse::<AgentSpec>().unwrap().to_string(), "minimax:memory=64");
        assert!(message("minimax:table=64,memory=64").ends_with("expected each parameter once"));
    }

    #[test]
    fn files_that_are_read_are_told() {
        let files = |spec: &str| spec.parse::<AgentSpec>().unwrap().named_files();
        let named = vec![("net", "a.net".to_owned()), ("critic", "b".to_owned())];
        assert_eq!(files("neural:sims=5,critic=b,net=a.net"), named);
        assert_eq!(files("mcts:values=v.toml"), [("values", "v.toml".to_owned())]);
        assert!(files("exec:cmd=bot,stderr=log").is_empty() && files("greedy:strategy=columns").is_empty());
        let message = "neural:net=\u{1b}[31m".parse::<AgentSpec>().unwrap_err().to_string();
        assert!(message.ends_with("expected no control characters"), "{message}");
    }

    #[test]
    fn faults_are_named() {
        let message = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(message("rando").starts_with("unknown agent 'rando'; known agents: random, greedy"));
        assert!(message("rando").ends_with("; did you mean 'random'?"), "{}", message("rando"));
        assert!(message("mcts:sim=3").ends_with("; did you mean 'sims'?"), "{}", message("mcts:sim=3"));
        assert_eq!("MCTS:sims=3".parse::<AgentSpec>().unwrap().to_string(), "mcts:sims=3");
        assert_eq!(
            message("random:sims=3"),
            "agent 'random' has no parameter 'sims'; known parameters: name"
        );
        assert!(message("greedy:").contains("has no parameter ''"));
        let number = "found '0', expected a whole number above 0";
        for spec in ["mcts:threads=0", "neural:threads=0", "mcts:sims=0", "minimax:nodes=0"] {
            assert!(message(spec).ends_with(number), "{spec}");
        }
        for spec in ["mcts:memory=0", "neural:memory=65537", "minimax:table=0", "minimax:memory=1.5"] {
            assert!(message(spec).ends_with("expected mebibytes, a whole number from 1 to 65536"), "{spec}");
        }
    }

    #[test]
    fn a_file_of_weights_that_is_missing_is_blamed_on_the_parameter_that_names_it() {
        for (spec, key) in [
            ("greedy:weights=missing.toml", "weights"),
            ("mcts:weights=missing.toml", "weights"),
            ("mcts:values=missing.toml", "values"),
            ("minimax:weights=missing.toml", "weights"),
        ] {
            let error = spec.parse::<AgentSpec>().unwrap().build::<Azul>().err().unwrap().to_string();
            let name = spec.split(':').next().unwrap();
            let blame =
                format!("agent '{name}', parameter '{key}': found 'missing.toml', expected a readable file");
            assert!(error.starts_with(&blame), "{spec}: {error}");
        }
    }
}
