//! The children of a node: a list of entries, and chunks of nodes for those that have been tried.

use std::ops::Range;

use super::node::{Children, NodeId, TreeNode};

impl Children {
    /// The places of the entries.
    #[inline]
    pub(super) fn entries(self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }

    /// The chunks that hold nodes.
    #[inline]
    pub(super) fn chunks(self) -> Range<usize> {
        0..self.tried.checked_sub(1).map_or(0, |last| ChunkPlace::of(last).chunk + 1)
    }
}

/// An entry of a list of children: what the node of one that has not been tried will begin with.
///
/// Most children are never tried. The nodes of those that have been lie in chunks of 1, 1, 2, 4, 8 and so on: nearly side by side
/// for the selection, and a node never moves while a search runs. Where the n-th chunk begins is written into the n-th entry,
/// whose own child has been tried by then.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildEntry<A> {
    /// The prior probability, or the first node of a chunk; as bytes, which leave no gap beside the action.
    word: [u8; 4],
    action: A,
}

impl<A: Copy> ChildEntry<A> {
    /// A child that has not been tried.
    #[inline]
    pub(super) fn new(action: A, prior: f32) -> Self {
        ChildEntry { word: prior.to_ne_bytes(), action }
    }

    /// The prior probability of a child that has not been tried.
    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from_ne_bytes(self.word)
    }

    /// The same child with another prior probability; it has not been tried.
    pub(super) fn with_prior(self, prior: f32) -> Self {
        ChildEntry::new(self.action, prior)
    }

    /// The node of a child that has not been tried, without visits.
    #[inline]
    pub(super) fn node(&self) -> TreeNode<A> {
        TreeNode::new(self.action, self.prior())
    }

    /// Where the chunk of this number begins.
    #[inline]
    pub(super) fn chunk(&self) -> NodeId {
        NodeId::from_ne_bytes(self.word)
    }

    /// Says where the chunk of this number begins.
    #[inline]
    pub(super) fn set_chunk(&mut self, first: NodeId) {
        self.word = first.to_ne_bytes();
    }
}

/// Where a child's node lies: in which chunk, and how far from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkPlace {
    pub chunk: usize,
    pub offset: u32,
}

impl ChunkPlace {
    /// That of the child at a place of the list.
    #[inline]
    pub(super) fn of(place: u16) -> Self {
        let chunk = u16::BITS - place.leading_zeros();
        ChunkPlace { chunk: chunk as usize, offset: u32::from(place) - (1 << chunk >> 1) }
    }
}

/// The places of the children in a chunk, of the first `count` of a list.
#[inline]
pub(super) fn chunk_places(chunk: usize, count: u16) -> Range<usize> {
    1 << chunk >> 1..(1 << chunk).min(usize::from(count))
}

#[cfg(test)]
mod tests {
    use azulejo::Game;
    use azulejo::azul::Azul;

    use super::*;

    #[test]
    fn an_entry_is_small_and_keeps_a_child_or_a_place() {
        assert_eq!(size_of::<ChildEntry<<Azul as Game>::Action>>(), 7);
        let mut entry = ChildEntry::new(5_u8, 0.3);
        assert_eq!((entry.prior(), entry.node().prior, entry.node().action), (0.3, 0.3, 5));
        entry.set_chunk(1 << 31);
        assert_eq!(entry.chunk(), 1 << 31);
    }

    #[test]
    fn chunks_follow_each_other_and_their_beginnings_fit_into_entries_that_are_free() {
        for count in [1, 2, 3, 5, 8, 9, 300, 763] {
            let all = Children { first: 7, count, tried: count };
            let places = all.chunks().flat_map(|chunk| chunk_places(chunk, count));
            assert!(places.eq(0..usize::from(count)), "{count}");
            for place in 0..count {
                let ChunkPlace { chunk, offset } = ChunkPlace::of(place);
                assert_eq!(chunk_places(chunk, count).start + offset as usize, usize::from(place));
                assert!(chunk <= usize::from(place), "the entry {chunk} is in use when {place} is tried");
                assert_eq!(Children { tried: place + 1, ..all }.chunks(), 0..chunk + 1);
            }
            assert_eq!(Children { tried: 0, ..all }.chunks(), 0..0);
        }
    }
}
