//! The inner loops of networks, with the vector instructions that the processor turns out to have.
//!
//! Matrices are flat, row by row; `width` is the length of a row. Results are the same on every processor: a product is added to
//! a sum with one rounding (a fused multiply-add), and the order of sums does not depend on how long vectors are.

use pulp::{Arch, Simd, WithSimd};

/// A row of a matrix with a factor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub row: u32,
    pub factor: f32,
}

/// What becomes of a sum of rows.
#[derive(Clone, Copy, Debug)]
enum RowSum<'a> {
    /// It is added to what is there.
    Added,
    /// With a bias and rectified it takes the place of what is there.
    Rectified(&'a [f32]),
    /// With a bias and rectified it is added to what is there.
    Residual(&'a [f32]),
}

/// Adds up rows, each times its factor, onto `out`.
///
/// # Panics
/// If the matrix has no such row.
pub(super) fn add_rows(arch: Arch, matrix: &[f32], terms: &[Term], out: &mut [f32]) {
    arch.dispatch(AddRows { matrix, terms, out, sum: RowSum::Added });
}

/// The first layer: fills `layer` with max(x, 0) for every entry x of a bias with rows added, each times its factor.
///
/// # Panics
/// If the matrix has no such row, or the bias fewer entries than the layer.
pub(super) fn fill_layer(arch: Arch, matrix: &[f32], bias: &[f32], terms: &[Term], layer: &mut [f32]) {
    arch.dispatch(AddRows { matrix, terms, out: layer, sum: RowSum::Rectified(bias) });
}

/// A residual block: adds max(x, 0) to the layer for every entry x of a bias with rows added, each times its factor.
///
/// # Panics
/// If the matrix has no such row, or the bias fewer entries than the layer.
pub(super) fn add_block(arch: Arch, matrix: &[f32], bias: &[f32], terms: &[Term], layer: &mut [f32]) {
    arch.dispatch(AddRows { matrix, terms, out: layer, sum: RowSum::Residual(bias) });
}

struct AddRows<'a> {
    matrix: &'a [f32],
    terms: &'a [Term],
    out: &'a mut [f32],
    sum: RowSum<'a>,
}

impl WithSimd for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // The sums of a block stay in registers while the rows go by; half of the registers are left for the rows.
        let mut start = 0;
        if S::REGISTER_COUNT > 16 {
            start = self.add_blocks::<S, 16>(simd, start);
        }
        start = self.add_blocks::<S, 8>(simd, start);
        start = self.add_blocks::<S, 4>(simd, start);
        start = self.add_blocks::<S, 1>(simd, start);
        for at in start..self.out.len() {
            self.add_entry(at);
        }
    }
}

impl AddRows<'_> {
    /// Adds the rows' entries from `start` on, in blocks of so many vectors; gives the first entry that is in no block.
    #[inline(always)]
    fn add_blocks<S: Simd, const VECTORS: usize>(&mut self, simd: S, mut start: usize) -> usize {
        let AddRows { matrix, terms, out, sum: kind } = self;
        let (width, block) = (out.len(), VECTORS * S::F32_LANES);
        if start + block > width {
            return start;
        }
        // Where a row is made of whole blocks, its place is looked up by one number.
        let blocks_a_row = if width.is_multiple_of(block) { width / block } else { 0 };
        let (blocks, _) = S::as_simd_f32s(matrix).0.as_chunks::<VECTORS>();
        while start + block <= width {
            let (there, _) = S::as_mut_simd_f32s(&mut out[start..start + block]);
            let there: &mut [S::f32s; VECTORS] = there.try_into().expect("a block has so many vectors");
            let mut sums = match kind {
                RowSum::Added => *there,
                RowSum::Rectified(bias) | RowSum::Residual(bias) => *vectors::<S, VECTORS>(bias, start),
            };
            if blocks_a_row > 0 {
                let column = start / block;
                for term in *terms {
                    add_block_of_row(
                        simd,
                        term.factor,
                        &blocks[term.row as usize * blocks_a_row + column],
                        &mut sums,
                    );
                }
            } else {
                for term in *terms {
                    let row = vectors::<S, VECTORS>(matrix, term.row as usize * width + start);
                    add_block_of_row(simd, term.factor, row, &mut sums);
                }
            }
            let zero = simd.splat_f32s(0.0);
            for (there, sum) in there.iter_mut().zip(sums) {
                // What is no number becomes 0: the second of both.
                *there = match kind {
                    RowSum::Added => sum,
                    RowSum::Rectified(_) => simd.max_f32s(sum, zero),
                    RowSum::Residual(_) => simd.add_f32s(*there, simd.max_f32s(sum, zero)),
                };
            }
            start += block;
        }
        start
    }

    /// The same for one entry.
    #[inline(always)]
    fn add_entry(&mut self, at: usize) {
        let (width, there) = (self.out.len(), self.out[at]);
        let entry = |term: &Term| self.matrix[term.row as usize * width + at];
        let sum = |start: f32| self.terms.iter().fold(start, |sum, it| it.factor.mul_add(entry(it), sum));
        self.out[at] = match self.sum {
            RowSum::Added => sum(there),
            RowSum::Rectified(bias) => sum(bias[at]).max(0.0),
            RowSum::Residual(bias) => there + sum(bias[at]).max(0.0),
        };
    }
}

