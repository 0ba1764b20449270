//! The [`Game`] trait: what every game of the family offers to search, self-play, records and tests.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Serialize;
use serde_json::Value;

use crate::changes::{Changes, RuleKey};
use crate::error::{MoveError, NotationError, RuleViolation, SpecError, StateError};
use crate::history::Move;
use crate::index::Indexed;
use crate::player::{PerPlayer, Seat};
use crate::seed::Generator;

/// Whose decision comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The player at this seat chooses among the legal actions. The same seat may move several times in a
    /// row.
    Player(Seat),
    /// A chance node: the rules draw something at random.
    Chance,
    /// The game has ended.
    Over,
}

/// The rules data of one variant of a game: everything that the variants' rules differ in.
pub trait Rules: Debug + PartialEq + Send + Sync + Sized + 'static {
    /// The options of a game spec with what each means, for lists and help; those of the default variant say so. The
    /// option `rules=` for changed numbers is not among them, as every game takes it.
    const OPTIONS: &'static [(&'static str, &'static str)] = &[];

    /// The rules of a variant, from the options of a game spec: what follows `<id>:`, split at commas,
    /// without changed numbers (empty for the default variant). Reads no file.
    ///
    /// # Errors
    /// An unknown, contradictory or unusable option.
    fn from_options(options: &[&str]) -> Result<Self, SpecError>;

    /// The options of the variant, in canonical order, defaults left out; empty for the default variant.
    /// Changed numbers are not among them.
    fn options(&self) -> String;

    /// The named variants that users choose from, the default first.
    fn variants() -> Vec<Self>;

    /// The keys of the numbers that can be changed, in the order in which a list names them; none for a game
    /// whose rules have no numbers to change.
    const KEYS: &'static [RuleKey] = &[];

    /// All numbers by key, changed or not.
    fn numbers(&self) -> Changes {
        Changes::new()
    }

    /// The numbers that differ from those of the variant; empty for a game whose rules have no numbers to
    /// change.
    fn changes(&self) -> Changes {
        Changes::new()
    }

    /// These rules with changed numbers.
    ///
    /// # Errors
    /// A key that does not exist, or a value of the wrong type or out of range, with the key. As it is
    /// provided: always.
    fn with_changes(&self, changes: &Changes) -> Result<Self, String> {
        _ = changes;
        Err("these rules have no numbers to change".to_owned())
    }
}

