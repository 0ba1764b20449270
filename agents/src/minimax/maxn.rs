//! max^n: every seat maximizes its own lead (Luckhardt and Irani 1986).

use std::ops::ControlFlow;

use azulejo::{Indexed, PerPlayer, Seat, Turn};

use super::best_actions::BestAction;
use super::memory::{INFINITY, SearchNode, leads};
use super::search::{Found, MinimaxSearch, RootSearch};
use super::table::{Bound, Entry, Reuse};
use crate::heuristic::{Millipoints, StateValue};

/// The best of some actions for one seat; of equal ones that of the lowest index, so that the order does not
/// matter.
struct MaxnChoice {
    seat: Seat,
    leads: PerPlayer<Millipoints>,
    index: usize,
}

impl MaxnChoice {
    fn new(seat: Seat, players: usize) -> Self {
        MaxnChoice { seat, leads: PerPlayer::splat(players, -INFINITY), index: usize::MAX }
    }

    #[inline]
    fn offer(&mut self, leads: PerPlayer<Millipoints>, index: usize) {
        let (new, old) = (leads[self.seat], self.leads[self.seat]);
        if new > old || new == old && index < self.index {
            (self.leads, self.index) = (leads, index);
        }
    }
}

impl<G: StateValue> MinimaxSearch<'_, '_, G> {
    /// Searches all candidates to a depth and puts the best ones first, into `found` as well: none if the clock runs out
    /// before the first is searched, the best so far if it runs out later.
    pub(super) fn maxn_root(&mut self, root: &mut RootSearch<G>, depth: usize) {
        let RootSearch { node, candidates, found: best, .. } = root;
        let (seat, mut solved) = (self.memory.root, true);
        for next in 0..candidates.len() {
            let (action, before) = (candidates[next].action, self.clock.nodes());
            let child = self.memory.child(node, seat, action);
            let found = self.maxn_child(&child, (depth - 1, 1));
            if self.clock.is_out() {
                return;
            }
            candidates[next].rating = (self.clock.nodes() - before).min(1 << 30) as i32;
            solved &= found.solved;
            if let Some(place) = best.offer(BestAction { action, leads: found.value }, seat) {
                candidates[place..=next].rotate_right(1);
            }
        }
        best.solved = solved;
    }

    #[inline]
    fn maxn_child(
        &mut self,
        child: &SearchNode<G>,
        (depth, ply): (usize, usize),
    ) -> Found<PerPlayer<Millipoints>> {
        if self.clock.tick() {
            return Found { value: PerPlayer::splat(child.state.players(), 0), solved: false };
        }
        match child.state.turn() {
            Turn::Player(next) if depth > 0 => self.maxn(child, next, depth, ply),
            turn => {
                let value = leads(&self.leaf_values(child));
                Found { value, solved: !matches!(turn, Turn::Player(_)) }
            }
        }
    }

    /// The leads of all seats; `seat` is to move.
    fn maxn(
        &mut self,
        node: &SearchNode<G>,
        seat: Seat,
        depth: usize,
        ply: usize,
    ) -> Found<PerPlayer<Millipoints>> {
        if depth == 1
            && let Some(found) = self.maxn_frontier(node, seat)
        {
            return found;
        }
        let (tables, memory, players) = (self.tables, &mut *self.memory, node.state.players());
        if tables.reuse != Reuse::Nothing
            && let Some(entry) = tables.leads.get(node.key)
            && entry.serves(depth, tables.reuse)
        {
            let value = PerPlayer::from_fn(players, |seat| entry.value[seat.index()]);
            return Found { value, solved: entry.solved };
        }
        let mut list = std::mem::take(&mut memory.lists[ply]);
        memory.list(node, &mut list);
        let (mut choice, mut solved) = (MaxnChoice::new(seat, players), true);
        for candidate in &list {
            let child = self.memory.child(node, seat, candidate.action);
            let found = self.maxn_child(&child, (depth - 1, ply + 1));
            if self.clock.is_out() {
                break;
            }
            solved &= found.solved;
            choice.offer(found.value, candidate.action.index());
        }
        self.memory.lists[ply] = list;
        if self.tables.reuse != Reuse::Nothing && !self.clock.is_out() {
            let mut leads = [0; azulejo::MAX_PLAYERS];
            leads[..players].copy_from_slice(choice.leads.as_slice());
            let (action, depth) = (choice.index as u16, depth as u8);
            let entry = Entry { value: leads, action, depth, bound: Bound::Exact, solved };
            self.tables.leads.put(node.key, entry);
        }
        Found { value: choice.leads, solved }
    }

    /// The leads one ply before the horizon, if the game can tell the children's values without playing.
    #[inline]
    fn maxn_frontier(&mut self, node: &SearchNode<G>, seat: Seat) -> Option<Found<PerPlayer<Millipoints>>> {
        let (memory, clock) = (&*self.memory, &mut self.clock);
        let mut choice = MaxnChoice::new(seat, node.state.players());
        let known = node.state.visit_children(&memory.judge, &node.shares, |action, values| {
            choice.offer(leads(values), action.index());
            if clock.tick() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        known.then_some(Found { value: choice.leads, solved: false })
    }
}