/// Adds a part of a row, times its factor.
#[inline(always)]
fn add_block_of_row<S: Simd, const VECTORS: usize>(
    simd: S,
    factor: f32,
    row: &[S::f32s; VECTORS],
    sums: &mut [S::f32s; VECTORS],
) {
    let factor = simd.splat_f32s(factor);
    for (sum, &entry) in sums.iter_mut().zip(row) {
        *sum = simd.mul_add_f32s(factor, entry, *sum);
    }
}

/// So many vectors of numbers from a place on.
#[inline(always)]
fn vectors<S: Simd, const VECTORS: usize>(numbers: &[f32], first: usize) -> &[S::f32s; VECTORS] {
    let (vectors, _) = S::as_simd_f32s(&numbers[first..][..VECTORS * S::F32_LANES]);
    vectors.try_into().expect("a block has so many vectors")
}

/// Writes the entries of a layer that are not 0 to the beginning of `terms`, which has room for all; returns their number.
pub(super) fn collect_nonzero(arch: Arch, layer: &[f32], terms: &mut [Term]) -> usize {
    arch.dispatch(CollectNonzero { layer, terms })
}

struct CollectNonzero<'a> {
    layer: &'a [f32],
    terms: &'a mut [Term],
}

impl WithSimd for CollectNonzero<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> usize {
        // First a bit for each entry, by comparisons side by side: half of the entries are 0, in no order that a processor could
        // foresee.
        let (chunks, tail) = self.layer.as_chunks::<{ u64::BITS as usize }>();
        let (mut found, mut first) = (0, 0);
        for chunk in chunks {
            let mut nonzero = 0u64;
            for (place, &entry) in chunk.iter().enumerate() {
                nonzero |= u64::from(entry != 0.0) << place;
            }
            while nonzero != 0 {
                let place = nonzero.trailing_zeros();
                self.terms[found] = Term { row: first + place, factor: chunk[place as usize % chunk.len()] };
                nonzero &= nonzero - 1;
                found += 1;
            }
            first += u64::BITS;
        }
        for (&factor, row) in tail.iter().zip(first..).filter(|(factor, _)| **factor != 0.0) {
            self.terms[found] = Term { row, factor };
            found += 1;
        }
        found
    }
}

/// The products of rows with a vector: `products[i]` for row `rows[i]`.
///
/// # Panics
/// If the matrix has no such row.
pub(super) fn multiply_rows(arch: Arch, matrix: &[f32], rows: &[u16], vector: &[f32], products: &mut [f32]) {
    arch.dispatch(MultiplyRows { matrix, rows, vector, products });
}

struct MultiplyRows<'a> {
    matrix: &'a [f32],
    rows: &'a [u16],
    vector: &'a [f32],
    products: &'a mut [f32],
}

impl WithSimd for MultiplyRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // Rows side by side share the vector's entries, and their sums do not wait for each other.
        let (fours, rest) = self.rows.as_chunks::<4>();
        let (of_fours, of_rest) = self.products.as_chunks_mut::<4>();
        for (products, rows) in of_fours.iter_mut().zip(fours) {
            *products = multiply(simd, self.matrix, *rows, self.vector);
        }
        for (product, &row) in of_rest.iter_mut().zip(rest) {
            [*product] = multiply(simd, self.matrix, [row], self.vector);
        }
    }
}

