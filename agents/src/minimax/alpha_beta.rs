//! Alpha-beta for two sides: two seats, or the seat that searches and the coalition of all others.

use std::ops::ControlFlow;

use azulejo::{Indexed, PerPlayer, Seat, Turn};

use super::best_actions::BestAction;
use super::memory::{INFINITY, SearchNode};
use super::order::pick;
use super::search::{Found, MinimaxSearch, RootSearch};
use super::table::{Bound, Entry, Reuse};
use crate::heuristic::{Candidate, Millipoints, StateValue};

/// The values that matter, between two bounds, for the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlphaBetaWindow {
    alpha: Millipoints,
    beta: Millipoints,
}

impl AlphaBetaWindow {
    /// The same window as the other side sees it.
    fn turned(self) -> Self {
        AlphaBetaWindow { alpha: -self.beta, beta: -self.alpha }
    }
}

impl<G: StateValue> MinimaxSearch<'_, '_, G> {
    /// Searches all candidates to a depth and puts the best ones first, into `found` as well: none if the clock runs out
    /// before the first is searched, the best so far if it runs out later.
    ///
    /// As long as there are fewer than were asked for, each is searched with the whole window; then the question is whether an
    /// action is better than the last of them.
    pub(super) fn alpha_beta_root(&mut self, root: &mut RootSearch<G>, depth: usize) {
        let RootSearch { node, candidates, found: best, .. } = root;
        let (seat, mut solved) = (self.memory.root, true);
        for next in 0..candidates.len() {
            let (action, before) = (candidates[next].action, self.clock.nodes());
            let child = self.memory.child(node, seat, action);
            let window = AlphaBetaWindow { alpha: best.bound(seat), beta: INFINITY };
            let found = self.child_value(&child, seat, (depth - 1, 1), window, next < best.most());
            if self.clock.is_out() {
                return;
            }
            candidates[next].rating = (self.clock.nodes() - before).min(1 << 30) as i32;
            solved &= found.solved;
            let mut leads = PerPlayer::splat(node.state.players(), -found.value);
            leads[seat] = found.value;
            if let Some(place) = best.offer(BestAction { action, leads }, seat) {
                candidates[place..=next].rotate_right(1);
            }
        }
        best.solved = solved;
    }

    /// The value of a child for the side of `seat`, who made it; `depth` and `ply` are the child's.
    ///
    /// The first child is searched with the whole window. For others the question is first whether they are
    /// better at all (principal-variation search; Marsland and Campbell 1982, NegaScout; Reinefeld 1983).
    #[inline]
    fn child_value(
        &mut self,
        child: &SearchNode<G>,
        seat: Seat,
        (depth, ply): (usize, usize),
        window: AlphaBetaWindow,
        first: bool,
    ) -> Found<Millipoints> {
        if self.clock.tick() {
            return Found { value: 0, solved: false };
        }
        let next = match child.state.turn() {
            Turn::Player(next) if depth > 0 => next,
            turn => {
                let values = self.leaf_values(child);
                let value = self.memory.side_value(&values, seat);
                return Found { value, solved: !matches!(turn, Turn::Player(_)) };
            }
        };
        // The window turns only when the turn passes to or from the seat that searches.
        let same_side = (next == self.memory.root) == (seat == self.memory.root);
        let mut search = |window: AlphaBetaWindow| {
            if same_side {
                return self.alpha_beta(child, next, depth, ply, window);
            }
            let found = self.alpha_beta(child, next, depth, ply, window.turned());
            Found { value: -found.value, ..found }
        };
        let AlphaBetaWindow { alpha, beta } = window;
        if first || beta - alpha <= 1 {
            return search(window);
        }
        let found = search(AlphaBetaWindow { alpha, beta: alpha + 1 });
        if found.value > alpha && found.value < beta { search(window) } else { found }
    }

    /// The value for the side of `seat`, who is to move, if it lies within the window, otherwise a bound of
    /// it on the same side of the window (alpha-beta, Knuth and Moore 1975, in its fail-soft form).
    fn alpha_beta(
        &mut self,
        node: &SearchNode<G>,
        seat: Seat,
        depth: usize,
        ply: usize,
        window: AlphaBetaWindow,
    ) -> Found<Millipoints> {
        if self.clock.is_out() {
            // The clock ran out between the two searches of a child.
            return Found { value: 0, solved: false };
        }
        if depth == 1
            && let Some(found) = self.frontier(node, seat, window)
        {
            return found;
        }
        let (tables, memory) = (self.tables, &mut *self.memory);
        let known = match tables.reuse {
            Reuse::Nothing => None,
            _ => tables.values.get(node.key),
        };
        if let Some(entry) = known {
            let decided = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= window.beta,
                Bound::Upper => entry.value <= window.alpha,
            };
            if decided && entry.serves(depth, tables.reuse) {
                return Found { value: entry.value, solved: entry.solved };
            }
        }
        let mut list = std::mem::take(&mut memory.lists[ply]);
        memory.list(node, &mut list);
        memory.order.rate(&mut list, ply, known.map(|entry| entry.action));
        let found = self.alpha_beta_list(node, seat, (depth, ply), window, &mut list);
        self.memory.lists[ply] = list;
        found
    }

    /// Searches the listed actions at a node and stores what is found.
    #[inline]
    fn alpha_beta_list(
        &mut self,
        node: &SearchNode<G>,
        seat: Seat,
        (depth, ply): (usize, usize),
        AlphaBetaWindow { alpha, beta }: AlphaBetaWindow,
        list: &mut [Candidate<G::Action>],
    ) -> Found<Millipoints> {
        let (mut best, mut best_action, mut solved) = (-INFINITY, 0, true);
        for next in 0..list.len() {
            let action = pick(list, next);
            let child = self.memory.child(node, seat, action);
            let window = AlphaBetaWindow { alpha: alpha.max(best), beta };
            let found = self.child_value(&child, seat, (depth - 1, ply + 1), window, next == 0);
            if self.clock.is_out() {
                return Found { value: best, solved: false };
            }
            solved &= found.solved;
            if found.value > best {
                (best, best_action) = (found.value, action.index() as u16);
            }
            if best >= beta {
                self.memory.order.refuted(action, ply, depth);
                // One refutation is enough, whatever is known of the other actions.
                solved = found.solved;
                break;
            }
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if self.tables.reuse != Reuse::Nothing {
            let entry = Entry { value: best, action: best_action, depth: depth as u8, bound, solved };
            self.tables.values.put(node.key, entry);
        }
        Found { value: best, solved }
    }

    /// The value one ply before the horizon, if the game can tell the children's values without playing.
    #[inline]
    fn frontier(
        &mut self,
        node: &SearchNode<G>,
        seat: Seat,
        window: AlphaBetaWindow,
    ) -> Option<Found<Millipoints>> {
        let (memory, clock) = (&*self.memory, &mut self.clock);
        let mut best = -INFINITY;
        let known = node.state.visit_children(&memory.judge, &node.shares, |_, values| {
            best = best.max(memory.side_value(values, seat));
            if clock.tick() || best >= window.beta {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        known.then_some(Found { value: best, solved: false })
    }
}
