//! Why something from outside was refused.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::suggestion::suggestion;

/// The rule that forbids an action or a chance outcome in a state, as a clause for a message:
/// "that source holds no such tile".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RuleViolation(pub &'static str);

/// A token that does not spell any action or outcome of the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{token}' is not {expected}")]
pub struct NotationError {
    /// The text as it was given, shortened if it is long.
    pub token: String,
    /// What was expected, with an example.
    pub expected: &'static str,
}

impl NotationError {
    /// The error for `token` where `expected` ("a drafting action such as 3R4") should have stood.
    pub fn new(token: &str, expected: &'static str) -> Self {
        NotationError { token: excerpt(token), expected }
    }
}

/// A move that cannot be played: not a token of the game, or against its rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The token spells no action (or, at a chance node, no outcome) of the game.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The rules forbid it in this state.
    #[error(transparent)]
    Illegal(#[from] RuleViolation),
    /// The game has ended.
    #[error("the game is over")]
    Over,
}

/// The first of a row of moves that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("illegal move {token} at {ply}: {why}")]
pub struct IllegalMove {
    /// The move as it was given, shortened if it is long.
    pub token: String,
    /// The number of moves before it.
    pub ply: usize,
    /// Why it cannot be played.
    pub why: MoveError,
}

/// A game spec, or a number of players, that names nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// No game has this id.
    #[error("unknown game '{name}'; known games: {known}{}", suggestion(name, known))]
    Game {
        /// The id as it was given.
        name: String,
        /// All ids, separated by commas.
        known: String,
    },
    /// The game has no such option.
    #[error("unknown option '{option}' of {game}; known options: {known}{}", suggestion(option, known))]
    Option {
        /// The game's id.
        game: &'static str,
        /// The option as it was given.
        option: String,
        /// All options, separated by commas.
        known: &'static str,
    },
    /// An option's value cannot be used.
    #[error("option '{option}' of {game}: {problem}")]
    Value {
        /// The game's id.
        game: &'static str,
        /// The option as it was given.
        option: String,
        /// What is wrong with it and what was expected.
        problem: String,
    },
    /// Changed rules are named by a file, and reading a spec opens none.
    #[error(
        "'rules={file}' of {game} names a file, which is not read here: expected the numbers, rules={{\"key\":value}}"
    )]
    RulesFile {
        /// The game's id.
        game: &'static str,
        /// The file as it was named.
        file: String,
    },
    /// No more rules fit into the program's memory for good.
    #[error("too many different rules of {game}: at most {most} in one run of the program")]
    Rules {
        /// The game's id.
        game: &'static str,
        /// The bound.
        most: usize,
    },
    /// Two options that exclude each other.
    #[error("options '{first}' and '{second}' of {game} exclude each other")]
    Conflict {
        /// The game's id.
        game: &'static str,
        /// The option that came first.
        first: String,
        /// The option that contradicts it.
        second: String,
    },
    /// The number of players is out of range.
    #[error("{players} players: the game seats {}", alternatives(seats.clone()))]
    Players {
        /// The number as it was given.
        players: usize,
        /// The numbers of players that the game seats.
        seats: RangeInclusive<usize>,
    },
}

impl SpecError {
    /// The error for a spec that names none of these games, by their ids.
    pub fn unknown(spec: &str, known: &[&str]) -> Self {
        let id = spec.split(':').next().unwrap_or(spec);
        SpecError::Game { name: excerpt(id), known: known.join(", ") }
    }
}

/// Numbers as a text: `2, 3 or 4`.
fn alternatives(numbers: RangeInclusive<usize>) -> String {
    let (last, mut text) = (*numbers.end(), String::new());
    for number in numbers {
        let joint = if text.is_empty() {
            ""
        } else if number == last {
            " or "
        } else {
            ", "
        };
        text += &format!("{joint}{number}");
    }
    text
}

/// A JSON state that no game can be in.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: {problem}")]
pub struct StateError {
    /// Where: `boards[0].lines[2]`.
    pub key: String,
    /// What is wrong there, with the value found and what was expected.
    pub problem: String,
}

impl StateError {
    /// The error for what stands at `key`.
    pub fn new(key: impl Into<String>, problem: impl Into<String>) -> Self {
        StateError { key: key.into(), problem: problem.into() }
    }
}

/// At most 40 characters of a text from outside, for a message of one line: control characters are replaced.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", printable(&text[..end])),
        None => printable(text),
    }
}

/// A message that may quote a long text from outside, as one line of at most 201 characters: cut in its
/// middle, since the end says what was expected.
pub fn shortened(message: &str) -> String {
    const KEPT: usize = 100;
    let letters: Vec<char> = message.chars().collect();
    if letters.len() <= 2 * KEPT {
        return printable(message);
    }
    let part = |letters: &[char]| printable(&letters.iter().collect::<String>());
    format!("{}…{}", part(&letters[..KEPT]), part(&letters[letters.len() - KEPT..]))
}

/// A text from outside as a line that a terminal shows as it is: control characters are replaced.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_of_one_line() {
        assert_eq!(excerpt("a\nb\u{7}é"), "a\u{FFFD}b\u{FFFD}é");
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(excerpt(&"é".repeat(41)), format!("{}…", "é".repeat(40)));
    }

    #[test]
    fn messages_keep_their_end() {
        let message = shortened(&format!("found '{}', expected a seat", "é\n".repeat(5_000)));
        assert!(message.starts_with("found 'é") && message.ends_with("', expected a seat"), "{message}");
        assert_eq!(message.chars().count(), 201);
        assert!(!message.contains('\n'));
    }
}
