//! Whether a line of play meets a chance node: [`find_chance`].

use std::collections::HashMap;

use azulejo::Turn;

use super::budget::{Budget, Halt};
use super::endgame::Endgame;

/// Plays all lines from a state until one meets a chance node, and returns that one; `None` if there is none.
///
/// # Errors
/// If the budget is used up.
pub(super) fn find_chance<G: Endgame>(
    state: &G,
    outlook: &mut G::Outlook,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<G::Action>>, Halt> {
    let mut foresight = Foresight { outlook, budget, seen: HashMap::new(), line: Vec::new() };
    Ok(foresight.meets_chance(state)?.then_some(foresight.line))
}

struct Foresight<'a, 'w, G: Endgame> {
    outlook: &'a mut G::Outlook,
    budget: &'a mut Budget<'w>,
    /// The images of states whose lines have been played.
    seen: HashMap<Vec<u64>, ()>,
    line: Vec<G::Action>,
}

impl<G: Endgame> Foresight<'_, '_, G> {
    fn meets_chance(&mut self, state: &G) -> Result<bool, Halt> {
        match state.turn() {
            Turn::Chance => return Ok(true),
            Turn::Over => return Ok(false),
            Turn::Player(_) => self.budget.spend()?,
        }
        if let Some(image) = state.image(self.outlook, self.budget)? {
            let image = image.as_ref().to_vec();
            if self.seen.contains_key(&image) {
                return Ok(false);
            }
            self.budget.keep(&mut self.seen, image, ())?;
        }
        let mut actions = Vec::new();
        state.legal_actions(&mut actions);
        for action in actions {
            let mut child = *state;
            child.apply(action);
            self.line.push(action);
            if self.meets_chance(&child)? {
                return Ok(true);
            }
            self.line.pop();
        }
        Ok(false)
    }
}
