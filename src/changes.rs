//! Changed numbers of rules: JSON objects whose keys are the names of a rules struct's fields, and what each
//! key may be changed to.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::shortened;
use crate::game::Rules;

/// The numbers in which rules differ from those of their variant, by the names of the rules struct's fields;
/// a list stands as a whole.
///
/// Specs (`azul:rules={"column_bonus":10}`), records, JSON states and the engine protocol carry rules in this
/// form.
pub type Changes = Map<String, Value>;

/// A key of a game's rules: a number, a list of numbers or a list of words that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleKey {
    /// Its name, `column_bonus`; a key inside another one comes after that one's, `joker_awards.bench`.
    pub name: &'static str,
    /// What each of its values may be.
    pub values: RuleValues,
    /// How an agent meets a change of it.
    pub effect: RuleEffect,
}

/// What a value of the rules may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleValues {
    /// A whole number of this range.
    Numbers(RangeInclusive<i16>),
    /// One of these words.
    Words(&'static [&'static str]),
}

/// How an agent meets a changed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleEffect {
    /// Other things lie on the table, or other actions are legal: whoever looks at states meets the change.
    Table,
    /// Only what is counted, or when the game ends, is different: who does not know the number plays on as
    /// before.
    Count,
}

impl RuleKey {
    /// The key of numbers of a range that change what lies on the table or what is legal.
    pub(crate) const fn table(name: &'static str, range: RangeInclusive<i16>) -> Self {
        RuleKey { name, values: RuleValues::Numbers(range), effect: RuleEffect::Table }
    }

    /// The key of numbers of a range that change what is counted.
    pub(crate) const fn count(name: &'static str, range: RangeInclusive<i16>) -> Self {
        RuleKey { name, values: RuleValues::Numbers(range), effect: RuleEffect::Count }
    }

    /// What the key has among the numbers of rules ([`Rules::numbers`]); of a list of tables, the key's value
    /// in each of them.
    pub fn value(&self, numbers: &Changes) -> Value {
        let inner = |value: Value, name: &str| match value {
            Value::Array(tables) => tables.iter().map(|table| table[name].clone()).collect(),
            table => table[name].clone(),
        };
        self.name.split('.').fold(Value::Object(numbers.clone()), inner)
    }
}

impl RuleValues {
    /// Whether a number is in range, or a word one of those.
    fn admit(&self, value: &Value) -> bool {
        match self {
            RuleValues::Numbers(range) => {
                let number = value.as_i64().and_then(|value| i16::try_from(value).ok());
                number.is_some_and(|number| range.contains(&number))
            }
            RuleValues::Words(words) => value.as_str().is_some_and(|value| words.contains(&value)),
        }
    }
}

impl fmt::Display for RuleValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleValues::Numbers(range) => write!(f, "{} to {}", range.start(), range.end()),
            RuleValues::Words(words) => f.write_str(&words.join(", ")),
        }
    }
}

/// Rules with everything that `changes` has in its place; a list replaces the whole list.
///
/// # Errors
/// What is wrong, with the key that it stands at: a key that does not exist, or a value of the wrong type or
/// out of the range of its [`RuleKey`].
pub(crate) fn replaced<R: Rules + Serialize + DeserializeOwned>(
    rules: &R,
    changes: &Changes,
) -> Result<R, String> {
    let mut merged = numbers(rules);
    overlay(&mut merged, changes);
    let merged = Value::Object(merged);
    let replaced = serde_path_to_error::deserialize(&merged).map_err(|error| {
        let (key, problem) = (error.path().to_string(), error.inner().to_string());
        shortened(&if key == "." { problem } else { format!("{key}: {problem}") })
    })?;
    check(R::KEYS, &merged).map(|()| replaced)
}

/// Checks all numbers of rules by their keys.
///
/// # Errors
/// The first one that is out of range, with where it stands.
fn check(keys: &[RuleKey], numbers: &Value) -> Result<(), String> {
    let mut values = Vec::new();
    list_values((String::new(), String::new()), numbers, &mut values);
    for (place, name, value) in values {
        let key = keys.iter().find(|key| key.name == name);
        if let Some(key) = key.filter(|key| !key.values.admit(value)) {
            return Err(format!("{place}: found {value}, expected {}", key.values));
        }
    }
    Ok(())
}

