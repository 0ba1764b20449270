//! Walking through the set bits of 64-bit masks.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The positions of the set bits, lowest first.
#[inline]
pub(super) fn positions(mask: u64) -> impl Iterator<Item = usize> + Clone {
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
pub(super) fn nth(mask: u64, n: u32) -> usize {
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

#[cfg(test)]
mod tests {
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
}
