//! The parameters of agents: structs that print and parse back, and the types of their values.

use std::fmt;
use std::time::Duration;

use azulejo::{excerpt, suggestion};
use thiserror::Error;

use crate::label::Label;

/// An agent spec that names nothing, or parameters that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgentSpecError {
    /// No agent has this name.
    #[error("unknown agent '{name}'; known agents: {known}{}", suggestion(name, known))]
    Name {
        /// The name as it was given.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// The agent has no such parameter.
    #[error("agent '{agent}' has no parameter '{key}'; known parameters: {known}{}", suggestion(key, known))]
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
    /// The game does not have what the agent chooses by.
    #[error("agent '{agent}' cannot play {game}, which has no {ability}; agents that can: {others}")]
    Ability {
        /// The agent's spec.
        agent: String,
        /// The game's name.
        game: &'static str,
        /// What the game lacks.
        ability: &'static str,
        /// Agents that do without.
        others: &'static str,
    },
}

/// One parameter of an agent, for lists and help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The key in specs.
    pub key: &'static str,
    /// What it means, with unit and default.
    pub doc: &'static str,
    /// The key's names in former versions, which are still read.
    pub aliases: &'static [&'static str],
}

/// The parameter that every agent has, the last one.
pub const NAME: Parameter = Parameter {
    key: "name",
    doc: "What it is called in tables, charts and records: letters, digits, - _ and . ; default: its spec.",
    aliases: &[],
};

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

    /// What the agent is called, if it has a name.
    fn name(&self) -> Option<&Label>;

    /// Where a parameter's value ends in the text after `<key>=`; the next pair begins after a comma there.
    fn value_end(key: &str, text: &str) -> usize;

    /// Reads the part of a spec after `<name>:`.
    ///
    /// # Errors
    /// An unknown key, a key given twice, or an unusable value.
    fn from_pairs(pairs: &str) -> Result<Self, AgentSpecError> {
        let mut parameters = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        let mut rest = Some(pairs);
        while let Some(pair) = rest {
            let (key, after) = pair.split_at(pair.find(['=', ',']).unwrap_or(pair.len()));
            let key = Self::known_key(key)?;
            let (value, after) = match after.strip_prefix('=') {
                Some(value) => value.split_at(Self::value_end(key, value)),
                None => ("", after),
            };
            parameters.change(key, value)?;
            if seen.contains(&key) {
                return Err(Self::refusal(key, value, "each parameter once".to_owned()));
            }
            seen.push(key);
            rest = after.strip_prefix(',');
        }
        Ok(parameters)
    }

    /// Sets a parameter, which may not exist, from text.
    ///
    /// # Errors
    /// An unknown key or an unusable value.
    fn change(&mut self, key: &str, value: &str) -> Result<(), AgentSpecError> {
        let key = Self::known_key(key)?;
        // Specs are printed on terminals.
        if value.contains(char::is_control) {
            return Err(Self::refusal(key, value, "no control characters".to_owned()));
        }
        self.set(key, value).map_err(|expected| Self::refusal(key, value, expected))
    }

    /// The present name of a parameter's key.
    ///
    /// # Errors
    /// If there is no such parameter.
    fn known_key(key: &str) -> Result<&'static str, AgentSpecError> {
        let named = |parameter: &&Parameter| parameter.key == key || parameter.aliases.contains(&key);
        let unknown = || AgentSpecError::Key { agent: Self::NAME, key: excerpt(key), known: Self::keys() };
        Self::PARAMETERS.iter().find(named).map(|parameter| parameter.key).ok_or_else(unknown)
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

/// A number above 0.
impl ParameterValue for u64 {
    fn read(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|&number| number > 0);
        number.ok_or_else(|| "a whole number above 0".to_owned())
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

/// A number above 0, or none.
impl ParameterValue for Option<u64> {
    fn read(text: &str) -> Result<Self, String> {
        u64::read(text).map(Some)
    }

    fn print(&self) -> String {
        self.map_or(String::new(), |number| number.to_string())
    }
}

/// An amount of memory in units of 2²⁰ bytes, at least 1 and at most 65,536.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mebibytes(u32);

impl Mebibytes {
    const MOST: u32 = 1 << 16;