/// Appends every number and word with its place, `wheel[1].colors[0]`, and the name of its key,
/// `wheel.colors`.
fn list_values<'a>(
    (place, name): (String, String),
    value: &'a Value,
    values: &mut Vec<(String, String, &'a Value)>,
) {
    let after =
        |text: &str, key: &str| if text.is_empty() { key.to_owned() } else { format!("{text}.{key}") };
    match value {
        Value::Object(fields) => fields
            .iter()
            .for_each(|(key, value)| list_values((after(&place, key), after(&name, key)), value, values)),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(i, value)| list_values((format!("{place}[{i}]"), name.clone()), value, values)),
        _ => values.push((place, name, value)),
    }
}

/// The numbers of `rules` that differ from those of `base`.
pub(crate) fn between<R: Serialize>(base: &R, rules: &R) -> Changes {
    difference(&numbers(base), numbers(rules))
}

/// All numbers of `rules`, by key.
pub(crate) fn numbers<R: Serialize>(rules: &R) -> Changes {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azul::AzulRules;
    use crate::queens_garden::QueensGardenRules;
    use crate::summer_pavilion::SummerPavilionRules;

    /// Every value of the rules is of one key, every key has values, and the variants' are in range.
    fn check_keys<R: Rules + Serialize + DeserializeOwned>() {
        for rules in R::variants() {
            let numbers = Value::Object(rules.numbers());
            let mut values = Vec::new();
            list_values((String::new(), String::new()), &numbers, &mut values);
            assert!(values.len() > 10);
            for (place, name, _) in &values {
                assert_eq!(R::KEYS.iter().filter(|key| key.name == *name).count(), 1, "{place}");
            }
            for key in R::KEYS {
                assert!(values.iter().any(|(_, name, _)| name == key.name), "{key:?}");
                assert!(!key.value(&rules.numbers()).is_null(), "{key:?}");
            }
            assert_eq!(check(R::KEYS, &numbers), Ok(()));
        }
    }

    #[test]
    fn every_number_of_the_rules_has_a_key() {
        check_keys::<AzulRules>();
        check_keys::<SummerPavilionRules>();
        check_keys::<QueensGardenRules>();
    }

    /// The value in the place of every number and word of a key's value.
    fn filled(value: &Value, with: &Value) -> Value {
        match value {
            Value::Array(list) => list.iter().map(|value| filled(value, with)).collect(),
            _ => with.clone(),
        }
    }

    /// Changes by which a key has these values throughout; other keys of the same list of tables stay.
    fn changes(numbers: &Changes, key: &RuleKey, with: &Value) -> Changes {
        let values = filled(&key.value(numbers), with);
        let Some((outer, inner)) = key.name.split_once('.') else {
            return [(key.name.to_owned(), values)].into_iter().collect();
        };
        let mut table = numbers[outer].clone();
        match (&mut table, values) {
            (Value::Array(tables), Value::Array(values)) => {
                tables.iter_mut().zip(values).for_each(|(table, values)| table[inner] = values);
            }
            (table, value) => table[inner] = value,
        }
        [(outer.to_owned(), table)].into_iter().collect()
    }

    /// Values up to both ends of each range are taken, those beyond are refused with the key.
    fn check_ranges<R: Rules>() {
        let rules = R::variants().remove(0);
        let numbers = rules.numbers();
        for key in R::KEYS {
            let RuleValues::Numbers(range) = &key.values else { continue };
            let with = |value: i32| rules.with_changes(&changes(&numbers, key, &value.into()));
            // The lower end of QueensGarden's score floor is an end for any start, its upper one is not.
            let ends = if key.name == "score_floor" {
                vec![*range.start()]
            } else {
                vec![*range.start(), *range.end()]
            };
            for end in ends.into_iter().filter(|&end| key.name != "start_score" || end >= 0) {
                let changed = with(end.into()).unwrap_or_else(|error| panic!("{}: {error}", key.name));
                assert_eq!(rules.with_changes(&changed.changes()), Ok(changed));
            }
            for beyond in [i32::from(*range.start()) - 1, i32::from(*range.end()) + 1] {
                let (error, first) = (with(beyond).unwrap_err(), key.name.split('.').next().unwrap());
                assert!(error.starts_with(first) && error.contains("expected"), "{error}");
            }
        }
    }

    #[test]
    fn ranges_hold_to_both_ends() {
        check_ranges::<AzulRules>();
        check_ranges::<SummerPavilionRules>();
        check_ranges::<QueensGardenRules>();
    }
}
