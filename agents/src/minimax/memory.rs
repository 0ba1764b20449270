//! What searches work with and what they remember: nodes, tables, the judge, the order of actions.

use azulejo::{Indexed, PerPlayer, Seat, Turn};

use super::opponents::Opponents;
use super::order::{MoveOrder, pick};
use super::table::{Reuse, TranspositionTable};
use crate::heuristic::{Candidate, Millipoints, POINT, StateValue};

/// The deepest that a search goes, in plies.
pub(super) const MAX_DEPTH: usize = 60;

/// Beyond every value, in millipoints.
pub(super) const INFINITY: Millipoints = 1 << 29;

/// Leads by seat number; those of absent seats are 0.
pub(super) type Leads = [Millipoints; azulejo::MAX_PLAYERS];

/// A state with what a search keeps beside it.
#[derive(Clone, Copy)]
pub(super) struct SearchNode<G: StateValue> {
    pub state: G,
    /// Its key in the tables.
    pub key: u64,
    /// What the seats contribute to its value.
    pub shares: PerPlayer<G::Share>,
}

/// What searches have found out about states, for all threads that search.
pub(super) struct SearchTables {
    /// Which entries count.
    pub reuse: Reuse,
    /// For alpha-beta: values from the point of view of the side to move.
    pub values: TranspositionTable<Millipoints>,
    /// For max^n.
    pub leads: TranspositionTable<Leads>,
}

impl SearchTables {
    /// Tables of nothing.
    pub(super) fn new() -> Self {
        let (values, leads) = (TranspositionTable::new(), TranspositionTable::new());
        SearchTables { reuse: Reuse::Deeper, values, leads }
    }

    /// Makes room for what so many nodes need, in at most `bytes` bytes, in the table that the search uses.
    pub(super) fn resize(&mut self, opponents: Opponents, nodes: u64, bytes: u64) {
        match opponents {
            Opponents::Paranoid => self.values.resize(nodes, bytes),
            Opponents::MaxN => self.leads.resize(nodes, bytes),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.leads.clear();
    }

    /// Begins a search.
    pub(super) fn begin(&mut self) {
        self.values.begin();
        self.leads.begin();
    }

    /// The index of the best action known of the state with this key.
    fn action(&self, key: u64) -> Option<u16> {
        let action = self.values.get(key).map(|entry| entry.action);
        action.or_else(|| self.leads.get(key).map(|entry| entry.action))
    }
}

/// The memory of one thread's searches of one game.
pub(super) struct SearchMemory<G: StateValue> {
    /// Values states.
    pub judge: G::Judge,
    /// What a win is worth beside the points.
    pub win: Millipoints,
    /// The order of actions.
    pub order: MoveOrder<G::Action>,
    /// By ply the actions to be tried.
    pub lists: Vec<Vec<Candidate<G::Action>>>,
    /// Scratch space.
    actions: Vec<G::Action>,
    ratings: Vec<f32>,
    ending: Vec<Candidate<G::Action>>,
    /// The seat that searches.
    pub root: Seat,
    /// Mixed into the keys: with three or more players values depend on who searches.
    salt: u64,
}

impl<G: StateValue> SearchMemory<G> {
    /// A memory of nothing.
    pub(super) fn new(judge: G::Judge) -> Self {
        SearchMemory {
            judge,
            win: 0,
            order: MoveOrder::new(MAX_DEPTH + 1),
            lists: (0..=MAX_DEPTH).map(|_| Vec::with_capacity(G::MAX_LEGAL)).collect(),
            actions: Vec::with_capacity(G::MAX_LEGAL),
            ratings: Vec::with_capacity(G::MAX_LEGAL),
            ending: Vec::with_capacity(G::MAX_LEGAL),
            root: Seat::new(0),
            salt: 0,
        }
    }

    /// Begins a search from a state at a player's turn.
    pub(super) fn begin(&mut self, state: &G) -> SearchNode<G> {
        self.order.clear();
        state.prepare(&mut self.judge);
        if let Turn::Player(seat) = state.turn() {
            self.root = seat;
        }
        self.salt = match state.players() {
            2 => 0,
            _ => (self.root.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15),
        };
        SearchNode { state: *state, key: state.key() ^ self.salt, shares: state.shares(&self.judge) }
    }