/// The products of some rows with a vector: sixteen sums, of the entries at places with the same remainder by sixteen, which are
/// added up by halves, and then the entries that are left, one by one. How many of the sums a processor has in a vector does not
/// matter.
#[inline(always)]
fn multiply<S: Simd, const ROWS: usize>(
    simd: S,
    matrix: &[f32],
    rows: [u16; ROWS],
    vector: &[f32],
) -> [f32; ROWS] {
    let rows = rows.map(|row| &matrix[row as usize * vector.len()..][..vector.len()]);
    match S::F32_LANES {
        16 => multiply_in_vectors::<S, ROWS, 1>(simd, rows, vector),
        8 => multiply_in_vectors::<S, ROWS, 2>(simd, rows, vector),
        4 => multiply_in_vectors::<S, ROWS, 4>(simd, rows, vector),
        _ => multiply_in_vectors::<S, ROWS, 16>(simd, rows, vector),
    }
}

/// The same with so many vectors for sixteen sums.
#[inline(always)]
fn multiply_in_vectors<S: Simd, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    rows: [&[f32]; ROWS],
    vector: &[f32],
) -> [f32; ROWS] {
    let groups = S::as_simd_f32s(vector).0.as_chunks::<VECTORS>().0;
    let rows_groups = rows.map(|row| &S::as_simd_f32s(row).0.as_chunks::<VECTORS>().0[..groups.len()]);
    let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
    for (at, group) in groups.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(rows_groups) {
            for ((sum, &x), &entry) in sums.iter_mut().zip(group).zip(&row[at]) {
                *sum = simd.mul_add_f32s(x, entry, *sum);
            }
        }
    }
    let first = groups.len() * VECTORS * S::F32_LANES;
    std::array::from_fn(|place| {
        let sums = &mut sums[place];
        let mut half = VECTORS / 2;
        while half > 0 {
            for at in 0..half {
                sums[at] = simd.add_f32s(sums[at], sums[at + half]);
            }
            half /= 2;
        }
        let rest = vector[first..].iter().zip(&rows[place][first..]);
        rest.fold(sum_of(simd, sums[0]), |sum, (x, entry)| x.mul_add(*entry, sum))
    })
}

/// The sum of a vector's numbers by halves.
#[inline(always)]
fn sum_of<S: Simd>(simd: S, numbers: S::f32s) -> f32 {
    // Vectors of four add neighbors first.
    if S::F32_LANES != 4 {
        return simd.reduce_sum_f32s(numbers);
    }
    let mut lanes = [0.0; 4];
    S::as_mut_simd_f32s(&mut lanes).0[0] = numbers;
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

/// Adds a vector, times each term's factor, onto the terms' rows.
///
/// # Panics
/// If the matrix has no such row.
pub(super) fn add_to_rows(arch: Arch, matrix: &mut [f32], terms: &[Term], vector: &[f32]) {
    arch.dispatch(AddToRows { matrix, terms, vector });
}

struct AddToRows<'a> {
    matrix: &'a mut [f32],
    terms: &'a [Term],
    vector: &'a [f32],
}

