//! What a file must keep to, so that a report can be made of it: somebody may have edited it.

use azulejo::MAX_PLAYERS;
use serde::Serialize;
use serde_json::Value;

use super::{MeasuresSummary, NamedEstimate, Summary};
use crate::stats::Bins;

/// The longest `summary.json` that is read, in bytes.
pub(crate) const MAX_SUMMARY: u64 = 64 << 20;
/// No number is further from 0, except for a seed: charts draw differences of numbers.
pub(crate) const LARGEST: f64 = 1e12;
/// The most agents: their cross-table has a cell for each pair.
const MOST_AGENTS: usize = 256;
/// The most bins of a distribution.
const MOST_BINS: usize = 10_000;
/// No bin begins further from 0 or is wider.
const FURTHEST: i32 = 1_000_000;

/// Checks all numbers and texts of something that was read.
///
/// # Errors
/// The key of the first number that is too large, or of a text that a terminal must not see.
pub(crate) fn check_values(read: &impl Serialize) -> Result<(), String> {
    let value = serde_json::to_value(read).map_err(|error| error.to_string())?;
    check_value("", &value)
}

fn check_value(key: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::Number(number) => match number.as_f64().filter(|number| number.abs() <= LARGEST) {
            None if key != "seed" && !key.ends_with(".seed") => {
                Err(format!("{key}: found {number}, expected {:e} to {LARGEST:e}", -LARGEST))
            }
            _ => Ok(()),
        },
        Value::String(text) if text.contains(char::is_control) => {
            Err(format!("{key}: found control characters"))
        }
        Value::Array(values) => {
            let mut places = values.iter().enumerate();
            places.try_for_each(|(place, value)| check_value(&format!("{key}[{place}]"), value))
        }
        Value::Object(entries) => {
            let separator = if key.is_empty() { "" } else { "." };
            entries
                .iter()
                .try_for_each(|(name, value)| check_value(&format!("{key}{separator}{name}"), value))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

impl Summary {
    /// Reads the text of a `summary.json`.
    ///
    /// # Errors
    /// If it is not one, or no games can have come to it.
    pub fn read(text: &str) -> Result<Self, String> {
        let summary: Summary = serde_json::from_str(text).map_err(|error| error.to_string())?;
        summary.check()?;
        Ok(summary)
    }

    /// Whether a report can be made of it.
    fn check(&self) -> Result<(), String> {
        check_values(self)?;
        bounded("players", self.players, MAX_PLAYERS)?;
        if self.players == 0 {
            return Err("players: found 0, expected at least 1".to_owned());
        }
        bounded("agents", self.agents.len(), MOST_AGENTS)?;
        bounded("pairs", self.pairs.len(), MOST_AGENTS * MOST_AGENTS / 2)?;
        bounded("seats", self.seats.len(), MAX_PLAYERS)?;
        self.measures.as_ref().map_or(Ok(()), |measures| check_measures(measures, self.agents.len()))
    }
}

fn check_measures(measures: &MeasuresSummary, agents: usize) -> Result<(), String> {
    bounded("measures.seats", measures.seats.len(), MAX_PLAYERS)?;
    bounded("measures.agents", measures.agents.len(), agents)?;
    check_bins("measures.rounds", &measures.rounds)?;
    check_bins("measures.margins", &measures.margins)?;
    for (key, groups) in [("measures.seats", &measures.seats), ("measures.agents", &measures.agents)] {
        for (place, group) in groups.iter().enumerate() {
            let key = format!("{key}[{place}]");
            check_bins(&format!("{key}.scores"), &group.scores)?;
            if names(&group.sources) != names(&groups[0].sources) {
                return Err(format!("{key}.sources: expected the names of the first one's"));
            }
        }
    }
    Ok(())
}

/// The names of estimates.
pub(crate) fn names(estimates: &[NamedEstimate]) -> Vec<&str> {
    estimates.iter().map(|NamedEstimate { name, .. }| name.as_str()).collect()
}

fn check_bins(key: &str, bins: &Bins) -> Result<(), String> {
    bounded(&format!("{key}.counts"), bins.counts.len(), MOST_BINS)?;
    let range = |name: &str, value: i32, low: i32| match (low..=FURTHEST).contains(&value) {
        true => Ok(()),
        false => Err(format!("{key}.{name}: found {value}, expected {low} to {FURTHEST}")),
    };
    range("from", bins.from, -FURTHEST)?;
    // Nothing at all has no width.
    range("width", bins.width, i32::from(!bins.counts.is_empty()))?;
    let last = bins.counts.len() as i64 * i64::from(bins.width);
    bounded(
        &format!("{key}: its bins reach"),
        usize::try_from(last).unwrap_or(usize::MAX),
        10 * FURTHEST as usize,
    )
}

/// Refuses a number that is too large.
///
/// # Errors
/// The number, by this key.
pub(crate) fn bounded(key: &str, found: usize, most: usize) -> Result<(), String> {
    if found <= most { Ok(()) } else { Err(format!("{key}: found {found}, expected at most {most}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_chart_can_draw_is_named() {
        let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let problem = |text: &str| check_values(&value(text)).unwrap_err();
        assert_eq!(
            problem(r#"{"seed":18446744073709551615,"a":{"b":[1,-1e13]}}"#),
            "a.b[1]: found -10000000000000.0, expected -1e12 to 1e12"
        );
        assert_eq!(problem(r#"["\u001b[31m"]"#), "[0]: found control characters");
        let bins =
            |from, width, counts: &[u64]| check_bins("x", &Bins { from, width, counts: counts.to_vec() });
        assert_eq!((bins(-5, 5, &[1, 2]), bins(0, 0, &[])), (Ok(()), Ok(())));
        assert_eq!(bins(0, 0, &[1]).unwrap_err(), "x.width: found 0, expected 1 to 1000000");
        assert_eq!(
            bins(i32::MIN, 1, &[1]).unwrap_err(),
            "x.from: found -2147483648, expected -1000000 to 1000000"
        );
        assert!(bins(0, 1_000_000, &[1; 100]).unwrap_err().starts_with("x: its bins reach: found 100000000"));
    }
}
