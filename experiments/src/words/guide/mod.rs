//! A game in short, for the person at the table: its rules, its scoring and the signs of its drawing, with the numbers
//! of the rules in play.

mod azul;
mod queens_garden;
mod summer_pavilion;

use std::fmt;

pub(super) use azul::guide as azul;
pub(super) use queens_garden::guide as queens_garden;
pub(super) use summer_pavilion::guide as summer_pavilion;

/// What a person wants to be told of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// How a round goes and when the game ends.
    Rules,
    /// What brings and takes points.
    Scoring,
    /// What the signs of the drawing and the letters of moves mean.
    Legend,
}

impl Topic {
    /// All topics.
    pub const ALL: [Topic; 3] = [Topic::Rules, Topic::Scoring, Topic::Legend];
}

/// The word by which it is asked for.
impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Topic::Rules => "rules",
            Topic::Scoring => "points",
            Topic::Legend => "legend",
        })
    }
}

/// The most letters of a line.
const WIDTH: usize = 78;

/// The lines of a text, without the blanks before them; those that numbers have made too long are broken.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        lines.push(String::new());
        for word in line.split_whitespace() {
            let open = lines.last_mut().expect("a line was begun");
            if open.is_empty() {
                *open = word.to_owned();
            } else if open.chars().count() + 1 + word.chars().count() <= WIDTH {
                *open += &format!(" {word}");
            } else {
                lines.push(word.to_owned());
            }
        }
    }
    lines
}

/// Numbers as a list: `1, 2, 3`.
fn list(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}
