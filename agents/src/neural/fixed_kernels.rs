//! The inner loops of layers in integers of 16 bits, with the vector instructions that the processor turns out to have.
//!
//! Matrices are made of [lines](Line): each row is filled up to whole ones. Integers are added up alike on every processor.

use pulp::{Arch, Simd, WithSimd};

/// Entries of 16 bits in a line.
pub(super) const LINE: usize = 32;

/// Integers that fill a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Line([i16; LINE]);

impl Line {
    /// A line that begins with these entries, [`LINE`] at most, and is filled up with 0.
    pub(super) fn of(entries: &[i16]) -> Self {
        let mut line = Line([0; LINE]);
        line.0[..entries.len()].copy_from_slice(entries);
        line
    }

    /// The entries.
    #[cfg(test)]
    pub(super) fn entries(&self) -> &[i16] {
        &self.0
    }
}

/// A row of a matrix that is added to a sum.
pub(super) trait RowTerm: Copy {
    /// What is added of so many such rows on average because products are rounded down.
    fn lost(terms: usize) -> i16;

    /// The row.
    fn row(self) -> usize;

    /// What is added for an entry of the row.
    fn addend(self, entry: i16) -> i16;
}

/// A row as it is.
impl RowTerm for u16 {
    #[inline(always)]
    fn lost(_terms: usize) -> i16 {
        0
    }

    #[inline(always)]
    fn row(self) -> usize {
        self.into()
    }

    #[inline(always)]
    fn addend(self, entry: i16) -> i16 {
        entry
    }
}

/// A row times a factor, in units of 2⁻¹⁶.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScaledRow {
    pub row: u16,
    pub factor: i16,
}

impl RowTerm for ScaledRow {
    #[inline(always)]
    fn lost(terms: usize) -> i16 {
        // Half a unit each.
        i16::try_from(terms / 2).unwrap_or(i16::MAX)
    }

    #[inline(always)]
    fn row(self) -> usize {
        self.row.into()
    }

    #[inline(always)]
    fn addend(self, entry: i16) -> i16 {
        // One instruction for sixteen products.
        ((i32::from(self.factor) * i32::from(entry)) >> 16) as i16
    }
}

/// Adds max(x, 0) times its unit to every entry of `layer`, for every entry x of a bias with rows added; sums that leave 16 bits stay at
/// the range's end, row by row. A row of the matrix has as many lines as the bias.
///
/// # Panics
/// If the matrix has no such row, or the bias and the units are not as wide as the layer.
pub(super) fn add_rectified(
    arch: Arch,
    matrix: &[Line],
    bias: &[Line],
    terms: &[impl RowTerm],
    units: &[f32],
    layer: &mut [f32],
) {
    assert_eq!((bias.len(), units.len()), (layer.len().div_ceil(LINE), layer.len()), "the layer's width");
    arch.dispatch(AddRectified { matrix, bias, terms, units, layer });
}

struct AddRectified<'a, T> {
    matrix: &'a [Line],
    bias: &'a [Line],
    terms: &'a [T],
    units: &'a [f32],
    layer: &'a mut [f32],
}

impl<T: RowTerm> WithSimd for AddRectified<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _simd: S) {
        // Sums stay in registers while the rows go by: four lines are eight vectors of 256 bits.
        let start = self.add::<4>(0);
        self.add::<1>(start);
    }
}

impl<T: RowTerm> AddRectified<'_, T> {
    /// Adds the rows' lines from `start` on, so many at a time; gives the first line that is left.
    #[inline(always)]
    fn add<const LINES: usize>(&mut self, mut start: usize) -> usize {
        let (lines_a_row, lost) = (self.bias.len(), T::lost(self.terms.len()));
        while start + LINES <= lines_a_row {
            let bias: &[Line; LINES] = self.bias[start..][..LINES].try_into().expect("so many lines");
            let mut sums = bias.map(|line| line.0.map(|entry| entry.saturating_add(lost)));
            for &term in self.terms {
                let there: &[Line; LINES] = self.matrix[term.row() * lines_a_row + start..][..LINES]
                    .try_into()
                    .expect("so many lines");
                for (sums, line) in sums.iter_mut().zip(there) {
                    for (sum, &entry) in sums.iter_mut().zip(&line.0) {
                        *sum = sum.saturating_add(term.addend(entry));
                    }
                }
            }
            let (layer, units) = (&mut self.layer[start * LINE..], &self.units[start * LINE..]);
            for ((entry, unit), sum) in layer.iter_mut().zip(units).zip(sums.as_flattened()) {
                *entry += f32::from((*sum).max(0)) * unit;
            }
            start += LINES;
        }
        start
    }
}

/// Writes the entries of a layer, none below 0, as whole numbers of their units, at most what 16 bits hold, to the beginning of `terms`,
/// which has room for all; those that come to 0 are left out. Returns their number.
///
/// # Panics
/// If there are fewer units than entries.
pub(super) fn collect_whole(arch: Arch, layer: &[f32], per_unit: &[f32], terms: &mut [ScaledRow]) -> usize {
    arch.dispatch(CollectWhole { layer, per_unit: &per_unit[..layer.len()], terms })
}

struct CollectWhole<'a> {
    layer: &'a [f32],
    /// The reciprocals of the units.
    per_unit: &'a [f32],
    terms: &'a mut [ScaledRow],
}

