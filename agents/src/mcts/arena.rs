//! What a tree is made of, within a budget of memory: [`TreeArena`].

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use azulejo::{Game, Indexed};

use super::children::{ChildEntry, ChunkPlace, chunk_places};
use super::node::{Below, Children, NodeId, TreeNode};
use super::outcomes::OutcomeEdge;

/// The nodes, lists and known states of one tree.
///
/// It grows step by step and never beyond its budget, or what the system has. What there is no room for is refused, and from then
/// on all that is new, until something is dropped.
#[derive(Debug)]
pub(super) struct TreeArena<G: Game> {
    /// The first place stays empty.
    pub nodes: Vec<TreeNode<G::Action>>,
    /// The lists of children.
    pub entries: Vec<ChildEntry<G::Action>>,
    /// The node that each list of children belongs to, in the order of the lists.
    pub parents: Vec<NodeId>,
    /// The lists of outcomes.
    pub outcomes: Vec<OutcomeEdge<G>>,
    /// The nodes of states.
    pub states: HashMap<StateKey, NodeId, BuildHasherDefault<KeyHasher>>,
    /// The most bytes.
    budget: usize,
    /// Whether something has been refused.
    full: bool,
    /// Scratch space of `keep`; its memory is counted with what it is for.
    pub(super) moved: Vec<NodeId>,
    pub(super) moved_outcomes: Vec<u32>,
}

/// What there has to be room for.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    nodes: usize,
    /// Lists of children.
    lists: usize,
    /// Entries of such lists.
    entries: usize,
    outcomes: usize,
}

impl<G: Game> TreeArena<G> {
    /// The bytes of a node, with those that it takes to move it.
    const NODE: usize = size_of::<TreeNode<G::Action>>() + size_of::<NodeId>();
    /// The bytes of a list's entry.
    const ENTRY: usize = size_of::<ChildEntry<G::Action>>();
    /// The bytes of an outcome, with those that it takes to move it.
    const OUTCOME: usize = size_of::<OutcomeEdge<G>>() + size_of::<u32>();

    /// An arena without nodes that takes up to so many bytes.
    pub(super) fn new(budget: usize) -> Self {
        TreeArena {
            nodes: Vec::new(),
            entries: Vec::new(),
            parents: Vec::new(),
            outcomes: Vec::new(),
            states: HashMap::default(),
            budget,
            full: false,
            moved: Vec::new(),
            moved_outcomes: Vec::new(),
        }
    }

    /// Drops everything but for one node without visits, and returns it.
    pub(super) fn clear(&mut self) -> NodeId {
        self.nodes.clear();
        self.entries.clear();
        self.parents.clear();
        self.outcomes.clear();
        self.states.clear();
        self.make_room_again();
        self.nodes.resize(2, Self::blank());
        1
    }

    /// Takes new things again after something has been dropped. What a full arena holds is shared out anew among its lists.
    pub(super) fn make_room_again(&mut self) {
        if std::mem::take(&mut self.full) {
            self.nodes.shrink_to_fit();
            self.entries.shrink_to_fit();
            self.parents.shrink_to_fit();
            self.outcomes.shrink_to_fit();
            self.states.shrink_to_fit();
        }
    }

    /// A node that no action leads to.
    fn blank() -> TreeNode<G::Action> {
        TreeNode::new(G::Action::from_index(0), 1.0)
    }

