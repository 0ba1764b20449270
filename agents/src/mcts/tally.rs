//! What simulations found after each of the root's actions: [`RootTally`].

use azulejo::{Keyed, MAX_PLAYERS, PerPlayer, Seat};

use super::node::Below;
use super::tree::{Leaf, Tree};
use crate::evaluator::Expectation;

/// The sums over the simulations that went to one of the root's children since its state became the root.
///
/// Nodes keep sums of utilities alone: shares of the win and leads in points are told of the root's actions, and would take
/// half as much memory again at every node. So of simulations made before, in a tree that is kept from move to move, they are
/// not known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RootTally {
    simulations: u32,
    wins: [f64; MAX_PLAYERS],
    leads: [f64; MAX_PLAYERS],
}

impl RootTally {
    /// Counts a simulation that ended with this expectation.
    #[inline]
    fn count(&mut self, found: &Expectation) {
        self.simulations += 1;
        for (sum, &win) in self.wins.iter_mut().zip(found.wins.as_slice()) {
            *sum += f64::from(win);
        }
        for (sum, &lead) in self.leads.iter_mut().zip(found.leads.as_slice()) {
            *sum += f64::from(lead);
        }
    }

    /// The tally of both together.
    #[must_use]
    pub(super) fn and(mut self, other: &RootTally) -> Self {
        self.simulations += other.simulations;
        for seat in 0..MAX_PLAYERS {
            self.wins[seat] += other.wins[seat];
            self.leads[seat] += other.leads[seat];
        }
        self
    }

    /// The mean share of the win and the mean lead of each seat; `None` without simulations.
    pub(super) fn means(&self, players: usize) -> Option<[PerPlayer<f32>; 2]> {
        let mean = |sums: &[f64; MAX_PLAYERS]| {
            PerPlayer::from_fn(players, |seat: Seat| {
                (sums[seat.index()] / f64::from(self.simulations)) as f32
            })
        };
        (self.simulations > 0).then(|| [mean(&self.wins), mean(&self.leads)])
    }
}

impl<G: Keyed> Tree<G> {
    /// Counts what was found at a leaf for the root's child that the walk went to, if it went to one.
    #[inline]
    pub(super) fn count_at_root(&mut self, leaf: &Leaf<G>, found: &Expectation) {
        let [top, rest @ ..] = leaf.path.as_slice() else { return };
        let has_twin = matches!(self.node(*top).below(), Below::Twin(_));
        let Some(&child) = rest.get(usize::from(has_twin)) else { return };
        let Some(children) = self.children(self.top) else { return };
        let place = usize::from(self.arena.place(children, child));
        if place >= self.tallies.len() {
            self.tallies.resize(place + 1, RootTally::default());
        }
        self.tallies[place].count(found);
    }

    /// The tally of the root's child that an action leads to.
    pub(super) fn tally(&self, action: G::Action) -> RootTally {
        let tried = self.children(self.top).into_iter().flat_map(|children| self.arena.tried_nodes(children));
        let place = { tried }.position(|child| child.action == action);
        place.and_then(|place| self.tallies.get(place)).copied().unwrap_or_default()
    }

    /// The tally of all of the root's children together.
    pub(super) fn root_tally(&self) -> RootTally {
        self.tallies.iter().fold(RootTally::default(), RootTally::and)
    }
}