    /// So many mebibytes.
    ///
    /// # Panics
    /// If there are none or too many.
    pub const fn new(number: u32) -> Self {
        assert!(number > 0 && number <= Self::MOST);
        Mebibytes(number)
    }

    /// The bytes of each of so many equal parts, at least one.
    pub fn bytes_of_part(self, parts: u64) -> usize {
        ((u64::from(self.0) << 20) / parts) as usize
    }
}

impl ParameterValue for Mebibytes {
    fn read(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number| (1..=Self::MOST).contains(number));
        number.map(Mebibytes).ok_or_else(|| format!("mebibytes, a whole number from 1 to {}", Self::MOST))
    }

    fn print(&self) -> String {
        self.0.to_string()
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

/// A share, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(f32);

impl Share {
    /// Nothing.
    pub const NONE: Share = Share(0.0);

    /// The share of a time.
    pub fn of(self, time: Duration) -> Duration {
        time.mul_f64(self.0.into())
    }
}

impl ParameterValue for Share {
    fn read(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
        number.map(Share).ok_or_else(|| "a share from 0 to 1".to_owned())
    }

    fn print(&self) -> String {
        self.0.to_string()
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
macro_rules! keyword_enum {
    ($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $value:ident = $word:literal,)+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $value,)+
        }

        impl $crate::parameters::ParameterValue for $name {
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
        impl $crate::parameters::ParameterValue for Option<$name> {
            fn read(text: &str) -> Result<Self, String> {
                <$name as $crate::parameters::ParameterValue>::read(text).map(Some)
            }

            fn print(&self) -> String {
                self.map_or(String::new(), |value| $crate::parameters::ParameterValue::print(&value))
            }
        }
    };
}

pub(crate) use keyword_enum;

/// Declares an agent's parameters as a struct with a default, a printed form and a list. A parameter with
/// `#[alias = "key"]` is read by this former key, too.
#[macro_export]
macro_rules! agent_parameters {
    (
        $(#[doc = $about:literal])+
        $name:ident = $spec:literal {
            $(
                $(#[doc = $doc:literal])+
                $(#[alias = $alias:literal])*
                $key:ident: $type:ty = $default:expr,
            )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $key: $type,)*
            /// What it is called; by its spec where it has no name.
            pub name: Option<$crate::Label>,
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($key: $default,)* name: None }
            }
        }

        impl $crate::parameters::AgentParameters for $name {
            const NAME: &'static str = $spec;
            const ABOUT: &'static str = concat!($($about),+).trim_ascii();
            const PARAMETERS: &'static [$crate::parameters::Parameter] = &[
                $($crate::parameters::Parameter {
                    key: stringify!($key),
                    doc: concat!($($doc),+).trim_ascii(),
                    aliases: &[$($alias),*],
                },)*
                $crate::parameters::NAME,
            ];

            fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
                match key {
                    $(stringify!($key) => {
                        self.$key = $crate::parameters::ParameterValue::read(value)?;
                        Ok(())
                    })*
                    "name" => {
                        self.name = $crate::parameters::ParameterValue::read(value)?;
                        Ok(())
                    }
                    _ => Err("a known parameter".to_owned()),
                }
            }

            fn get(&self, key: &str) -> Option<String> {
                match key {
                    $(stringify!($key) => {
                        (self.$key != Self::default().$key).then(|| $crate::parameters::ParameterValue::print(&self.$key))
                    })*
                    "name" => {
                        let printed = self.name.as_ref().filter(|name| name.is_printed());
                        printed.map(|name| name.as_str().to_owned())
                    }
                    _ => None,
                }
            }

            fn name(&self) -> Option<&$crate::Label> {
                self.name.as_ref()
            }

            fn value_end(key: &str, text: &str) -> usize {
                match key {
                    $(stringify!($key) => <$type as $crate::parameters::ParameterValue>::end(text),)*
                    _ => text.find(',').unwrap_or(text.len()),
                }
            }
        }
    };
}
