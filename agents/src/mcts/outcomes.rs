//! The outcomes that were drawn at a chance node: a list, the last new one first.

use azulejo::{Game, Generator};

use super::arena::TreeArena;
use super::node::{NONE, NodeId};

/// A chance outcome that has been drawn in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeEdge<G: Game> {
    pub outcome: G::Outcome,
    pub child: NodeId,
    /// How often this one and those after it in the list have been drawn.
    pub draws: u32,
    /// The next outcome of the same chance node.
    pub next: u32,
}

impl<G: Game> TreeArena<G> {
    /// An entry of a list of outcomes.
    #[inline]
    pub(super) fn outcome(&self, entry: u32) -> &OutcomeEdge<G> {
        &self.outcomes[entry as usize - 1]
    }

    /// The entries (numbered from 1) of the list that begins at `first`.
    pub(super) fn outcomes_from(&self, first: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(first).filter(|&entry| entry != NONE), |&entry| {
            Some(self.outcome(entry).next).filter(|&next| next != NONE)
        })
    }

    /// The entry of an outcome in the list that begins at `first`.
    pub(super) fn find_outcome(&self, first: u32, outcome: &G::Outcome) -> Option<u32> {
        self.outcomes_from(first).find(|&entry| self.outcome(entry).outcome == *outcome)
    }

    /// How often outcomes were drawn from an entry on.
    #[inline]
    fn draws_from(&self, entry: u32) -> u32 {
        if entry == NONE { 0 } else { self.outcome(entry).draws }
    }

    /// Counts another draw of an entry in the list that begins at `first`.
    pub(super) fn count_draw(&mut self, first: u32, entry: u32) {
        let mut at = first;
        loop {
            let edge = &mut self.outcomes[at as usize - 1];
            edge.draws += 1;
            if at == entry {
                return;
            }
            at = edge.next;
        }
    }

    /// Puts an outcome that was drawn for the first time in front of a list; returns its entry, or `None` if there is no room for
    /// it.
    pub(super) fn add_outcome(&mut self, outcome: G::Outcome, next: u32) -> Option<u32> {
        let child = self.add_node_and_outcome()?;
        let draws = self.draws_from(next) + 1;
        self.outcomes.push(OutcomeEdge { outcome, child, draws, next });
        Some(self.outcomes.len() as u32)
    }

    /// Draws one of the outcomes of a list, with probability in proportion to how often it was drawn; `None` if there are none.
    pub(super) fn draw_again(&mut self, first: u32, rng: &mut Generator) -> Option<u32> {
        let mut left = rng.below(self.draws_from(first).into());
        let mut entry = first;
        while entry != NONE {
            let OutcomeEdge { draws, next, .. } = *self.outcome(entry);
            let own = u64::from(draws - self.draws_from(next));
            self.outcomes[entry as usize - 1].draws += 1;
            match left.checked_sub(own) {
                None => return Some(entry),
                Some(rest) => left = rest,
            }
            entry = next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::intern;

    use super::*;

    #[test]
    fn outcomes_are_drawn_again_as_often_as_they_were_drawn() {
        let (deal, mut rng) = (Azul::new(intern(AzulRules::default()), 2), Generator::new(3));
        let mut arena = TreeArena::<Azul>::new(1 << 20);
        arena.clear();
        let (mut first, mut counts) = (NONE, Vec::new());
        assert_eq!(arena.draw_again(first, &mut rng), None);
        for round in 0..1500 {
            let entry = match round % 100 {
                0 => {
                    first = arena.add_outcome(deal.sample_chance(&mut rng), first).expect("there is room");
                    counts.push(0);
                    first
                }
                1 => {
                    let entry = 1 + rng.below(first.into()) as u32;
                    let outcome = arena.outcome(entry).outcome;
                    assert_eq!(arena.find_outcome(first, &outcome), Some(entry));
                    arena.count_draw(first, entry);
                    entry
                }
                _ => {
                    // The slow twin: a walk through shares of the draws, the newest outcome first.
                    let mut left = rng.clone().below(counts.iter().sum());
                    let mut newest_first = (1..=first).rev();
                    let expected = newest_first.find(|&entry| {
                        let own: u64 = counts[entry as usize - 1];
                        let found = left < own;
                        left = left.saturating_sub(own);
                        found
                    });
                    let drawn = arena.draw_again(first, &mut rng);
                    assert_eq!(drawn, expected);
                    drawn.expect("there are outcomes")
                }
            };
            counts[entry as usize - 1] += 1;
        }
        assert_eq!(arena.outcomes_from(first).count(), 15);
    }
}
