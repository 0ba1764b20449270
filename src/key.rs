//! Keys of states for search tables: [`Keyed`].

use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};

use crate::game::Game;

/// A game whose states have a key of 64 bits that a search until the next chance node can file them under.
///
/// States that such a search must treat differently have different keys, except by a chance of about 2⁻⁶⁴.
/// States that differ only in what does not matter until then may share a key: the order of equal displays,
/// say, or which tiles lie on a floor line.
///
/// A key is the sum of the hashed parts of a state (Zobrist 1970, with wrapping addition for the exclusive
/// or), so a part that changes is taken off and added again, and parts whose place does not matter are simply
/// added up.
pub trait Keyed: Game {
    /// The key worked out from scratch.
    ///
    /// As it is provided, the hash of the state's `Debug` text, written without allocation: right for every
    /// game whose text shows all that counts, but slow.
    fn key(&self) -> u64 {
        let mut hasher = TextHasher(WordHasher(0));
        write!(hasher, "{self:?}").expect("a hasher takes any text");
        hasher.0.finish()
    }

    /// A key that also tells apart which display lies where and what can still be drawn: states that share one have
    /// the same legal actions and draws, and the same moves lead to states that share one, up to the end of the game.
    fn whole_key(&self) -> u64 {
        self.key()
    }

    /// Plays a legal action and returns the key of the new state; `key` is the one of the old state.
    ///
    /// Games may override it by something faster that returns the same.
    ///
    /// # Panics
    /// As [`apply`](Game::apply) does.
    fn apply_keyed(&mut self, action: Self::Action, key: u64) -> u64 {
        _ = key;
        self.apply(action);
        self.key()
    }
}

/// The hash of a part of a state: `kind` says which part, `content` (below 2⁵⁶) what is there.
#[inline]
pub(crate) fn part(kind: u8, content: u64) -> u64 {
    mix(u64::from(kind) << 56 ^ content)
}

/// Spreads a word over all its bits, one to one (the finalizer of MurmurHash3 by Appleby).
#[inline]
fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    word = (word ^ word >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    word ^ word >> 33
}

/// The hash of anything that can be hashed, the same on every platform of one word size.
pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = WordHasher(0);
    value.hash(&mut hasher);
    hasher.finish()
}

/// Hashes a text as it is written, byte by byte: however it is cut into pieces.
struct TextHasher(WordHasher);

impl Write for TextHasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.0.write_u8(byte));
        Ok(())
    }
}

/// Hashes word by word.
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        mix(self.0)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(self.0.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ value);
    }
}