    /// The actions at a node, best first as far as that can be told without a search; their ratings are 0.
    pub(super) fn candidates(&mut self, node: &SearchNode<G>) -> Vec<Candidate<G::Action>> {
        let mut candidates = Vec::new();
        self.list(node, &mut candidates);
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.rating));
        candidates.iter_mut().for_each(|candidate| candidate.rating = 0);
        candidates
    }

    /// Fills `candidates` with the actions at a node.
    #[inline]
    pub(super) fn list(&mut self, node: &SearchNode<G>, candidates: &mut Vec<Candidate<G::Action>>) {
        node.state.list(&self.judge, candidates, &mut self.actions, &mut self.ratings);
    }

    /// The node itself if its state can be valued, or else the one where the actions of the highest rating
    /// first lead to one that can; and how many they are.
    pub(super) fn settled(&mut self, node: &SearchNode<G>) -> (SearchNode<G>, u64) {
        let (mut node, mut plies) = (*node, 0);
        let mut list = std::mem::take(&mut self.ending);
        while let Turn::Player(seat) = node.state.turn()
            && !node.state.is_settled()
        {
            self.list(&node, &mut list);
            node = self.child(&node, seat, pick(&mut list, 0));
            plies += 1;
        }
        self.ending = list;
        (node, plies)
    }

    /// The node after an action of `seat`, who is to move.
    #[inline]
    pub(super) fn child(&self, node: &SearchNode<G>, seat: Seat, action: G::Action) -> SearchNode<G> {
        let mut state = node.state;
        let key = state.apply_keyed(action, node.key ^ self.salt) ^ self.salt;
        let shares = match state.turn() {
            Turn::Over => node.shares,
            _ => state.shares_after(&self.judge, seat, &node.shares),
        };
        SearchNode { state, key, shares }
    }

    /// The points that each seat is expected to end with, or ends with; at the end with what its share of the
    /// win is worth.
    #[inline]
    pub(super) fn values(&self, node: &SearchNode<G>) -> PerPlayer<Millipoints> {
        if node.state.turn() != Turn::Over {
            return node.state.values(&self.judge, &node.shares);
        }
        let (scores, wins) = (node.state.scores(), node.state.wins());
        let win = |seat| (f64::from(self.win) * wins[seat]) as Millipoints;
        PerPlayer::from_fn(scores.players(), |seat| Millipoints::from(scores[seat]) * POINT + win(seat))
    }

    /// The lead of the seat that searches, as the side of `seat` sees it.
    #[inline]
    pub(super) fn side_value(&self, values: &PerPlayer<Millipoints>, seat: Seat) -> Millipoints {
        let lead = lead(values, self.root);
        if seat == self.root { lead } else { -lead }
    }

    /// Fills `line` with the line of play that the tables expect after `first`, at most `plies` long, and
    /// returns its end.
    pub(super) fn line(
        &self,
        tables: &SearchTables,
        root: &SearchNode<G>,
        first: G::Action,
        plies: usize,
        line: &mut Vec<G::Action>,
    ) -> SearchNode<G> {
        line.clear();
        let (mut node, mut next) = (*root, Some(first));
        while let (Some(action), Turn::Player(seat)) = (next, node.state.turn()) {
            node = self.child(&node, seat, action);
            line.push(action);
            let action = tables.action(node.key).map(|index| G::Action::from_index(index.into()));
            next = action.filter(|&action| line.len() < plies && node.state.is_legal(action));
        }
        node
    }
}

/// A seat's lead over the best other one.
#[inline]
pub(super) fn lead(values: &PerPlayer<Millipoints>, seat: Seat) -> Millipoints {
    let mut best = -INFINITY;
    for (other, &value) in values.iter() {
        if other != seat {
            best = best.max(value);
        }
    }
    values[seat] - best
}

/// Each seat's lead over the best other one.
#[inline]
pub(super) fn leads(values: &PerPlayer<Millipoints>) -> PerPlayer<Millipoints> {
    PerPlayer::from_fn(values.players(), |seat| lead(values, seat))
}
