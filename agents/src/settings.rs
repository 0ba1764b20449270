//! Files of settings, such as rules and weights: TOML of bounded length, with errors that say where the fault
//! is.

use std::io;
use std::mem;
use std::ops::Range;
use std::path::Path;

use azulejo::{excerpt, shortened};
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Deserializer};

use crate::bounded_file::read_text;

/// The longest file of settings that is read, in bytes.
pub const MAX_SETTINGS: u64 = 1 << 20;

/// The text of a file of settings.
///
/// # Errors
/// If it is not a regular file, longer than [`MAX_SETTINGS`], not UTF-8, or cannot be read.
pub fn read_settings(path: &Path) -> io::Result<String> {
    read_text(path, MAX_SETTINGS)
}

/// Settings from the text of a file.
///
/// # Errors
/// What is wrong, in one line, with the line of the text and the key if there is one.
pub fn parse_settings<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    from_table(text, parse_table(text)?)
}

/// The settings of each run that a file describes, with the run's name, in the names' order.
///
/// Runs are tables `[runs.NAME]`; keys above them hold for every run that does not set them itself, key by key
/// within tables, too. A file without `runs` describes one run without a name.
///
/// # Errors
/// As [`parse_settings`], with the run's name; a name that cannot be that of a directory, or no run.
pub fn parse_runs<T: DeserializeOwned>(text: &str) -> Result<Vec<(Option<String>, T)>, String> {
    let mut common = parse_table(text)?;
    let Some(runs) = common.get_mut().remove("runs") else {
        return Ok(vec![(None, from_table(text, common)?)]);
    };
    let runs = match runs.into_inner() {
        DeValue::Table(runs) if !runs.is_empty() => runs,
        _ => return Err("runs: found none, expected at least one table [runs.NAME]".to_owned()),
    };
    let run = |(name, keys): (Spanned<DeString<'_>>, Spanned<DeValue<'_>>)| {
        let (name, span) = (name.into_inner().into_owned(), keys.span());
        let settings = check_name(&name).and_then(|()| match keys.into_inner() {
            DeValue::Table(keys) => {
                from_table(text, Spanned::new(span, over(keys, common.get_ref().clone())))
            }
            _ => Err("expected a table".to_owned()),
        });
        match settings {
            Ok(settings) => Ok((Some(name), settings)),
            Err(problem) => Err(format!("runs.{name}: {problem}")),
        }
    };
    runs.into_iter().map(run).collect()
}

/// The values of `keys`, and those of `common` for keys that are missing there.
fn over<'a>(keys: DeTable<'a>, mut common: DeTable<'a>) -> DeTable<'a> {
    for (key, mut value) in keys {
        if let (DeValue::Table(keys), Some(below)) = (value.get_mut(), common.get_mut(&key))
            && let DeValue::Table(below) = below.get_mut()
        {
            *keys = over(mem::take(keys), mem::take(below));
        }
        common.insert(key, value);
    }
    common
}

/// The name of a run is that of a directory everywhere.
fn check_name(name: &str) -> Result<(), String> {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    if name.chars().all(plain) && !name.is_empty() && !name.starts_with('.') {
        return Ok(());
    }
    Err("a run's name has letters, digits and -_. and does not begin with a dot".to_owned())
}

fn parse_table(text: &str) -> Result<Spanned<DeTable<'_>>, String> {
    DeTable::parse(text).map_err(|error| located(text, None, &error))
}

/// Settings from the table of a text, or from parts of it. Keys that nobody knows are named all at once.
fn from_table<T: DeserializeOwned>(text: &str, mut table: Spanned<DeTable<'_>>) -> Result<T, String> {
    let (mut first, mut others) = (None, Vec::new());
    loop {
        let error = match serde_path_to_error::deserialize(Deserializer::from(table.clone())) {
            Ok(settings) => return first.map_or(Ok(settings), |first| Err(together(first, &mut others))),
            Err(error) => error,
        };
        let (key, span) = (error.path().to_string(), error.inner().span());
        let is_unknown = error.inner().message().starts_with("unknown field");
        match &first {
            None => first = Some(located(text, (key != ".").then_some(key), error.inner())),
            Some(_) if is_unknown => others.push((line_of(text, span.clone()), excerpt(&key))),
            Some(_) => {}
        }
        let goes_on = is_unknown && others.len() < MOST_OTHERS && remove_key(table.get_mut(), span);
        if let Some(first) = first.take_if(|_| !goes_on) {
            return Err(together(first, &mut others));
        }
    }
}

/// So many unknown keys are named beside the first one.
const MOST_OTHERS: usize = 8;

