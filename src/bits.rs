//! Sets as the bits of a word: walking through them, counting them, picking one.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The positions of the set bits, lowest first.
#[inline]
pub fn positions(mask: u64) -> impl Iterator<Item = usize> + Clone {
    let mut rest = mask;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let position = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            position
        })
    })
}

/// The position of set bit number `n`, counted from 0 at the low end; `n` is below the number of set bits.
#[inline]
pub(crate) fn nth(mask: u64, n: u32) -> usize {
    let pairs = mask - (mask >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & (ONES * 0x0F);
    // Byte i now holds the number of set bits in bytes 0 to i: at most 64, so that lanes never borrow below.
    let running = bytes.wrapping_mul(ONES);
    let passed = (((u64::from(n) * ONES) | HIGH) - running) & HIGH;
    let byte = ((passed >> 7).wrapping_mul(ONES) >> 56) as u32;
    let before = ((running << 8) >> (8 * byte)) as u8;
    let mut rest = mask >> (8 * byte);
    for _ in u32::from(before)..n {
        rest &= rest - 1;
    }
    (8 * byte + rest.trailing_zeros()) as usize
}

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
/// A look-up serves where a processor without POPCNT and PDEP, which a portable build has to assume, needs a
/// loop.
#[derive(Clone, Copy)]
pub(crate) struct BitList(u64);

impl BitList {
    /// The list for a mask; bits from 10 up are ignored.
    #[inline]
    pub(crate) fn of(mask: u16) -> Self {
        BitList(LISTS[mask as usize % LISTS.len()])
    }

    /// The number of set bits.
    #[inline]
    pub(crate) fn len(self) -> u64 {
        self.0 >> COUNT_SHIFT
    }

    /// The position of set bit number `n`, counted from 0; `n` is below [`BitList::len`].
    #[inline]
    pub(crate) fn nth(self, n: u64) -> u8 {
        (self.0 >> (4 * n) & 0xF) as u8
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::seed::Generator;

    #[test]
    fn nth_agrees_with_walking() {
        let mut rng = Generator::new(1);
        for _ in 0..2000 {
            let mask = rng.next_u64() & rng.next_u64();
            for (n, position) in positions(mask).enumerate() {
                assert_eq!(nth(mask, n as u32), position, "bit {n} of {mask:#x}");
            }
        }
        assert_eq!(nth(u64::MAX, 63), 63);
    }

    #[test]
    fn lists_hold_the_set_bits() {
        for mask in 0..1u16 << BITS {
            let expected: Vec<u8> = (0..BITS as u8).filter(|bit| mask >> bit & 1 == 1).collect();
            let list = BitList::of(mask);
            assert_eq!((0..list.len()).map(|n| list.nth(n)).collect::<Vec<u8>>(), expected);
        }
    }
}
