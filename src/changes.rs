//! Changed numbers of rules: JSON objects whose keys are the names of a rules struct's fields.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::shortened;

/// The numbers in which rules differ from those of their variant, by the names of the rules struct's fields;
/// a list stands as a whole.
///
/// Specs (`azul:rules={"column_bonus":10}`), records, JSON states and the engine protocol carry rules in this
/// form.
pub type Changes = Map<String, Value>;

/// Rules with everything that `changes` has in its place; a list replaces the whole list.
///
/// # Errors
/// What is wrong, with the key that it stands at.
pub(crate) fn replaced<R: Serialize + DeserializeOwned>(rules: &R, changes: &Changes) -> Result<R, String> {
    let mut merged = fields(rules);
    overlay(&mut merged, changes);
    serde_path_to_error::deserialize(Value::Object(merged)).map_err(|error| {
        let (key, problem) = (error.path().to_string(), error.inner().to_string());
        shortened(&if key == "." { problem } else { format!("{key}: {problem}") })
    })
}

/// The numbers of `rules` that differ from those of `base`.
pub(crate) fn between<R: Serialize>(base: &R, rules: &R) -> Changes {
    difference(&fields(base), fields(rules))
}

fn fields<R: Serialize>(rules: &R) -> Changes {
    match serde_json::to_value(rules) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("rules are a struct of plain numbers, words and lists"),
    }
}

/// Puts the given values in the place of the old ones, object by object.
fn overlay(fields: &mut Changes, given: &Changes) {
    for (key, value) in given {
        match (fields.get_mut(key), value) {
            (Some(Value::Object(inner)), Value::Object(value)) => overlay(inner, value),
            (_, value) => _ = fields.insert(key.clone(), value.clone()),
        }
    }
}

/// What has to be laid over `base` to make `fields` of it.
fn difference(base: &Changes, fields: Changes) -> Changes {
    let changed = fields.into_iter().filter(|(key, value)| base.get(key) != Some(value));
    let inner = |(key, value): (String, Value)| match (base.get(&key), value) {
        (Some(Value::Object(before)), Value::Object(now)) => (key, Value::Object(difference(before, now))),
        (_, value) => (key, value),
    };
    changed.map(inner).collect()
}

/// Checks a changed number.
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
