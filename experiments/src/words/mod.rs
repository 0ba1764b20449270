//! Games in words: what an action does, what a game waits for, its rules in short. The terminal and the page say the same.
//!
//! What is special for a game is its [`GameWords`], one file a game.

mod azul;
mod guide;
mod mistakes;
mod queens_garden;
mod summer_pavilion;
#[cfg(test)]
mod tests;

pub use guide::Topic;
pub use mistakes::MistakeKind;

use azulejo::{Game, Move, Seat};

/// A game that tells a person in words what happens: as it is provided, in its notation.
pub trait GameWords: Game {
    /// What a player holds beside points that the board does not show: "passed", say. Empty if there is
    /// nothing.
    fn notes(&self, seat: Seat) -> String {
        _ = seat;
        String::new()
    }

    /// What the game waits for: "take tiles".
    fn task(&self) -> &'static str {
        "choose an action"
    }

    /// What an action that is legal now does.
    fn action_in_words(&self, action: Self::Action) -> String {
        action.to_string()
    }

    /// What an outcome that is possible now brings.
    fn outcome_in_words(&self, outcome: &Self::Outcome) -> String {
        outcome.to_string()
    }

    /// What a move that can be played now does.
    fn move_in_words(&self, played: &Move<Self>) -> String {
        match played {
            Move::Action(action) => self.action_in_words(*action),
            Move::Outcome(outcome) => self.outcome_in_words(outcome),
        }
    }

    /// In which respect an action that is legal now differs from a better one.
    fn mistake_kind(&self, played: Self::Action, better: Self::Action) -> MistakeKind {
        _ = (played, better);
        MistakeKind::ANY
    }

    /// What a person is told of the game, with the numbers of the rules in play, in lines of at most 78 letters.
    fn guide(&self, topic: Topic) -> Vec<String> {
        vec![format!("there is no text about the {topic} of {}", Self::NAME)]
    }
}

/// `factory 3`, or `the center` for 0.
fn source_in_words(source: u8) -> String {
    if source == 0 { "the center".to_owned() } else { format!("factory {source}") }
}
