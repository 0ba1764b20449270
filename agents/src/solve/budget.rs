//! What solving a position may take: [`SolveLimits`], [`Budget`].

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use super::SolveProgress;
use crate::parameters::Mebibytes;

/// What solving a position may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveLimits {
    /// The most nodes.
    pub nodes: u64,
    /// Memory, one half for the transposition table and one for what is found out of single boards.
    pub memory: Mebibytes,
}

impl Default for SolveLimits {
    fn default() -> Self {
        SolveLimits { nodes: 200_000_000, memory: Mebibytes::new(512) }
    }
}

/// Why a search ends before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The nodes are used up.
    Nodes,
    /// The memory is used up.
    Memory,
    /// A chance node was met.
    Chance,
}

/// Counts nodes against what a position may take, and shows them now and then.
pub struct Budget<'w> {
    pub(super) progress: SolveProgress,
    most: u64,
    /// The bytes that are left for what is found out.
    bytes: usize,
    watch: &'w mut dyn FnMut(&SolveProgress),
}

/// Nodes between two looks of who watches.
const INTERVAL: u64 = 1 << 16;

impl<'w> Budget<'w> {
    pub(super) fn new(most: u64, bytes: usize, watch: &'w mut dyn FnMut(&SolveProgress)) -> Self {
        Budget { progress: SolveProgress::default(), most, bytes, watch }
    }

    /// Counts a node.
    ///
    /// # Errors
    /// If it is one too many.
    #[inline]
    pub fn spend(&mut self) -> Result<(), Halt> {
        self.progress.nodes += 1;
        if self.progress.nodes.is_multiple_of(INTERVAL) {
            (self.watch)(&self.progress);
        }
        if self.progress.nodes > self.most { Err(Halt::Nodes) } else { Ok(()) }
    }

    /// Keeps what was found out in a map.
    ///
    /// # Errors
    /// If there is no more memory for it.
    pub(super) fn keep<K: Eq + Hash, V, S: BuildHasher>(
        &mut self,
        map: &mut HashMap<K, V, S>,
        key: K,
        value: V,
    ) -> Result<(), Halt> {
        // Maps grow by doubling and keep an eighth of the places free.
        let bytes = (size_of::<(K, V)>() + 1) * 16 / 7;
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Halt::Memory)?;
        map.insert(key, value);
        Ok(())
    }
}
