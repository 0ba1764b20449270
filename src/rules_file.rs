//! Rules files: TOML whose keys are the names of a rules struct's fields and replace what the variant has there.

use std::ops::RangeInclusive;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{SpecError, excerpt};
use crate::settings::{parse_settings, read_settings};

/// The option of a game spec that names a rules file.
pub(crate) const OPTION: &str = "rules=";

/// Rules with everything that a TOML text gives in its place; a list that it gives replaces the whole list.
///
/// # Errors
/// What is wrong, with the key that it stands at.
pub(crate) fn replaced<R: Serialize + DeserializeOwned>(rules: &R, text: &str) -> Result<R, String> {
    let given: toml::Table = parse_settings(text)?;
    let mut merged = toml::Table::try_from(rules).expect("rules are plain numbers, words and lists");
    overlay(&mut merged, given);
    serde_path_to_error::deserialize(toml::Value::Table(merged)).map_err(|error| {
        let message = error.inner().to_string();
        format!("{}: {}", error.path(), message.lines().next().unwrap_or_default())
    })
}

/// Puts the given values in the place of the old ones, table by table.
fn overlay(table: &mut toml::Table, given: toml::Table) {
    for (key, value) in given {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => overlay(inner, value),
            (_, value) => _ = table.insert(key, value),
        }
    }
}

/// Reads the file that an option names (`rules=FILE`) and gives what `replace` makes of its text.
///
/// # Errors
/// If the file cannot be read or `replace` refuses it.
pub(crate) fn read<R>(
    game: &'static str,
    path: &str,
    replace: impl FnOnce(&str) -> Result<R, String>,
) -> Result<R, SpecError> {
    let unusable = |problem| SpecError::Value { game, option: excerpt(&format!("{OPTION}{path}")), problem };
    let text = read_settings(Path::new(path)).map_err(|error| unusable(error.to_string()))?;
    replace(&text).map_err(unusable)
}

/// Checks a number that a file has given.
///
/// # Errors
/// If it is out of range; the message names the key.
pub(crate) fn check(key: &str, value: impl Into<i16>, range: RangeInclusive<i16>) -> Result<(), String> {
    let value = value.into();
    if range.contains(&value) {
        Ok(())
    } else {
        Err(format!("{key}: found {value}, expected {} to {}", range.start(), range.end()))
    }
}

/// Checks all numbers of a list.
///
/// # Errors
/// As [`check`], for the first one that is out of range.
pub(crate) fn check_all<T: Copy + Into<i16>>(
    key: &str,
    values: &[T],
    range: RangeInclusive<i16>,
) -> Result<(), String> {
    let mut values = values.iter().enumerate();
    values.try_for_each(|(place, &value)| check(&format!("{key}[{place}]"), value, range.clone()))
}