    /// The bytes in use or set aside.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * Self::NODE
            + self.entries.capacity() * Self::ENTRY
            + self.parents.capacity() * size_of::<NodeId>()
            + self.outcomes.capacity() * Self::OUTCOME
            + table_bytes(self.states.capacity())
    }

    /// Whether something has been refused since something was dropped.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Whether there is room for so much more.
    #[inline]
    fn has_room(&mut self, more: Room) -> bool {
        fn fits<T>(list: &Vec<T>, more: usize) -> bool {
            list.capacity() - list.len() >= more
        }
        let fits = fits(&self.nodes, more.nodes)
            && fits(&self.entries, more.entries)
            && fits(&self.parents, more.lists)
            && fits(&self.outcomes, more.outcomes);
        !self.full && (fits || self.grow(more))
    }

    /// Makes room, if the budget allows it.
    #[cold]
    fn grow(&mut self, more: Room) -> bool {
        let spare = self.budget.saturating_sub(self.bytes());
        let grown = grow(&mut self.nodes, more.nodes, spare / Self::NODE)
            && grow(&mut self.entries, more.entries, spare / Self::ENTRY)
            && grow(&mut self.parents, more.lists, spare / size_of::<NodeId>())
            && grow(&mut self.outcomes, more.outcomes, spare / Self::OUTCOME);
        self.full = !grown;
        grown
    }

    /// Lists the children of a node: actions with their prior probabilities.
    pub(super) fn list_children(
        &mut self,
        id: NodeId,
        actions: &[G::Action],
        priors: &[f32],
    ) -> Option<Children> {
        if !self.has_room_for_children(actions.len()) {
            return None;
        }
        let (first, count) = (self.entries.len() as u32, actions.len() as u16);
        let entries = actions.iter().zip(priors);
        self.entries.extend(entries.map(|(&action, &prior)| ChildEntry::new(action, prior)));
        self.parents.push(id);
        let listed = Children { first, count, tried: 0 };
        self.nodes[id as usize].set_below(Below::Children(listed));
        Some(listed)
    }

    /// Whether there is room for a list of so many children and for the node of the first one.
    pub(super) fn has_room_for_children(&mut self, count: usize) -> bool {
        self.has_room(Room { nodes: 1, lists: 1, entries: count, outcomes: 0 })
    }

    /// The node of the child at a place, which has been tried.
    #[inline]
    pub(super) fn child(&self, children: Children, place: u16) -> NodeId {
        let ChunkPlace { chunk, offset } = ChunkPlace::of(place);
        self.entries[children.first as usize + chunk].chunk() + offset
    }

    /// The place of a child, which has been tried.
    #[inline]
    pub(super) fn place(&self, children: Children, child: NodeId) -> u16 {
        let entries = &self.entries[children.entries()];
        let within = |chunk: &usize| {
            let (places, begin) = (chunk_places(*chunk, children.count), entries[*chunk].chunk());
            (begin..begin + places.len() as NodeId).contains(&child)
        };
        let chunk = children.chunks().find(within).expect("a child that has been tried is in a chunk");
        (chunk_places(chunk, children.count).start as NodeId + (child - entries[chunk].chunk())) as u16
    }

    /// Makes the nodes of a node's children up to the one at a place, and returns that one's.
    #[inline]
    pub(super) fn try_child(&mut self, id: NodeId, mut children: Children, place: u16) -> Option<NodeId> {
        while children.tried <= place {
            let first = children.first as usize;
            let node = self.entries[first + usize::from(children.tried)].node();
            let ChunkPlace { chunk, offset } = ChunkPlace::of(children.tried);
            if offset == 0 {
                let len = chunk_places(chunk, children.count).len();
                if !self.has_room(Room { nodes: len, ..Room::default() }) {
                    return None;
                }
                let begin = self.nodes.len();
                self.nodes.resize(begin + len, Self::blank());
                self.entries[first + chunk].set_chunk(begin as NodeId);
            }
            let child = self.entries[first + chunk].chunk() + offset;
            self.nodes[child as usize] = node;
            children.tried += 1;
            self.nodes[id as usize].set_below(Below::Children(children));
        }
        Some(self.child(children, place))
    }

    /// The nodes of the children that have been tried, chunk by chunk, each with its first one's place.
    #[inline]
    pub(super) fn tried(&self, children: Children) -> impl Iterator<Item = (NodeId, &[TreeNode<G::Action>])> {
        let mut entries = self.entries[children.entries()].iter();
        let (mut done, tried) = (0, usize::from(children.tried));
        std::iter::from_fn(move || {
            if done == tried {
                return None;
            }
            let begin = entries.next()?.chunk();
            // A chunk is as long as all that come before it together.
            let len = done.max(1).min(tried - done);
            done += len;
            Some((begin, &self.nodes[begin as usize..][..len]))
        })
    }

    /// The nodes of the children that have been tried, in their order.
    pub(super) fn tried_nodes(&self, children: Children) -> impl Iterator<Item = &TreeNode<G::Action>> {
        self.tried(children).flat_map(|(_, nodes)| nodes)
    }

    /// The first child that has not been tried, if there is room for its node.
    #[inline]
    pub(super) fn next_untried(&self, children: Children) -> Option<&ChildEntry<G::Action>> {
        let Children { first, count, tried } = children;
        if tried == count || self.full && ChunkPlace::of(tried).offset == 0 {
            return None;
        }
        self.entries.get(first as usize + usize::from(tried))
    }

    /// The children that have not been tried.
    #[inline]
    pub(super) fn untried(&self, children: Children) -> &[ChildEntry<G::Action>] {
        &self.entries[children.entries()][children.tried.into()..]
    }

    /// Makes a node that no action leads to, if there is room for it and for an outcome.
    pub(super) fn add_node_and_outcome(&mut self) -> Option<NodeId> {
        let room = self.has_room(Room { nodes: 1, outcomes: 1, ..Room::default() });
        room.then(|| {
            self.nodes.push(Self::blank());
            self.nodes.len() as NodeId - 1
        })
    }

    /// The node that stands for the state with this [`whole_key`](azulejo::Keyed::whole_key): a known one, or else `id`, which stands
    /// for it from now on.
    #[inline]
    pub(super) fn state_node(&mut self, key: u64, id: NodeId) -> NodeId {
        let key = StateKey::from(key);
        match self.has_room_for_state() {
            true => *self.states.entry(key).or_insert(id),
            false => self.states.get(&key).copied().unwrap_or(id),
        }
    }

    /// Whether there is room for a state that may be new.
    #[inline]
    fn has_room_for_state(&mut self) -> bool {
        if self.states.len() < self.states.capacity() {
            return true;
        }
        // The old table is there until all is in the new one.
        let grown = table_bytes(self.states.capacity() + 1);
        self.full |= self.bytes() + grown > self.budget || self.states.try_reserve(1).is_err();
        !self.full
    }
}

