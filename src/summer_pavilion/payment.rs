//! How many ways there are to pay for slots, by look-up.

use super::STAR_SLOTS;
use crate::bits::positions;

/// Beyond these numbers more tiles change nothing: no slot costs more than 6, one tile being of the color
/// itself.
const MAX_OWN: usize = 6;
const MAX_WILDS: usize = 5;

/// The mixes of tiles that pay for the slots of a star with given costs.
///
/// A payment of `cost` tiles takes at least one of the placed color, the rest of it or wild. For the wild
/// color itself a hand counts as holding no wild tiles beside: every tile is then of the placed color.
#[derive(Debug)]
pub(super) struct Payments {
    costs: [u8; STAR_SLOTS],
    /// By own tiles, wild tiles and the set of free slots.
    counts: [[[u8; 64]; MAX_WILDS + 1]; MAX_OWN + 1],
}

impl Payments {
    pub(crate) const fn new(costs: [u8; STAR_SLOTS]) -> Self {
        let mut counts = [[[0; 64]; MAX_WILDS + 1]; MAX_OWN + 1];
        let mut own = 0;
        while own <= MAX_OWN {
            let mut wilds = 0;
            while wilds <= MAX_WILDS {
                let mut free = 0;
                while free < 64 {
                    let mut position = 0;
                    while position < STAR_SLOTS {
                        if free >> position & 1 == 1 {
                            counts[own][wilds][free] += mixes(costs[position], own as u8, wilds as u8);
                        }
                        position += 1;
                    }
                    free += 1;
                }
                wilds += 1;
            }
            own += 1;
        }
        Payments { costs, counts }
    }

    /// The cost of the slot at each position.
    pub(crate) const fn costs(&self) -> &[u8; STAR_SLOTS] {
        &self.costs
    }

    /// The number of pairs of a slot among `free` (bit `p` for position `p`) and a mix that pays for it.
    #[inline]
    pub(crate) fn count(&self, own: u8, wilds: u8, free: u8) -> u8 {
        self.counts[own.min(MAX_OWN as u8) as usize][wilds.min(MAX_WILDS as u8) as usize][free as usize % 64]
    }

    /// Pair number `n` below [`Payments::count`], counted by position and then by wild tiles: the position
    /// and the number of wild tiles paid.
    #[inline]
    pub(crate) fn nth(&self, own: u8, wilds: u8, free: u8, n: u8) -> (usize, u8) {
        let mut n = n;
        for position in positions(free.into()) {
            let cost = self.costs[position];
            let here = mixes(cost, own, wilds);
            if n < here {
                return (position, least_wilds(cost, own) + n);
            }
            n -= here;
        }
        unreachable!("there are more than {n} pairs")
    }
}

/// The fewest wild tiles that a payment needs.
#[inline]
pub(super) const fn least_wilds(cost: u8, own: u8) -> u8 {
    cost.saturating_sub(own)
}

/// The number of mixes that pay `cost` from `own` tiles of the color and `wilds` wild ones.
#[inline]
pub(super) const fn mixes(cost: u8, own: u8, wilds: u8) -> u8 {
    if own == 0 {
        return 0;
    }
    let most = if cost - 1 < wilds { cost - 1 } else { wilds };
    (most + 1).saturating_sub(least_wilds(cost, own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payments_are_all_ways_to_pay() {
        let payments = Payments::new([3, 2, 1, 4, 5, 6]);
        for (own, wilds) in (0..=8).flat_map(|own| (0..=8).map(move |wilds| (own, wilds))) {
            for free in 0..64u8 {
                let mut expected = Vec::new();
                for position in (0..STAR_SLOTS).filter(|position| free >> position & 1 == 1) {
                    let cost = payments.costs()[position];
                    let payable = |paid: &u8| *paid <= wilds && cost - paid >= 1 && cost - paid <= own;
                    expected.extend((0..cost).filter(payable).map(|paid| (position, paid)));
                }
                let all = 0..payments.count(own, wilds, free);
                let found: Vec<(usize, u8)> = all.map(|n| payments.nth(own, wilds, free, n)).collect();
                assert_eq!(found, expected, "{own} own, {wilds} wild tiles, free {free:06b}");
            }
        }
    }
}
