//! Functions of real numbers that are the same on every processor.
//!
//! Rust says how sums, products and roots are rounded, but leaves exponentials and logarithms to the system, whose libraries
//! round as the processor suits them. What agents choose by is worked out by the functions here, so that a seed gives the same
//! game everywhere.

/// The exponential, within 2 units in the last place; beyond the ends of the range, about 10⁻³⁸ and 10³⁸, that of the end.
///
/// By x = n ln 2 + r, exp x = 2ⁿ exp r, with a polynomial for exp r whose coefficients are those of S. L. Moshier's Cephes.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    /// ln 2 in two parts, of which n times the first one is exact.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    /// Added to a small number and taken away again, it leaves the nearest integer.
    const ROUND: f32 = 1.5 * (1 << 23) as f32;
    let x = x.clamp(-87.0, 88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = x - n * LN_2[0] - n * LN_2[1];
    let p = 1.987_569_1e-4 * r + 1.398_2e-3;
    let p = ((p * r + 8.333_452e-3) * r + 4.166_579_6e-2) * r + 1.666_666_5e-1;
    let exp_r = (p * r + 0.5) * (r * r) + r + 1.0;
    // The integer stands in the lowest bits of the rounded number.
    let two_to_n = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    exp_r * two_to_n
}

/// The natural logarithm.
#[inline]
pub(crate) fn ln(x: f32) -> f32 {
    libm::logf(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_right_to_the_last_places() {
        for step in -870_000..=880_000 {
            let x = step as f32 / 10_000.0;
            let (found, expected) = (f64::from(exp(x)), libm::exp(f64::from(x)));
            let unit = expected * f64::from(f32::EPSILON);
            assert!((found - expected).abs() <= 2.0 * unit, "exp({x}): {found}, expected {expected}");
        }
        assert_eq!(exp(0.0), 1.0);
    }

    #[test]
    fn exponentials_end_where_numbers_do() {
        assert_eq!([exp(-1e30), exp(f32::NEG_INFINITY)], [exp(-87.0); 2]);
        assert_eq!([exp(1e30), exp(f32::INFINITY)], [exp(88.0); 2]);
        assert!(exp(f32::NAN).is_nan() && exp(88.0).is_finite() && exp(-87.0) > 0.0);
    }

    #[test]
    fn values_are_the_same_everywhere() {
        let bits = [exp(-3.7), exp(0.3), exp(41.5), ln(0.2), ln(7.0)].map(f32::to_bits);
        assert_eq!(bits, [0x3cca_88fe, 0x3fac_c82c, 0x5d6a_3d76, 0xbfce_0210, 0x3ff9_1396]);
    }
}