/// Makes room in a list for so many more items if it needs to grow by at most a quarter of the `spare` ones. Several lists grow by
/// turns: none takes all. Places are numbered by [`NodeId`]s.
fn grow<T>(list: &mut Vec<T>, more: usize, spare: usize) -> bool {
    if list.capacity() - list.len() >= more {
        return true;
    }
    let step = (list.capacity() / 2).max(more).max(LEAST_GROWTH).min(spare / 4);
    let room = (list.capacity() + step).min(NodeId::MAX as usize) - list.len();
    room >= more && list.try_reserve_exact(room).is_ok()
}

/// The fewest items that a list grows by, unless there is no room for them.
const LEAST_GROWTH: usize = 256;

/// The bytes of a hash table with room for so many states: a power of two of places, of which 7 of 8 are used.
fn table_bytes(states: usize) -> usize {
    let places = if states == 0 { 0 } else { (states * 8).div_ceil(7).next_power_of_two() };
    places * (size_of::<(StateKey, NodeId)>() + 1)
}

/// A state's key in halves, so that one and its node leave no gap in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StateKey([u32; 2]);

impl From<u64> for StateKey {
    #[inline]
    fn from(key: u64) -> Self {
        StateKey([key as u32, (key >> 32) as u32])
    }
}

impl Hash for StateKey {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [low, high] = self.0.map(u64::from);
        hasher.write_u64(high << 32 | low);
    }
}

/// The hash of a key, which is a hash: itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are words")
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