impl WithSimd for CollectWhole<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> usize {
        // First a bit for each entry, by comparisons side by side: half of the entries are 0, in no order that a processor could
        // foresee.
        const CHUNK: usize = u64::BITS as usize;
        let (chunks, tail) = self.layer.as_chunks::<CHUNK>();
        let (units, units_of_tail) = self.per_unit.as_chunks::<CHUNK>();
        let (mut found, mut first) = (0, 0);
        for (chunk, units) in chunks.iter().zip(units) {
            let (mut factors, mut nonzero) = ([0; CHUNK], 0u64);
            for (place, (entry, unit)) in chunk.iter().zip(units).enumerate() {
                factors[place] = whole(entry * unit);
                nonzero |= u64::from(factors[place] != 0) << place;
            }
            while nonzero != 0 {
                let place = nonzero.trailing_zeros() as usize % CHUNK;
                self.terms[found] = ScaledRow { row: first + place as u16, factor: factors[place] };
                nonzero &= nonzero - 1;
                found += 1;
            }
            first += CHUNK as u16;
        }
        for ((entry, unit), row) in tail.iter().zip(units_of_tail).zip(first..) {
            let factor = whole(entry * unit);
            if factor != 0 {
                self.terms[found] = ScaledRow { row, factor };
                found += 1;
            }
        }
        found
    }
}

/// The nearest whole number, at most what 16 bits hold, of a number that is not below 0.
#[inline(always)]
fn whole(number: f32) -> i16 {
    // Added to 1.5 · 2²³, numbers below 2²² stand in the last bits: other ways to round do not come in vectors.
    const LAST_BITS: f32 = 12_582_912.0;
    (number.min(f32::from(i16::MAX)) + LAST_BITS).to_bits() as i16
}

#[cfg(test)]
mod tests {
    use azulejo::Generator;
    use rand::RngExt;

    use super::super::kernels::tests::{kinds_of_vectors, numbers};
    use super::*;

    /// Sums of rows on a layer, by one entry after the other and by vectors of all kinds.
    fn check<T: RowTerm>(width: usize, terms: &[T]) {
        let mut rng = Generator::new(5);
        let mut row = || -> Vec<i16> { (0..width).map(|_| rng.below(9000) as i16 - 4500).collect() };
        let (bias, rows) = (row(), [row(), row(), row()]);
        let (units, before) = (numbers(width, 6), numbers(width, 7));
        let lines = |row: &Vec<i16>| row.chunks(LINE).map(Line::of).collect::<Vec<_>>();
        let matrix: Vec<Line> = rows.iter().flat_map(lines).collect();
        assert_eq!(matrix.len(), 3 * width.div_ceil(LINE));
        let plain = |at: usize| {
            let add = |sum: i16, term: &T| sum.saturating_add(term.addend(rows[term.row()][at]));
            let sum = terms.iter().fold(bias[at] + T::lost(terms.len()), add);
            before[at] + f32::from(sum.max(0)) * units[at]
        };
        let plain: Vec<f32> = (0..width).map(plain).collect();
        for arch in kinds_of_vectors() {
            let mut layer = before.clone();
            add_rectified(arch, &matrix, &lines(&bias), terms, &units, &mut layer);
            assert_eq!(layer, plain, "width {width}");
        }
    }

    #[test]
    fn integers_are_added_up_alike_by_vectors_of_every_length() {
        for width in [1, 32, 40, 130, 256] {
            check(width, &[2u16, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
            let factors = [30_000, 1, 0, 32_767, 32_767, 32_767, 8_000, 32_767, 32_767, 20_000, 32_767];
            let rows = [2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2];
            let terms: Vec<ScaledRow> =
                rows.into_iter().zip(factors).map(|(row, factor)| ScaledRow { row, factor }).collect();
            check(width, &terms);
        }
    }

    #[test]
    fn products_are_rounded_down_and_what_that_takes_is_given_back() {
        let products =
            [(16_384, 8, 2), (16_384, 7, 1), (16_384, -7, -2), (32_767, 32_767, 16_383), (9, 0, 0)];
        for (factor, entry, product) in products {
            assert_eq!(ScaledRow { row: 0, factor }.addend(entry), product, "{factor} · {entry}");
        }
        assert_eq!([0, 1, 2, 101].map(ScaledRow::lost), [0, 0, 1, 50]);
    }

    #[test]
    fn layers_are_collected_as_whole_numbers_by_vectors_of_every_length() {
        for width in [1, 63, 64, 130, 256] {
            let mut rng = Generator::new(8);
            let wholes: Vec<u64> = (0..width).map(|_| rng.below(5).pow(8)).collect();
            let per_unit: Vec<f32> = (0..width).map(|_| 2f32.powi(rng.below(20) as i32 - 10)).collect();
            let entry =
                |(whole, per_unit): (&u64, &f32)| (*whole as f32 + 0.4 * rng.random::<f32>()) / per_unit;
            let layer: Vec<f32> = wholes.iter().zip(&per_unit).map(entry).collect();
            let plain = wholes.iter().zip(0..).filter(|(whole, _)| **whole > 0);
            let plain = plain.map(|(&whole, row)| ScaledRow { row, factor: whole.min(32_767) as i16 });
            let plain: Vec<ScaledRow> = plain.collect();
            for arch in kinds_of_vectors() {
                let mut terms = vec![ScaledRow { row: 0, factor: 0 }; width];
                let found = collect_whole(arch, &layer, &per_unit, &mut terms);
                assert_eq!(terms[..found], plain, "width {width}");
            }
        }
    }
}