impl WithSimd for AddToRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let AddToRows { matrix, terms, vector } = self;
        let width = vector.len();
        let (head, tail) = S::as_simd_f32s(vector);
        for term in terms {
            let first = term.row as usize * width;
            let (row_head, row_tail) = S::as_mut_simd_f32s(&mut matrix[first..first + width]);
            let factor = simd.splat_f32s(term.factor);
            for (entry, &x) in row_head.iter_mut().zip(head) {
                *entry = simd.mul_add_f32s(factor, x, *entry);
            }
            for (entry, x) in row_tail.iter_mut().zip(tail) {
                *entry = term.factor.mul_add(*x, *entry);
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use azulejo::Generator;
    use rand::RngExt;

    use super::*;

    /// Numbers from −0.5 to 0.5.
    pub fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let mut rng = Generator::new(seed);
        (0..count).map(|_| rng.random::<f64>() as f32 - 0.5).collect()
    }

    fn close(a: &[f32], b: &[f32]) {
        assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?}");
    }

    /// What this processor can compute with.
    pub fn kinds_of_vectors() -> Vec<Arch> {
        let mut found = vec![Arch::Scalar];
        #[cfg(target_arch = "x86_64")]
        {
            found.extend(pulp::x86::V3::try_new().map(Arch::V3));
            found.extend(pulp::x86::V4::try_new().map(Arch::V4));
        }
        found.push(Arch::new());
        found
    }

    #[test]
    fn vectors_of_every_length_compute_the_same() {
        for width in [1, 7, 16, 40, 64, 130, 256] {
            let (matrix, vector, bias) = (numbers(9 * width, 1), numbers(width, 2), numbers(width, 3));
            let terms = [(3, 0.5), (8, -2.0), (3, 0.3)].map(|(row, factor)| Term { row, factor });
            let computed = kinds_of_vectors().into_iter().map(|arch| {
                let mut layer = vector.clone();
                add_rows(arch, &matrix, &terms, &mut layer);
                add_block(arch, &matrix, &bias, &terms, &mut layer);
                let (mut products, mut changed) = ([0.0; 5], matrix.clone());
                multiply_rows(arch, &matrix, &[8, 0, 5, 1, 2], &vector, &mut products);
                add_to_rows(arch, &mut changed, &terms, &vector);
                let numbers = layer.iter().chain(&products).chain(&changed);
                numbers.map(|number| number.to_bits()).collect::<Vec<_>>()
            });
            let computed: Vec<Vec<u32>> = computed.collect();
            assert!(computed.iter().all(|bits| *bits == computed[0]), "width {width}");
        }
    }

    #[test]
    fn kernels_agree_with_plain_loops_on_every_width() {
        for width in [1, 7, 16, 40, 64, 130, 256] {
            let (matrix, vector) = (numbers(9 * width, 1), numbers(width, 2));
            let terms = [(3, 0.5), (8, -2.0), (3, 1.0)].map(|(row, factor)| Term { row, factor });
            let entry = |row: u32, at: usize| matrix[row as usize * width + at];
            let mut out = vector.clone();
            add_rows(Arch::new(), &matrix, &terms, &mut out);
            let plain = |at: usize| {
                vector[at] + terms.iter().map(|term| term.factor * entry(term.row, at)).sum::<f32>()
            };
            close(&out, &(0..width).map(plain).collect::<Vec<_>>());

            let bias = numbers(width, 3);
            let rectified = |at: usize| (plain(at) - vector[at] + bias[at]).max(0.0);
            let mut layer = vector.clone();
            fill_layer(Arch::new(), &matrix, &bias, &terms, &mut layer);
            close(&layer, &(0..width).map(rectified).collect::<Vec<_>>());
            let mut layer = vector.clone();
            add_block(Arch::new(), &matrix, &bias, &terms, &mut layer);
            close(&layer, &(0..width).map(|at| vector[at] + rectified(at)).collect::<Vec<_>>());

            let (rows, mut products) = ([8, 0, 5], [0.0; 3]);
            multiply_rows(Arch::new(), &matrix, &rows, &vector, &mut products);
            let plain =
                rows.map(|row| (0..width).map(|at| vector[at] * entry(u32::from(row), at)).sum::<f32>());
            close(&products, &plain);

            let mut changed = matrix.clone();
            add_to_rows(Arch::new(), &mut changed, &terms, &vector);
            let mut plain = matrix.clone();
            for term in terms {
                let row = &mut plain[term.row as usize * width..][..width];
                row.iter_mut().zip(&vector).for_each(|(entry, x)| *entry += term.factor * x);
            }
            close(&changed, &plain);
        }
    }

    #[test]
    fn entries_that_are_not_0_are_collected_in_their_order() {
        for width in [1, 63, 64, 130, 256] {
            let layer: Vec<f32> = numbers(width, 4).into_iter().map(|x| x.max(0.0)).collect();
            let mut terms = vec![Term { row: 0, factor: 0.0 }; width];
            let found = collect_nonzero(Arch::new(), &layer, &mut terms);
            let plain = layer.iter().zip(0..).filter(|(factor, _)| **factor != 0.0);
            let collected = terms[..found].iter().map(|term| (&term.factor, term.row));
            assert!(collected.eq(plain), "{width}");
        }
    }
}
