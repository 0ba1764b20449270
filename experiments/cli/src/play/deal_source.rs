//! Where chance outcomes come from: [`DealSource`].

use azulejo::{Game, MoveError};
use azulejo_experiments::game_loop::Deals;

/// Where chance outcomes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DealSource {
    /// The program draws them, from the seed.
    Seed,
    /// A table at which people draw. These are the outcomes that are known, in order; further ones are to be entered.
    Table(Vec<String>),
}

impl DealSource {
    /// The outcomes in a text: a token a line. Empty lines and what follows a # say nothing.
    pub(crate) fn read(text: &str) -> Self {
        let tokens = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        DealSource::Table(tokens.filter(|token| !token.is_empty()).map(str::to_owned).collect())
    }

    /// The outcome at a chance node, by the number of such nodes before it; `None` if it is to be entered.
    ///
    /// # Errors
    /// If the outcome that is known cannot be.
    pub(super) fn outcome<G: Game>(
        &self,
        seed: u64,
        node: usize,
        state: &G,
    ) -> Result<Option<G::Outcome>, MoveError> {
        let known = match self {
            DealSource::Seed => return Ok(Some(Deals::new(seed, 0).at(node as u64, state))),
            DealSource::Table(tokens) => tokens.get(node),
        };
        known.map(|token| read(state, token)).transpose()
    }

    /// Takes note of an outcome that was entered at a node, so that it comes again after an undo.
    pub(super) fn note(&mut self, node: usize, token: &str) {
        if let DealSource::Table(tokens) = self {
            tokens.truncate(node);
            tokens.push(token.to_owned());
        }
    }
}

/// An outcome that can come now.
fn read<G: Game>(state: &G, token: &str) -> Result<G::Outcome, MoveError> {
    let outcome: G::Outcome = token.parse()?;
    state.check_chance(&outcome)?;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_stands_on_a_line() {
        let tokens = ["DBBYR/KKWW/BYRK/RRRR/BWWW", "DBBYR"].map(str::to_owned).to_vec();
        let text = "# Monday\n\nDBBYR/KKWW/BYRK/RRRR/BWWW   # the first round\n  DBBYR\n";
        assert_eq!(DealSource::read(text), DealSource::Table(tokens));
        assert_eq!(DealSource::read(""), DealSource::Table(vec![]));
    }
}
