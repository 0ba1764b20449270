//! What a search tells: [`SearchSummary`] of all trees together.

use azulejo::{Keyed, PerPlayer, Turn};

use super::searcher::Searcher;
use super::tally::RootTally;
use super::tree::Tree;
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
        let (visits, values) = (self.ranking(), self.values(state.players()));
        let halving = self.searchers.iter_mut().find_map(Searcher::take_halving);
        let (action, policy, values) = match halving {
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
            for child in self.searchers[0].tree().root_children() {
                if listed.len() < count && listed.iter().all(|entry| entry.0 != child.action) {
                    listed.push((child.action, 0));
                }
            }
        }
        let told = listed.into_iter().map(|(action, visits)| {
            let [wins, leads] = self.expected_after(state, action);
            SearchedAction { action, visits, win: wins[seat], lead: leads[seat], line: self.line(action) }
        });
        told.collect()
    }

    /// The shares of the win and the leads that the seats can expect: the means over the simulations that were counted.
    fn expected(&mut self, state: &G) -> [PerPlayer<f32>; 2] {
        let tallies = self.searched().iter().map(|searcher| searcher.tree().root_tally());
        let all = tallies.fold(RootTally::default(), |all, tally| all.and(&tally));
        all.means(state.players()).unwrap_or_else(|| self.peek(state))
    }

    /// The same after an action; of one without such simulations what the evaluator says at one look.
    fn expected_after(&mut self, state: &G, action: G::Action) -> [PerPlayer<f32>; 2] {
        let tallies = self.searched().iter().map(|searcher| searcher.tree().tally(action));
        let all = tallies.fold(RootTally::default(), |all, tally| all.and(&tally));
        all.means(state.players()).unwrap_or_else(|| {
            let mut after = *state;
            after.apply(action);
            self.peek(&after)
        })
    }

    fn peek(&mut self, state: &G) -> [PerPlayer<f32>; 2] {
        let found = self.searchers[0].peek(state);
        [found.wins, found.leads]
    }

    /// The searchers that made the last search.
    fn searched(&self) -> &[Searcher<G>] {
        &self.searchers[..self.searching]
    }

    /// The actions at the root with their visits in all trees, the most visited first; of equals the one of more
    /// utility to the player to move.
    fn ranking(&self) -> Vec<(G::Action, u32)> {
        let mut ranking: Vec<(G::Action, u32, f32)> = Vec::new();
        for (action, visits, sum) in
            self.searched().iter().flat_map(|searcher| searcher.tree().root_actions())
        {
            match ranking.iter_mut().find(|entry| entry.0 == action) {
                Some(entry) => *entry = (action, entry.1 + visits, entry.2 + sum),
                None => ranking.push((action, visits, sum)),
            }
        }
        let mean = |entry: &(G::Action, u32, f32)| entry.2 / entry.1 as f32;
        ranking.sort_by(|a, b| b.1.cmp(&a.1).then(mean(b).total_cmp(&mean(a))).then(a.0.cmp(&b.0)));
        ranking.into_iter().map(|(action, visits, _)| (action, visits)).collect()
    }

    /// The mean utility of each seat over the simulations of all trees.
    fn values(&self, players: usize) -> PerPlayer<f32> {
        let trees = || self.searched().iter().map(Searcher::tree);
        let visits: u32 = trees().map(Tree::visits).sum();
        PerPlayer::from_fn(players, |seat| {
            trees().map(|tree| tree.values()[seat] * tree.visits() as f32).sum::<f32>() / visits as f32
        })
    }

    /// The expected line of play after an action, in the tree that knows most about it.
    fn line(&self, action: G::Action) -> Vec<G::Action> {
        let visits = |tree: &&Tree<G>| {
            tree.root_actions().into_iter().find(|entry| entry.0 == action).map_or(0, |entry| entry.1)
        };
        let tree = self.searched().iter().map(Searcher::tree).max_by_key(visits);
        tree.map_or(Vec::new(), |tree| tree.line(action))
    }
}
