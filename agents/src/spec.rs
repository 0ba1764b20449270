//! Agent specs: the text that names an agent and its parameters, and the registry of agents.

use std::fmt;
use std::str::FromStr;

use azulejo::{GameSpec, excerpt};
use thiserror::Error;

use crate::agent::Agent;
use crate::playable::{Playable, PlayableVisitor, visit_playable};

/// An agent spec that names nothing, or parameters that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentSpecError {
    /// No agent has this name.
    #[error("unknown agent '{name}'; known agents: {known}")]
    Name {
        /// The name as it was given.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// The agent has no such parameter.
    #[error("agent '{agent}' has no parameter '{key}'; known parameters: {known}")]
    Key {
        /// The agent's name.
        agent: &'static str,
        /// The key as it was given.
        key: String,
        /// All keys, separated by commas, or "none".
        known: String,
    },
    /// A parameter's value cannot be used.
    #[error("agent '{agent}', parameter '{key}': found '{value}', expected {expected}")]
    Value {
        /// The agent's name.
        agent: &'static str,
        /// The parameter's key.
        key: String,
        /// The value as it was given.
        value: String,
        /// What was expected.
        expected: String,
    },
}

/// One parameter of an agent, for lists and help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The key in specs.
    pub key: &'static str,
    /// What it means, with unit and default.
    pub doc: &'static str,
}

/// The parameters of one kind of agent: a plain struct that prints and parses back.
pub trait AgentParameters: Clone + fmt::Debug + Default + PartialEq {
    /// The agent's name in specs.
    const NAME: &'static str;
    /// What the agent does, in one sentence.
    const ABOUT: &'static str;
    /// All parameters in the order in which they print.
    const PARAMETERS: &'static [Parameter];

    /// Sets a parameter from text; the error says what was expected.
    ///
    /// # Errors
    /// If the value is not one for this parameter. The key is one of [`PARAMETERS`](Self::PARAMETERS).
    fn set(&mut self, key: &str, value: &str) -> Result<(), String>;

    /// A parameter's value as text; `None` if it is the default.
    fn get(&self, key: &str) -> Option<String>;

    /// Where a parameter's value ends in the text behind `<key>=`; the next pair begins behind a comma there.
    fn value_end(key: &str, text: &str) -> usize;

    /// An agent with these parameters.
    ///
    /// # Errors
    /// If they cannot be used for this game (a file that is missing or does not fit, say).
    fn build<G: Playable>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError>;

    /// The weights of its evaluation for this game, as a TOML table; `None` if it has none.
    ///
    /// # Errors
    /// If they are to come from a file that is missing or does not fit.
    fn weights<G: Playable>(&self) -> Result<Option<toml::Table>, AgentSpecError> {
        Ok(None)
    }

    /// Reads the part of a spec behind `<name>:`.
    ///
    /// # Errors
    /// An unknown key, a key given twice, or an unusable value.
    fn from_pairs(pairs: &str) -> Result<Self, AgentSpecError> {
        let mut parameters = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        let mut rest = Some(pairs);
        while let Some(pair) = rest {
            let (key, behind) = pair.split_at(pair.find(['=', ',']).unwrap_or(pair.len()));
            let (value, behind) = match behind.strip_prefix('=') {
                Some(value) => value.split_at(Self::value_end(key, value)),
                None => ("", behind),
            };
            parameters.change(key, value)?;
            if seen.contains(&key) {
                return Err(Self::refusal(key, value, "each parameter once".to_owned()));
            }
            seen.push(key);
            rest = behind.strip_prefix(',');
        }
        Ok(parameters)
    }

    /// Sets a parameter, which may not exist, from text.
    ///
    /// # Errors
    /// An unknown key or an unusable value.
    fn change(&mut self, key: &str, value: &str) -> Result<(), AgentSpecError> {
        if !Self::PARAMETERS.iter().any(|parameter| parameter.key == key) {
            return Err(AgentSpecError::Key { agent: Self::NAME, key: excerpt(key), known: Self::keys() });
        }
        self.set(key, value).map_err(|expected| Self::refusal(key, value, expected))
    }

