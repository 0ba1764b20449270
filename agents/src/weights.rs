//! Files of weights.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::parameters::{AgentParameters, AgentSpecError};
use crate::settings::{parse_settings, read_settings};

/// No weight is further from 0: sums of points have to stay in range.
pub const MAX_WEIGHT: f64 = 10_000.0;

/// The weights of a game that a parameter of an agent names by a TOML file, or the built-in ones.
///
/// # Errors
/// If the file cannot be read, or has a key that is none of these weights; `key` is the parameter to blame.
pub(crate) fn read_weights<P: AgentParameters, W: Default + DeserializeOwned>(
    key: &str,
    game: &str,
    file: Option<&str>,
) -> Result<W, AgentSpecError> {
    let Some(file) = file else {
        return Ok(W::default());
    };
    let refuse = |expected: String| P::refusal(key, file, expected);
    let text = read_settings(Path::new(file)).map_err(|error| refuse(format!("a readable file: {error}")))?;
    parse_weights(&text).map_err(|problem| refuse(format!("a file of {game} weights: {problem}")))
}

/// Weights from a file's text, the others as built in.
///
/// # Errors
/// The key that is none of these weights, or whose value is no number from -[`MAX_WEIGHT`] to [`MAX_WEIGHT`].
pub fn parse_weights<W: DeserializeOwned>(text: &str) -> Result<W, String> {
    let weights = parse_settings(text)?;
    parse_settings::<toml::Table>(text)?.iter().try_for_each(|(key, value)| check(key, value))?;
    Ok(weights)
}

fn check(key: &str, value: &toml::Value) -> Result<(), String> {
    let number = match value {
        toml::Value::Array(values) => {
            let mut places = values.iter().enumerate();
            return places.try_for_each(|(place, value)| check(&format!("{key}[{place}]"), value));
        }
        toml::Value::Table(table) => {
            return table.iter().try_for_each(|(name, value)| check(&format!("{key}.{name}"), value));
        }
        toml::Value::Float(number) => *number,
        toml::Value::Integer(number) => *number as f64,
        _ => return Ok(()),
    };
    // Not a number is in no range.
    if (-MAX_WEIGHT..=MAX_WEIGHT).contains(&number) {
        return Ok(());
    }
    Err(format!("{key}: found {number}, expected {} to {MAX_WEIGHT}", -MAX_WEIGHT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::Heuristic;

    #[test]
    fn weights_without_a_use_are_refused() {
        let parse = |text: &str| parse_weights::<<azulejo::azul::Azul as Heuristic>::Weights>(text);
        let number = toml::Table::try_from(parse("").unwrap()).unwrap();
        let key = number.iter().find(|(_, value)| value.is_float()).unwrap().0;
        assert!(parse(&format!("{key} = 9999.5")).is_ok());
        for value in ["nan", "-inf", "1e30", "-10001"] {
            let problem = parse(&format!("{key} = {value}")).unwrap_err();
            assert!(problem.starts_with(key.as_str()) && problem.ends_with("to 10000"), "{problem}");
        }
        assert!(parse("\nno_such = 1").unwrap_err().starts_with("line 2: "));
    }
}
