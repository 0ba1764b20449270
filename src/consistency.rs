//! What has to hold between the values of a state that comes from outside, so that a game can have reached it.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::error::StateError;
use crate::factories::Holders;
use crate::tiles::Tiles;

/// Returns an error for the first key whose condition does not hold: `"key": condition => "problem";`. Key
/// and problem are formatted.
macro_rules! ensure {
    ($($key:literal: $holds:expr => $problem:literal $(, $found:expr)*;)+) => {
        $(if !$holds {
            return Err($crate::error::StateError::new(format!($key), format!($problem $(, $found)*)));
        })+
    };
}

pub(crate) use ensure;

/// Checks that a list has one entry per player (or factory, …).
pub(crate) fn check_len(key: &str, found: usize, expected: usize) -> Result<(), StateError> {
    ensure! { "{key}": found == expected => "found {found} entries, expected {expected}"; }
    Ok(())
}

/// Checks that a number is in range.
pub(crate) fn check_range<T: PartialOrd + Display>(
    key: &str,
    found: T,
    range: RangeInclusive<T>,
) -> Result<(), StateError> {
    let (first, last) = (range.start(), range.end());
    ensure! { "{key}": range.contains(&found) => "found {found}, expected {first} to {last}"; }
    Ok(())
}

/// Checks that there are at most `most` tiles.
pub(crate) fn check_most(key: &str, tiles: Tiles, most: u8) -> Result<(), StateError> {
    ensure! { "{key}": tiles.total() <= most => "found {} tiles, expected at most {most}", tiles.total(); }
    Ok(())
}

/// How many tiles of each kind these multisets hold together: in wide numbers, since a faulty state may hold
/// more than a multiset can count.
pub(crate) fn totals<const N: usize>(parts: impl Iterator<Item = Tiles>) -> [u32; N] {
    let mut totals = [0; N];
    parts.flat_map(Tiles::iter).for_each(|(kind, count)| totals[kind] += u32::from(count));
    totals
}

/// Checks that all `each` tiles of each kind are there; `noun` stands before a kind's name.
pub(crate) fn check_all_there<K: Display>(
    noun: &str,
    kinds: impl IntoIterator<Item = K>,
    found: &[u32],
    each: u8,
) -> Result<(), StateError> {
    for (kind, &found) in kinds.into_iter().zip(found) {
        ensure! {
            "state": found == u32::from(each) => "found {found} tiles {noun}{kind} in all, expected {each}";
        }
    }
    Ok(())
}

/// Checks that tiles lie in factories and center exactly while they are being taken.
pub(crate) fn check_offered(holders: &Holders, taking: bool) -> Result<(), StateError> {
    let word = if holders.is_empty() { "no tile lies" } else { "tiles lie" };
    ensure! {
        "phase": holders.is_empty() != taking
            => "{word} in factories and center, which does not go with this phase";
    }
    Ok(())
}
