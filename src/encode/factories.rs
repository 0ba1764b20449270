//! Factories as a set: what lies on them, not where.

use super::{Active, Block, Names};
use crate::factories::MAX_FACTORIES;
use crate::tiles::Tiles;

/// Equal factories are told apart up to this many.
const ALIKE: usize = 3;
/// Factories with as many tiles of a color are counted up to this many.
const WITH_COUNT: usize = 4;
/// The most tiles of a factory.
const TILES: usize = 4;

/// Features of the factories of a game with `COLORS` colors: three blocks, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factories<const COLORS: usize> {
    /// How many hold each content.
    contents: Block,
    /// How many hold so many tiles of a color.
    counts: Block,
    /// How many hold anything.
    left: Block,
}

impl<const COLORS: usize> Factories<COLORS> {
    /// The features after a block.
    pub(crate) const fn after(block: Block) -> Self {
        let contents = block.then(multisets(TILES, COLORS) * ALIKE);
        let counts = contents.then(COLORS * TILES * WITH_COUNT);
        Factories { contents, counts, left: counts.then(MAX_FACTORIES) }
    }

    /// The last block.
    pub(crate) const fn last(&self) -> Block {
        self.left
    }

    /// Names the features.
    pub(crate) fn name<const CODES: usize>(
        &self,
        numbers: &Contents<COLORS, CODES>,
        letters: &'static str,
        names: &mut Names,
    ) {
        let contents = numbers.list();
        names.block(self.contents, |index| {
            format!("factories-{}>={}", contents[index / ALIKE].letters(letters), index % ALIKE + 1)
        });
        names.counts(self.counts, WITH_COUNT, |index| {
            format!("factories-with-{}{}", index % TILES + 1, letters.as_bytes()[index / TILES] as char)
        });
        names.block(self.left, |index| format!("factories={}", index + 1));
    }

    /// Sets the features for factories with these tiles.
    pub(crate) fn encode<const CODES: usize>(
        &self,
        numbers: &Contents<COLORS, CODES>,
        factories: &[Tiles],
        active: &mut Active<'_>,
    ) {
        let mut with_count = [[0u8; TILES + 1]; COLORS];
        // Each content with the number of factories that hold it.
        let (mut alike, mut kinds, mut left) = ([(0usize, 0usize); MAX_FACTORIES], 0, 0);
        for &tiles in factories.iter().filter(|tiles| !tiles.is_empty()) {
            left += 1;
            tiles.iter().for_each(|(color, count)| with_count[color][count as usize] += 1);
            let number = numbers.number(tiles);
            match alike[..kinds].iter_mut().find(|(known, _)| *known == number) {
                Some((_, times)) => *times += 1,
                None => {
                    alike[kinds] = (number, 1);
                    kinds += 1;
                }
            }
        }
        for &(number, times) in &alike[..kinds] {
            (0..times.min(ALIKE)).for_each(|time| active.set(self.contents, number * ALIKE + time));
        }
        for (color, counts) in with_count.iter().enumerate() {
            for (count, &times) in counts.iter().enumerate().skip(1) {
                let first = (color * TILES + count - 1) * WITH_COUNT;
                active.count(self.counts, first, WITH_COUNT, times.into());
            }
        }
        active.count(self.left, 0, MAX_FACTORIES, left);
    }
}

/// How many features tell what lies on which factory, in a game with so many colors.
pub(crate) const fn places(colors: usize) -> usize {
    MAX_FACTORIES * colors * TILES
}

impl<const COLORS: usize> Factories<COLORS> {
    /// Names the features that tell what lies on which factory.
    pub(crate) fn place_names(letters: &'static str) -> Vec<String> {
        let name = |index: usize| {
            let (factory, color) = (index / TILES / COLORS + 1, index / TILES % COLORS);
            format!("factory{factory}-{}={}", letters.as_bytes()[color] as char, index % TILES + 1)
        };
        (0..places(COLORS)).map(name).collect()
    }

    /// Sets the features that tell what lies on which factory, numbered from `first` on.
    pub(crate) fn encode_places(first: usize, factories: &[Tiles], active: &mut Vec<u16>) {
        for (factory, tiles) in factories.iter().enumerate() {
            let number = |color, count| first + (factory * COLORS + color) * TILES + usize::from(count) - 1;
            active.extend(tiles.iter().map(|(color, count)| number(color, count) as u16));
        }
    }
}

