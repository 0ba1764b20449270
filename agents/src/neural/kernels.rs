//! The inner loops of networks, with the vector instructions that the processor turns out to have.
//!
//! Matrices are flat, row by row; `width` is the length of a row. Sums are taken in a fixed order, so results are the same
//! on every run on one kind of processor; processors with other vector instructions round otherwise.

use pulp::{Arch, Simd, WithSimd};

/// A row of a matrix with a factor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub row: u32,
    pub factor: f32,
}

/// Adds up rows, each times its factor, onto `out`.
///
/// # Panics
/// If the matrix has no such row.
pub(super) fn add_rows(arch: Arch, matrix: &[f32], terms: &[Term], out: &mut [f32]) {
    arch.dispatch(AddRows { matrix, terms, out });
}

struct AddRows<'a> {
    matrix: &'a [f32],
    terms: &'a [Term],
    out: &'a mut [f32],
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
        let width = self.out.len();
        for (at, sum) in self.out.iter_mut().enumerate().skip(start) {
            for term in self.terms {
                *sum += term.factor * self.matrix[term.row as usize * width + at];
            }
        }
    }
}

impl AddRows<'_> {
    /// Adds the rows' entries from `start` on, in blocks of so many vectors; gives the first entry that is in no block.
    #[inline(always)]
    fn add_blocks<S: Simd, const VECTORS: usize>(&mut self, simd: S, mut start: usize) -> usize {
        let AddRows { matrix, terms, out } = self;
        let (width, block) = (out.len(), VECTORS * S::F32_LANES);
        while start + block <= width {
            let (sums, _) = S::as_mut_simd_f32s(&mut out[start..start + block]);
            let sums: &mut [S::f32s; VECTORS] = sums.try_into().expect("a block has so many vectors");
            let mut all = *sums;
            for term in *terms {
                let first = term.row as usize * width + start;
                let (row, _) = S::as_simd_f32s(&matrix[first..first + block]);
                let row: &[S::f32s; VECTORS] = row.try_into().expect("a block has so many vectors");
                let factor = simd.splat_f32s(term.factor);
                for (sum, &entry) in all.iter_mut().zip(row) {
                    *sum = simd.mul_add_e_f32s(factor, entry, *sum);
                }
            }
            *sums = all;
            start += block;
        }
        start
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

/// The products of some rows with a vector.
#[inline(always)]
fn multiply<S: Simd, const ROWS: usize>(
    simd: S,
    matrix: &[f32],
    rows: [u16; ROWS],
    vector: &[f32],
) -> [f32; ROWS] {
    let width = vector.len();
    let (head, tail) = S::as_simd_f32s(vector);
    let rows = rows.map(|row| S::as_simd_f32s(&matrix[row as usize * width..][..width]));
    let heads = rows.map(|(row, _)| &row[..head.len()]);
    // Two sums for each row, of the entries in even and in odd places.
    let mut sums = [[simd.splat_f32s(0.0); 2]; ROWS];
    let (pairs, last) = head.as_chunks::<2>();
    for (at, pair) in pairs.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(heads) {
            sums[0] = simd.mul_add_e_f32s(pair[0], row[2 * at], sums[0]);
            sums[1] = simd.mul_add_e_f32s(pair[1], row[2 * at + 1], sums[1]);
        }
    }
    for &entry in last {
        for (sums, row) in sums.iter_mut().zip(heads) {
            sums[0] = simd.mul_add_e_f32s(entry, row[head.len() - 1], sums[0]);
        }
    }
    std::array::from_fn(|place| {
        let sum = simd.reduce_sum_f32s(simd.add_f32s(sums[place][0], sums[place][1]));
        tail.iter().zip(rows[place].1).fold(sum, |sum, (x, y)| sum + x * y)
    })
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
                *entry = simd.mul_add_e_f32s(factor, x, *entry);
            }
            for (entry, x) in row_tail.iter_mut().zip(tail) {
                *entry += term.factor * x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use azulejo::Generator;
    use rand::RngExt;

    use super::*;

    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let mut rng = Generator::new(seed);
        (0..count).map(|_| rng.random::<f64>() as f32 - 0.5).collect()
    }

    fn close(a: &[f32], b: &[f32]) {
        assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} {b:?}");
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
}