    /// The error for a value that is not as expected.
    fn refusal(key: &str, value: &str, expected: String) -> AgentSpecError {
        AgentSpecError::Value { agent: Self::NAME, key: key.to_owned(), value: excerpt(value), expected }
    }

    /// The spec: the name, and the parameters that are not at their defaults.
    fn to_spec(&self) -> String {
        let pairs: Vec<String> = Self::PARAMETERS
            .iter()
            .filter_map(|parameter| Some(format!("{}={}", parameter.key, self.get(parameter.key)?)))
            .collect();
        if pairs.is_empty() { Self::NAME.to_owned() } else { format!("{}:{}", Self::NAME, pairs.join(",")) }
    }

    /// All keys, for a message.
    fn keys() -> String {
        let keys: Vec<&str> = Self::PARAMETERS.iter().map(|parameter| parameter.key).collect();
        if keys.is_empty() { "none".to_owned() } else { keys.join(", ") }
    }
}

/// A type of parameter values: text that reads and prints back.
pub trait ParameterValue: Sized + PartialEq {
    /// Reads the value; the error says what is expected.
    ///
    /// # Errors
    /// If the text is not such a value.
    fn read(text: &str) -> Result<Self, String>;

    /// The value as text.
    fn print(&self) -> String;

    /// Where the value ends in a list of pairs: by default at the first comma.
    fn end(text: &str) -> usize {
        text.find(',').unwrap_or(text.len())
    }
}

/// A number above 0, or none.
impl ParameterValue for Option<u64> {
    fn read(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|&number| number > 0);
        number.map(Some).ok_or_else(|| "a whole number above 0".to_owned())
    }

    fn print(&self) -> String {
        self.map_or(String::new(), |number| number.to_string())
    }
}

/// A finite number that is not negative.
impl ParameterValue for f32 {
    fn read(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| "a number that is not negative".to_owned())
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

/// A finite number that is not negative, or none.
impl ParameterValue for Option<f32> {
    fn read(text: &str) -> Result<Self, String> {
        f32::read(text).map(Some)
    }

    fn print(&self) -> String {
        self.map_or(String::new(), |number| number.to_string())
    }
}

/// A file's path, or none.
impl ParameterValue for Option<String> {
    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("a file's path".to_owned()) } else { Ok(Some(text.to_owned())) }
    }

    fn print(&self) -> String {
        self.clone().unwrap_or_default()
    }
}

/// Declares an enum whose values are words in an agent's parameters.
macro_rules! words {
    ($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $value:ident = $word:literal,)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $value,)+
        }

        impl $crate::spec::ParameterValue for $name {
            fn read(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok($name::$value),)+
                    _ => Err(format!("one of {}", [$($word),+].join(", "))),
                }
            }

            fn print(&self) -> String {
                match self {
                    $($name::$value => $word.to_owned(),)+
                }
            }
        }

        /// One of the words, or none.
        impl $crate::spec::ParameterValue for Option<$name> {
            fn read(text: &str) -> Result<Self, String> {
                <$name as $crate::spec::ParameterValue>::read(text).map(Some)
            }

            fn print(&self) -> String {
                self.map_or(String::new(), |value| $crate::spec::ParameterValue::print(&value))
            }
        }
    };
}

pub(crate) use words;

