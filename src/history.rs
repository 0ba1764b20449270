//! The course of a game: [`Move`], [`History`] and [`Ply`].

use std::fmt;

use crate::error::{IllegalMove, MoveError, excerpt};
use crate::game::{Game, Turn};
use crate::seed::Generator;

/// A move of a game: what a record's token stands for. `Display` is that token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move<G: Game> {
    /// A player's decision.
    Action(G::Action),
    /// An outcome of a chance node.
    Outcome(G::Outcome),
}

impl<G: Game> Move<G> {
    /// Reads a token of the notation: an outcome at a chance node, an action at a player's turn.
    ///
    /// # Errors
    /// If the game is over or the token is malformed. Whether the rules allow the move is not checked.
    pub fn read(state: &G, token: &str) -> Result<Self, MoveError> {
        match state.turn() {
            Turn::Over => Err(MoveError::Over),
            Turn::Player(_) => Ok(Move::Action(token.parse()?)),
            Turn::Chance => Ok(Move::Outcome(token.parse()?)),
        }
    }

    /// Draws a move: an outcome with its probability at a chance node, an action uniformly at a player's
    /// turn. `buffer` is scratch space whose content is unspecified.
    ///
    /// # Panics
    /// If the game is over.
    pub fn draw(state: &G, rng: &mut Generator, buffer: &mut Vec<G::Action>) -> Self {
        match state.turn() {
            Turn::Player(_) => Move::Action(state.random_action(rng, buffer)),
            Turn::Chance => Move::Outcome(state.sample_chance(rng)),
            Turn::Over => panic!("the game is over: nothing is left to play"),
        }
    }

    /// Whether the rules allow the move in this state.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, state: &G) -> Result<(), MoveError> {
        match self {
            _ if state.turn() == Turn::Over => return Err(MoveError::Over),
            Move::Action(action) => state.check_action(*action)?,
            Move::Outcome(outcome) => state.check_chance(outcome)?,
        }
        Ok(())
    }

    /// Plays the move.
    ///
    /// # Panics
    /// May panic, or leave a state that no game reaches, if the move is not allowed in this state.
    pub fn apply(&self, state: &mut G) {
        match self {
            Move::Action(action) => state.apply(*action),
            Move::Outcome(outcome) => state.apply_chance(outcome),
        }
    }
}

impl<G: Game> fmt::Display for Move<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Action(action) => action.fmt(f),
            Move::Outcome(outcome) => outcome.fmt(f),
        }
    }
}

/// A move of a game with the states around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ply<'a, G: Game> {
    /// The state in which the move was played.
    pub before: G,
    /// The move.
    pub played: &'a Move<G>,
    /// The state that it led to.
    pub after: G,
}

/// The course of a game: the state in which it began, the moves since then, and the state that they lead to.
///
/// ```
/// use azulejo::azul::{Azul, AzulRules};
/// use azulejo::{Game, History, intern};
///
/// let mut history = History::<Azul>::new(intern(AzulRules::default()), 2);
/// history.push_token("DBBYR/KKWW/BYRK/RRRR/BWWW")?;
/// let played = history.push_token("4R4")?;
/// assert!(history.push_token("4R4").is_err(), "the factory is empty now");
/// assert_eq!(history.plies(), 2);
///
/// for ply in history.replay() {
///     println!("{:?}: {}", ply.before.turn(), ply.played);
/// }
/// assert_eq!(history.undo(), Some(played));
/// # Ok::<(), azulejo::MoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct History<G: Game> {
    start: G,
    moves: Vec<Move<G>>,
    state: G,
}

impl<G: Game> History<G> {
    /// A game that begins.
    ///
    /// # Panics
    /// If the game does not seat `players`.
    pub fn new(rules: &'static G::Rules, players: usize) -> Self {
        History::from_state(G::new(rules, players))
    }

    /// A game that is looked at from this state on.
    pub fn from_state(start: G) -> Self {
        History { start, moves: Vec::new(), state: start }
    }

    /// The state in which the game began.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The moves so far, chance outcomes included.
    pub fn moves(&self) -> &[Move<G>] {
        &self.moves
    }

    /// The state after the moves so far.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// The number of moves so far.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Makes room for so many further moves.
    pub fn reserve(&mut self, moves: usize) {
        self.moves.reserve(moves);
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not allowed; nothing changes.
    #[inline]
    pub fn push(&mut self, played: Move<G>) -> Result<(), MoveError> {
        played.check(&self.state)?;
        played.apply(&mut self.state);
        self.moves.push(played);
        Ok(())
    }

    /// Plays a token of the notation and returns the move that it stands for.
    ///
    /// # Errors
    /// If it is malformed or not allowed; nothing changes.
    pub fn push_token(&mut self, token: &str) -> Result<Move<G>, MoveError> {
        let played = self.state.play_token(token)?;
        self.moves.push(played);
        Ok(played)
    }

    /// Plays tokens of the notation one after the other.
    ///
    /// # Errors
    /// The first one that is malformed or not allowed, with its ply; those before it have been played.
    pub fn push_tokens<T: AsRef<str>>(
        &mut self,
        tokens: impl IntoIterator<Item = T>,
    ) -> Result<(), IllegalMove> {
        for token in tokens {
            let (ply, token) = (self.plies(), token.as_ref());
            self.push_token(token).map_err(|why| IllegalMove { token: excerpt(token), ply, why })?;
        }
        Ok(())
    }

    /// Takes back the last move and returns it; `None` at the start. The moves before it are played again: a
    /// state does not remember where it came from.
    pub fn undo(&mut self) -> Option<Move<G>> {
        let last = self.moves.last().copied();
        self.truncate(self.plies().saturating_sub(1));
        last
    }

    /// Takes back all moves from this ply on; nothing changes if there are none.
    pub fn truncate(&mut self, plies: usize) {
        if plies < self.plies() {
            self.moves.truncate(plies);
            self.state = self.start;
            self.moves.iter().for_each(|played| played.apply(&mut self.state));
        }
    }

    /// The moves in order, each with the states before and after it.
    pub fn replay(&self) -> impl Iterator<Item = Ply<'_, G>> {
        self.moves.iter().scan(self.start, |state, played| {
            let before = *state;
            played.apply(state);
            Some(Ply { before, played, after: *state })
        })
    }

    /// The states in order: the start, then the state after each move.
    pub fn states(&self) -> impl Iterator<Item = G> {
        std::iter::once(self.start).chain(self.replay().map(|ply| ply.after))
    }

    /// The state after the first `plies` moves, which are played again.
    ///
    /// # Panics
    /// If there are fewer moves.
    pub fn state_at(&self, plies: usize) -> G {
        let mut state = self.start;
        self.moves[..plies].iter().for_each(|played| played.apply(&mut state));
        state
    }

    /// Whether this game began as the other one and all moves of the other one were played first.
    pub fn continues(&self, other: &Self) -> bool {
        self.start == other.start && self.moves.starts_with(&other.moves)
    }
}

#[cfg(test)]
mod tests;
