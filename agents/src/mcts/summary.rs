//! What a search tells: [`SearchSummary`].

use azulejo::{Keyed, PerPlayer, Turn};

use super::{MctsAgent, SearchEffort};
use crate::agent::{Decision, Limits, SearchSummary, SearchedAction};
use crate::clock::SearchClock;

impl<G: Keyed> MctsAgent<G> {
    /// The choice after a search, with what it found.
    pub(super) fn decision(
        &mut self,
        state: &G,
        limits: &Limits<'_>,
        effort: &SearchEffort,
        clock: &SearchClock,
    ) -> Decision<G> {
        let tree = self.searcher.tree();
        let (visits, values) = (tree.root_actions(), tree.values());
        let (action, policy, values) = match self.searcher.take_halving() {
            Some(found) => (found.chosen, found.policy, found.values),
            None => (visits[0].0, Vec::new(), values),
        };
        let [wins, leads] = self.expected(state);
        let candidates = self.candidates(state, action, &visits, limits.candidates.max(1));
        let SearchEffort { nodes, depth, cpu } = *effort;
        let (time, timed) = (clock.elapsed(), cpu.is_some());
        let search =
            SearchSummary { values, wins, leads, candidates, visits, policy, nodes, depth, time, timed, cpu };
        Decision { action, search: Some(search) }
    }

    /// The chosen action and the most visited ones, so many together, with what is expected of them. Where fewer were visited,
    /// others follow in the order in which they would be tried.
    fn candidates(
        &mut self,
        state: &G,
        chosen: G::Action,
        visits: &[(G::Action, u32)],
        count: usize,
    ) -> Vec<SearchedAction<G>> {
        let Turn::Player(seat) = state.turn() else { return Vec::new() };
        let of_chosen = visits.iter().find(|entry| entry.0 == chosen).map_or(0, |entry| entry.1);
        let mut listed = vec![(chosen, of_chosen)];
        listed.extend(visits.iter().copied().filter(|entry| entry.0 != chosen).take(count - 1));
        if listed.len() < count {
            for child in self.searcher.tree().root_children() {
                if listed.len() < count && listed.iter().all(|entry| entry.0 != child.action) {
                    listed.push((child.action, 0));
                }
            }
        }
        let told = listed.into_iter().map(|(action, visits)| {
            let [wins, leads] = self.expected_after(state, action);
            SearchedAction {
                action,
                visits,
                win: wins[seat],
                lead: leads[seat],
                line: self.searcher.tree().line(action),
            }
        });
        told.collect()
    }

    /// The shares of the win and the leads that the seats can expect: the means over the simulations that were counted.
    fn expected(&mut self, state: &G) -> [PerPlayer<f32>; 2] {
        let all = self.searcher.tree().root_tally();
        all.means(state.players()).unwrap_or_else(|| self.peek(state))
    }

    /// The same after an action; of one without such simulations what the evaluator says at one look.
    fn expected_after(&mut self, state: &G, action: G::Action) -> [PerPlayer<f32>; 2] {
        let found = self.searcher.tree().tally(action);
        found.means(state.players()).unwrap_or_else(|| {
            let mut after = *state;
            after.apply(action);
            self.peek(&after)
        })
    }

    fn peek(&mut self, state: &G) -> [PerPlayer<f32>; 2] {
        let found = self.searcher.peek(state);
        [found.wins, found.leads]
    }
}