/// Declares an agent's parameters as a struct with a default, a printed form and a list.
#[macro_export]
macro_rules! agent_parameters {
    (
        $(#[doc = $about:literal])+
        $name:ident = $spec:literal {
            $($(#[doc = $doc:literal])+ $key:ident: $type:ty = $default:expr,)*
        }
        $(weights<$weighed:ident>($weigher:ident) $weights:block)?
        build<$game:ident>($this:ident) $build:block
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $key: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($key: $default,)* }
            }
        }

        impl $crate::spec::AgentParameters for $name {
            const NAME: &'static str = $spec;
            const ABOUT: &'static str = concat!($($about),+).trim_ascii();
            const PARAMETERS: &'static [$crate::spec::Parameter] = &[
                $($crate::spec::Parameter { key: stringify!($key), doc: concat!($($doc),+).trim_ascii() },)*
            ];

            // An agent without parameters takes no value.
            #[allow(unused_variables)]
            fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
                match key {
                    $(stringify!($key) => {
                        self.$key = $crate::spec::ParameterValue::read(value)?;
                        Ok(())
                    })*
                    _ => Err("a known parameter".to_owned()),
                }
            }

            fn get(&self, key: &str) -> Option<String> {
                match key {
                    $(stringify!($key) => {
                        (self.$key != Self::default().$key).then(|| $crate::spec::ParameterValue::print(&self.$key))
                    })*
                    _ => None,
                }
            }

            fn value_end(key: &str, text: &str) -> usize {
                match key {
                    $(stringify!($key) => <$type as $crate::spec::ParameterValue>::end(text),)*
                    _ => text.find(',').unwrap_or(text.len()),
                }
            }

            $(fn weights<$weighed: $crate::playable::Playable>(
                &self,
            ) -> Result<Option<toml::Table>, $crate::spec::AgentSpecError> {
                let $weigher = self;
                $weights
            })?

            fn build<$game: $crate::playable::Playable>(
                &self,
            ) -> Result<Box<dyn $crate::agent::Agent<$game>>, $crate::spec::AgentSpecError> {
                let $this = self;
                $build
            }
        }
    };
}

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

            /// An agent for a game with these parameters.
            ///
            /// # Errors
            /// If the parameters cannot be used for this game.
            pub fn build<G: Playable>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
                match self {
                    $(AgentSpec::$name(parameters) => parameters.build(),)+
                }
            }

            fn weights_of<G: Playable>(&self) -> Result<Option<toml::Table>, AgentSpecError> {
                match self {
                    $(AgentSpec::$name(parameters) => parameters.weights::<G>(),)+
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

            /// The weights of the agent's evaluation of a game, as a TOML table; `None` if it has none.
            ///
            /// # Errors
            /// If they are to come from a file that is missing or does not fit.
            pub fn weights(&self, game: GameSpec) -> Result<Option<toml::Table>, AgentSpecError> {
                visit_playable(game, WeightsOf(self))
            }
        }

        impl FromStr for AgentSpec {
            type Err = AgentSpecError;

            fn from_str(text: &str) -> Result<Self, AgentSpecError> {
                let (name, pairs) = text.split_once(':').map_or((text, None), |(name, pairs)| (name, Some(pairs)));
                $(if name == <$parameters as AgentParameters>::NAME {
                    let parameters = pairs.map_or_else(|| Ok(Default::default()), AgentParameters::from_pairs);
                    return parameters.map(AgentSpec::$name);
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

struct WeightsOf<'a>(&'a AgentSpec);

impl PlayableVisitor for WeightsOf<'_> {
    type Output = Result<Option<toml::Table>, AgentSpecError>;

    fn visit<G: Playable>(self, _rules: &'static G::Rules) -> Self::Output {
        self.0.weights_of::<G>()
    }
}

agents! {
    Random => crate::random::RandomParameters,
    Greedy => crate::greedy::GreedyParameters,
    Mcts => crate::mcts::MctsParameters,
    Minimax => crate::minimax::MinimaxParameters,
    External => crate::external::ExternalParameters,
    Neural => crate::neural::NeuralParameters,
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
    fn faults_are_named() {
        let message = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(message("rando").starts_with("unknown agent 'rando'; known agents: random, greedy"));
        assert_eq!(
            message("random:sims=3"),
            "agent 'random' has no parameter 'sims'; known parameters: none"
        );
        assert!(message("greedy:").contains("has no parameter ''"));
    }
}
