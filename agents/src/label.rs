//! What agents are called: [`Label`], and [`label`] of a spec.

use crate::parameters::ParameterValue;

/// The most letters of a label.
const LONGEST: usize = 40;

/// A name that tells an agent apart in tables, charts and records: letters, digits, `-`, `_` and `.`, at most 40.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    text: String,
    origin: Origin,
}

/// Who chose a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Whoever wrote the spec, which prints it.
    Spec,
    /// The program that plays: no part of the spec.
    Program,
}

impl Label {
    /// The label itself.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is part of the agent's spec.
    pub fn is_printed(&self) -> bool {
        self.origin == Origin::Spec
    }

    /// A label for a program that calls itself so, as close to its words as can be; `None` if nothing of them can stand
    /// in a label. It is no part of the agent's spec.
    pub fn of_program(text: &str) -> Option<Self> {
        let words = text.split(|letter| !is_allowed(letter)).filter(|word| !word.is_empty());
        let text: String = words.collect::<Vec<_>>().join("-").chars().take(LONGEST).collect();
        (!text.is_empty()).then_some(Label { text, origin: Origin::Program })
    }
}

fn is_allowed(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-_.".contains(letter)
}

/// A label, or none.
impl ParameterValue for Option<Label> {
    fn read(text: &str) -> Result<Self, String> {
        let fits = (1..=LONGEST).contains(&text.len()) && text.chars().all(is_allowed);
        if fits {
            Ok(Some(Label { text: text.to_owned(), origin: Origin::Spec }))
        } else {
            Err(format!("1 to {LONGEST} letters, digits, '-', '_' or '.'"))
        }
    }

    fn print(&self) -> String {
        self.as_ref().map_or(String::new(), |label| label.text.clone())
    }
}

/// What an agent is called, by its spec as it prints: its label, which comes last, or else the whole spec.
///
/// ```
/// use azulejo_agents::label;
///
/// assert_eq!(label("mcts:sims=100,name=Old"), "Old");
/// assert_eq!(label("mcts:sims=100"), "mcts:sims=100");
/// ```
pub fn label(spec: &str) -> &str {
    const KEY: &str = "name=";
    let Some((before, label)) = spec.rsplit_once(KEY) else { return spec };
    // A comma after a backslash belongs to a command line.
    let begins = before.ends_with([',', ':']) && !before.ends_with("\\,");
    let whole = !label.is_empty() && label.chars().all(is_allowed);
    if begins && whole { label } else { spec }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AgentSpec;

    #[test]
    fn every_agent_takes_a_name_and_prints_it_last() {
        for (agent, ..) in AgentSpec::all() {
            let spec: AgentSpec = format!("{agent}:name=My-bot_1.2").parse().unwrap();
            assert_eq!((spec.label(), label(&spec.to_string())), ("My-bot_1.2".to_owned(), "My-bot_1.2"));
            assert_eq!(spec.to_string().parse::<AgentSpec>().unwrap(), spec);
        }
        let spec: AgentSpec = "mcts:name=Old,sims=7".parse().unwrap();
        assert_eq!(spec.to_string(), "mcts:sims=7,name=Old");
        assert_ne!(spec, "mcts:sims=7".parse().unwrap());
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let long = "x".repeat(41);
        for name in ["", "a b", "é", "a,b", "a\u{1b}", "a/b", &long] {
            assert!(format!("random:name={name}").parse::<AgentSpec>().is_err(), "{name:?}");
        }
        for name in ["greedy", "MCTS", "human"] {
            let error = format!("random:name={name}").parse::<AgentSpec>().unwrap_err().to_string();
            assert!(error.ends_with("expected a name that is no agent's"), "{error}");
        }
    }

    #[test]
    fn only_a_whole_name_at_the_end_is_one() {
        for spec in
            ["exec:cmd='x,name=y'", r"exec:cmd=x\,name=y", "greedy:weights=surname=x", "greedy", "name=x", ""]
        {
            assert_eq!(label(spec), spec);
        }
    }

    #[test]
    fn an_engine_s_name_becomes_a_label() {
        let of = |text: &str| Label::of_program(text).map(|label| label.as_str().to_owned());
        assert_eq!(of("azulejo 0.1.0").as_deref(), Some("azulejo-0.1.0"));
        assert_eq!(of(" My Bot (β)\u{1b}[31m ").as_deref(), Some("My-Bot-31m"));
        assert_eq!((of("β ,"), of("").is_none()), (None, true));
        assert_eq!(of(&"x".repeat(99)).map(|label| label.len()), Some(40));
    }
}