/// A game's state, with the rules that move it on.
///
/// A state is a plain value: copying it copies the game. It contains no random generator and nothing that the
/// players do not know, apart from the order of what is drawn: that comes in from outside, outcome by
/// outcome, at chance nodes. Whenever [`turn`](Game::turn) is [`Turn::Player`] at least one action is legal;
/// whenever it is [`Turn::Chance`] at least one outcome is possible.
///
/// [`Display`] draws the state for a terminal in plain text; [`Serialize`] writes the state's JSON object.
pub trait Game: Copy + PartialEq + Debug + Display + Serialize + Send + Sync + 'static {
    /// The variants' rules data.
    type Rules: Rules;
    /// A player's decision; `Display` and `FromStr` are its notation. `Ord` is the order of `legal_actions`.
    type Action: Indexed
        + Copy
        + Eq
        + Ord
        + Hash
        + Debug
        + Display
        + FromStr<Err = NotationError>
        + Send
        + Sync;
    /// A chance outcome; `Display` and `FromStr` are its notation.
    type Outcome: Copy + Eq + Debug + Display + FromStr<Err = NotationError> + Send + Sync;

    /// The game's id in specs: `azul`.
    const ID: &'static str;
    /// The game's name for people: `Azul`.
    const NAME: &'static str;
    /// The numbers of players that the game seats, at most [`MAX_PLAYERS`](crate::MAX_PLAYERS).
    const PLAYERS: RangeInclusive<usize>;
    /// No state has more legal actions than this.
    const MAX_LEGAL: usize;

    /// The state in which a game of `players` begins.
    ///
    /// # Panics
    /// If `players` is not among [`PLAYERS`](Game::PLAYERS).
    fn new(rules: &'static Self::Rules, players: usize) -> Self;

    /// The variant's rules data.
    fn rules(&self) -> &'static Self::Rules;

    /// The number of players.
    fn players(&self) -> usize;

    /// The current round, from 1.
    fn round(&self) -> u32;

    /// Whose decision comes next.
    fn turn(&self) -> Turn;

    /// Clears `buffer` and fills it with all legal actions in ascending order: none at chance and over.
    fn legal_actions(&self, buffer: &mut Vec<Self::Action>);

    /// Whether the rules allow this action now.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn check_action(&self, action: Self::Action) -> Result<(), RuleViolation>;

    /// Plays a legal action.
    ///
    /// # Panics
    /// May panic, or leave a state that no game reaches, if the action is not legal.
    fn apply(&mut self, action: Self::Action);

    /// Draws an outcome of the chance node with its true probability.
    ///
    /// # Panics
    /// May panic if the state is not at a chance node.
    fn sample_chance(&self, rng: &mut Generator) -> Self::Outcome;

    /// Whether the outcome is possible at this chance node.
    ///
    /// # Errors
    /// Why it is not.
    fn check_chance(&self, outcome: &Self::Outcome) -> Result<(), RuleViolation>;

    /// Moves on by a possible outcome of the chance node.
    ///
    /// # Panics
    /// May panic, or leave a state that no game reaches, if the outcome is not possible.
    fn apply_chance(&mut self, outcome: &Self::Outcome);

    /// The points of each seat: so far while the game runs, final once it is over.
    fn scores(&self) -> PerPlayer<i16>;

    /// One win, shared equally among the winners after the rulebook's tie-breaks.
    ///
    /// Meaningful only once the game is over.
    fn wins(&self) -> PerPlayer<f64>;

    /// The state that a JSON object describes (see `docs/formats.md`).
    ///
    /// # Errors
    /// The first value that is malformed or that contradicts the rules or another value.
    fn from_json(rules: &'static Self::Rules, state: &Value) -> Result<Self, StateError>;

    /// An action drawn uniformly from the legal ones. `buffer` is scratch space whose content is unspecified.
    ///
    /// Games may override it with direct sampling of the same distribution.
    ///
    /// # Panics
    /// If no action is legal: at chance and over.
    fn random_action(&self, rng: &mut Generator, buffer: &mut Vec<Self::Action>) -> Self::Action {
        self.legal_actions(buffer);
        buffer[rng.below(buffer.len() as u64) as usize]
    }

    /// Whether the rules allow this action now.
    fn is_legal(&self, action: Self::Action) -> bool {
        self.check_action(action).is_ok()
    }

    /// Plays the action if it is legal.
    ///
    /// # Errors
    /// The rule that forbids it; the state is unchanged.
    fn try_apply(&mut self, action: Self::Action) -> Result<(), RuleViolation> {
        self.check_action(action)?;
        self.apply(action);
        Ok(())
    }

    /// Draws an outcome of the chance node and moves on by it.
    fn play_chance(&mut self, rng: &mut Generator) {
        let outcome = self.sample_chance(rng);
        self.apply_chance(&outcome);
    }

    /// Plays a token of the notation (an outcome at a chance node, an action at a player's turn) and returns
    /// the move that it stands for.
    ///
    /// # Errors
    /// If the token is malformed or not allowed; the state is unchanged.
    fn play_token(&mut self, token: &str) -> Result<Move<Self>, MoveError> {
        let played = Move::read(self, token)?;
        played.check(self)?;
        played.apply(self);
        Ok(played)
    }

    /// Plays one step at random: an outcome at a chance node, a uniform action at a player's turn.
    ///
    /// # Panics
    /// If the game is over.
    fn play_random(&mut self, rng: &mut Generator, buffer: &mut Vec<Self::Action>) {
        match self.turn() {
            Turn::Player(_) => {
                let action = self.random_action(rng, buffer);
                self.apply(action);
            }
            Turn::Chance => self.play_chance(rng),
            Turn::Over => panic!("the game is over: nothing is left to play"),
        }
    }
}