/// The numbers of all multisets of at most 4 tiles of `COLORS` colors: the smaller ones first, the empty one
/// 0.
pub(crate) struct Contents<const COLORS: usize, const CODES: usize> {
    /// By the counts as digits to the base 5.
    numbers: [u16; CODES],
}

impl<const COLORS: usize, const CODES: usize> Contents<COLORS, CODES> {
    /// The table. `CODES` is 5 to the power of `COLORS`.
    pub(crate) const fn new() -> Self {
        let (mut numbers, mut next, mut total) = ([u16::MAX; CODES], 0, 0);
        while total <= 4 {
            let mut code = 0;
            while code < CODES {
                if digit_sum(code) == total {
                    numbers[code] = next;
                    next += 1;
                }
                code += 1;
            }
            total += 1;
        }
        Contents { numbers }
    }

    /// The number of a multiset.
    #[inline]
    pub(crate) fn number(&self, tiles: Tiles) -> usize {
        self.numbers[code_of(tiles)].into()
    }

    /// For each multiset (at most `COUNT`) and color: how many tiles of the color it holds, and the number of
    /// the rest.
    pub(crate) const fn broken<const COUNT: usize>(&self) -> [[(u8, u8); COLORS]; COUNT] {
        let (mut broken, mut code) = ([[(0, 0); COLORS]; COUNT], 0);
        while code < CODES {
            let number = self.numbers[code];
            let (mut color, mut unit) = (0, 1);
            while color < COLORS && number != u16::MAX {
                let count = code / unit % 5;
                if count > 0 {
                    broken[number as usize][color] = (count as u8, self.numbers[code - count * unit] as u8);
                }
                color += 1;
                unit *= 5;
            }
            code += 1;
        }
        broken
    }

    /// The multisets in the order of their numbers.
    pub(crate) fn list(&self) -> Vec<Tiles> {
        let mut codes: Vec<usize> = (0..CODES).filter(|&code| self.numbers[code] != u16::MAX).collect();
        codes.sort_unstable_by_key(|&code| self.numbers[code]);
        let counts = |code: usize| (0..COLORS as u32).map(move |color| (code / 5usize.pow(color) % 5) as u8);
        codes.into_iter().map(|code| Tiles::from_counts(&counts(code).collect::<Vec<u8>>())).collect()
    }
}

/// The counts as digits to the base 5, the first color's the lowest, of at most 6 colors with at most 4 tiles each.
#[inline]
const fn code_of(tiles: Tiles) -> usize {
    const LOW: u64 = 0x00FF_00FF_00FF_00FF;
    // Pairs of digits in lanes of 16 bits; the product adds the pairs up, each times its weight, in the third lane.
    let pairs = (tiles.word() & LOW) + 5 * (tiles.word() >> 8 & LOW);
    (pairs.wrapping_mul(1 << 32 | 25 << 16 | 625) >> 32) as u16 as usize
}

const fn digit_sum(mut code: usize) -> usize {
    let mut sum = 0;
    while code > 0 {
        sum += code % 5;
        code /= 5;
    }
    sum
}

/// How many multisets of at most `most` tiles of some colors there are.
pub(crate) const fn multisets(most: usize, colors: usize) -> usize {
    let (mut count, mut i) = (1, 1);
    while i <= colors {
        count = count * (most + i) / i;
        i += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multisets_are_numbered_one_by_one() {
        static CONTENTS: Contents<5, 3125> = Contents::new();
        let list = CONTENTS.list();
        assert_eq!((list.len(), multisets(4, 5), multisets(3, 5)), (126, 126, 56));
        for (number, tiles) in list.iter().enumerate() {
            assert_eq!(CONTENTS.number(*tiles), number);
            let digits = (0..5).rev().fold(0, |code, color| 5 * code + usize::from(tiles.count(color)));
            assert_eq!(code_of(*tiles), digits, "{tiles:?}");
            assert_eq!(number < 56, tiles.total() < 4);
        }
        assert_eq!(code_of(Tiles::of(5, 4)), 4 * 5_usize.pow(5));
    }
}