/// The first problem, and the other keys that are unknown, with their lines.
fn together(first: String, others: &mut [(usize, String)]) -> String {
    if others.is_empty() {
        return first;
    }
    others.sort();
    let others: Vec<String> = others.iter().map(|(line, key)| format!("line {line}: {key}")).collect();
    format!("{first}; unknown, too: {}", others.join(", "))
}

/// Takes the key that stands at this place of the text out of a table, or of one in it; returns whether it was there.
fn remove_key(table: &mut DeTable<'_>, place: Option<Range<usize>>) -> bool {
    let Some(place) = place else { return false };
    if let Some(key) = table.keys().find(|key| key.span() == place).cloned() {
        return table.remove(&key).is_some();
    }
    table.iter_mut().any(|(_, value)| remove_inside(value.get_mut(), &place))
}

/// The same within a value.
fn remove_inside(value: &mut DeValue<'_>, place: &Range<usize>) -> bool {
    match value {
        DeValue::Table(inner) => remove_key(inner, Some(place.clone())),
        DeValue::Array(values) => values.iter_mut().any(|value| remove_inside(value.get_mut(), place)),
        _ => false,
    }
}

/// An error in one line, with the line of the text.
fn located(text: &str, key: Option<String>, error: &toml::de::Error) -> String {
    let line = line_of(text, error.span());
    let key = key.map_or(String::new(), |key| format!("{key}: "));
    shortened(&format!("line {line}: {key}{}", error.message()))
}

/// The line of the text where something stands, from 1.
fn line_of(text: &str, place: Option<Range<usize>>) -> usize {
    let begin = place.map_or(0, |place| place.start.min(text.len()));
    text.as_bytes()[..begin].iter().filter(|&&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn faults_are_named_with_their_place() {
        let parse = |text: &str| parse_settings::<BTreeMap<String, Vec<u8>>>(text).unwrap_err();
        assert!(parse("a = [1]\nb = = 2").starts_with("line 2: "), "{}", parse("a = [1]\nb = = 2"));
        assert!(parse("a = [1]\n\nb = [7, 300]").starts_with("line 3: b[1]: invalid value"));
        assert!(parse(&format!("a = {}", "[".repeat(100_000))).len() < 300, "deep nesting is refused");
    }

    #[test]
    fn unknown_keys_are_named_all_at_once() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct Inner {
            here: u8,
        }
        impl Default for Inner {
            fn default() -> Self {
                Inner { here: 1 }
            }
        }
        #[derive(Debug, Default, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct Outer {
            inner: Inner,
            list: Vec<Inner>,
        }
        let text = "a = 1\nlist = [{ here = 2, b = 1 }]\n[inner]\nhere = 3\nc = 4\n";
        let fault = parse_settings::<Outer>(text).unwrap_err();
        let expected = "line 1: a: unknown field `a`, expected `inner` or `list`; \
                        unknown, too: line 2: list[0].b, line 5: inner.c";
        assert_eq!(fault, expected);
        let right = parse_settings::<Outer>("list = [{}]\n[inner]\nhere = 3").unwrap();
        assert_eq!((right.inner.here, right.list[0].here), (3, 1));
        let many: String = (0..40).map(|key| format!("key-{key} = 1\n")).collect();
        assert_eq!(parse_settings::<Outer>(&many).unwrap_err().matches("line ").count(), 1 + MOST_OTHERS);
    }

    #[test]
    fn runs_take_what_they_do_not_set_from_the_file() {
        type Settings = BTreeMap<String, BTreeMap<String, u8>>;
        let parse = parse_runs::<Settings>;
        assert_eq!(parse("[a]\nb = 1").unwrap(), [(None, parse_settings("[a]\nb = 1").unwrap())]);
        let text = "[a]\nb = 1\nc = 2\n[runs.two.a]\nb = 3\n[runs.two.d]\ne = 4\n[runs.one]\n";
        let merged = parse_settings("[a]\nb = 3\nc = 2\n[d]\ne = 4").unwrap();
        let plain = parse_settings("[a]\nb = 1\nc = 2").unwrap();
        assert_eq!(parse(text).unwrap(), [(Some("one".into()), plain), (Some("two".into()), merged)]);
        let fault = |from: &str, to: &str| parse(&text.replace(from, to)).unwrap_err();
        assert!(fault("e = 4", "e = 400").starts_with("runs.two: line 7: d.e: invalid value"));
        assert!(fault("c = 2", "c = 400").starts_with("runs.one: line 3: a.c: invalid value"));
        assert!(fault("[runs.one]", "[runs.'o/n']").starts_with("runs.o/n: a run's name has"));
        assert_eq!(parse("runs = {a = 1}").unwrap_err(), "runs.a: expected a table");
        assert!(parse("[runs]").unwrap_err().starts_with("runs: found none"));
    }
}
