//! What a search tells: its [`SearchSummary`].

use azulejo::{PerPlayer, Turn};

use super::HALF_LEAD;
use super::best_actions::BestAction;
use super::memory::{SearchNode, leads};
use super::opponents::Opponents;
use super::search::{MinimaxSearch, RootSearch};
use crate::agent::{SearchSummary, SearchedAction};
use crate::evaluator::lead;
use crate::heuristic::{Millipoints, POINT, StateValue};
use crate::valuation::win_shares;

/// What is expected of an action.
struct ExpectedLine<G: StateValue> {
    /// The lead of each seat, as the search values it.
    leads: PerPlayer<Millipoints>,
    /// The shares of the win, and the leads in points.
    shares_and_points: [PerPlayer<f32>; 2],
    line: Vec<G::Action>,
}

impl<G: StateValue> MinimaxSearch<'_, '_, G> {
    /// What has been found so far.
    pub(super) fn summary(&self, root: &RootSearch<G>) -> SearchSummary<G> {
        let best: Vec<_> = root.best.as_slice().iter().map(|best| self.expected(root, best)).collect();
        let [wins, leads] = best[0].shares_and_points;
        let values = best[0].leads.map(utility);
        let visits: Vec<(G::Action, u32)> =
            root.candidates.iter().map(|candidate| (candidate.action, candidate.rating as u32)).collect();
        let seat = self.memory.root;
        let told = root.best.as_slice().iter().zip(best).map(|(&BestAction { action, .. }, expected)| {
            let ExpectedLine { shares_and_points: [wins, leads], line, .. } = expected;
            let visits = visits.iter().find(|entry| entry.0 == action).map_or(0, |entry| entry.1);
            SearchedAction { action, visits, win: wins[seat], lead: leads[seat], line }
        });
        let candidates = told.collect();
        let (nodes, cpu) = self.clock.effort_of_all();
        let (depth, time, timed, policy) = (root.depth, self.clock.elapsed(), cpu.is_some(), Vec::new());
        SearchSummary { values, wins, leads, candidates, visits, policy, nodes, depth, time, timed, cpu }
    }

    /// What is expected after one of the best actions.
    fn expected(&self, root: &RootSearch<G>, best: &BestAction<G::Action>) -> ExpectedLine<G> {
        let mut line = Vec::new();
        let end = self.memory.line(self.tables, &root.node, best.action, root.depth, &mut line);
        let at_end = leads(&self.memory.values(&end));
        let mut expected = at_end;
        if root.opponents == Opponents::MaxN || root.node.state.players() == 2 {
            expected = best.leads;
        }
        let seat = self.memory.root;
        expected[seat] = best.leads[seat];
        let is_end = end.state.turn() == Turn::Over && at_end[seat] == expected[seat];
        let shares_and_points = if is_end { at_the_end(&end) } else { by_leads(&expected) };
        ExpectedLine { leads: expected, shares_and_points, line }
    }
}

/// The shares of the win and the leads at the end of a game.
fn at_the_end<G: StateValue>(end: &SearchNode<G>) -> [PerPlayer<f32>; 2] {
    let points = end.state.scores().map(f32::from);
    let leads = PerPlayer::from_fn(points.players(), |seat| lead(&points, seat));
    [end.state.wins().map(|win| win as f32), leads]
}

/// The shares of the win and the leads by the leads that a search found: it values points alone before the end, so the shares
/// are those of who is so many points behind the first.
fn by_leads(leads: &PerPlayer<Millipoints>) -> [PerPlayer<f32>; 2] {
    let points = leads.map(|lead| lead as f32 / POINT as f32);
    [win_shares(&points.map(|lead| lead.min(0.0))), points]
}

/// The utility in [-1, 1] of a lead: d / (20 + |d|).
fn utility(lead: Millipoints) -> f32 {
    let points = lead as f32 / POINT as f32;
    points / (HALF_LEAD + points.abs())
}
