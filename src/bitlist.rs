//! Counting and picking the set bits of a small mask by one table look-up.

const BITS: usize = 10;
const COUNT_SHIFT: u32 = 60;

/// For each mask the positions of its set bits, four bits each from the lowest, and their number at the top.
const LISTS: [u64; 1 << BITS] = {
    let mut lists = [0; 1 << BITS];
    let mut mask = 0;
    while mask < lists.len() {
        let (mut bit, mut count) = (0, 0);
        while bit < BITS {
            if mask >> bit & 1 == 1 {
                lists[mask] |= (bit as u64) << (4 * count);
                count += 1;
            }
            bit += 1;
        }
        lists[mask] |= (count as u64) << COUNT_SHIFT;
        mask += 1;
    }
    lists
};

/// The set bits of a mask below 2¹⁰, in ascending order.
///
/// A look-up serves where a processor without POPCNT and PDEP, which a portable build has to assume, needs a loop.
#[derive(Clone, Copy)]
pub(crate) struct BitList(u64);

impl BitList {
    /// The list for a mask; bits from 10 up are ignored.
    #[inline]
    pub fn of(mask: u16) -> Self {
        BitList(LISTS[mask as usize % LISTS.len()])
    }

    /// The number of set bits.
    #[inline]
    pub fn len(self) -> u64 {
        self.0 >> COUNT_SHIFT
    }

    /// The position of set bit number `n`, counted from 0; `n` is below [`BitList::len`].
    #[inline]
    pub fn nth(self, n: u64) -> u8 {
        (self.0 >> (4 * n) & 0xF) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_the_set_bits() {
        for mask in 0..1u16 << BITS {
            let expected: Vec<u8> = (0..BITS as u8).filter(|bit| mask >> bit & 1 == 1).collect();
            let list = BitList::of(mask);
            assert_eq!((0..list.len()).map(|n| list.nth(n)).collect::<Vec<u8>>(), expected);
        }
    }
}
