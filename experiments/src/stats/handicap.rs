//! The handicap in points that makes two seats even, from games at several handicaps: [`even_handicap`].

use super::estimate::Estimate;
use super::interval::{Interval, Z};

/// What games came to in which the second seat begins with so many points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandicapPoint {
    /// The second seat's points at the start; those of the first seat where it is below 0.
    pub handicap: i64,
    /// The number of games.
    pub games: u64,
    /// The first seat's share of the win, 0 to 1.
    pub share: f64,
}

/// Shares further from even than this are not looked at, unless they are the nearest ones: near an even share it hardly matters
/// what curve is fitted.
const FURTHEST: f64 = 0.2;

/// Steps of Newton's method.
const STEPS: usize = 30;

/// Where the first seat's share of the win is one half: -a / b of the logistic curve 1 / (1 + e^-(a + b h)) that is most likely
/// to have these shares, with the interval of a ratio (E. C. Fieller, "Some problems in interval estimation", Journal of the
/// Royal Statistical Society B 16, 1954). Draws count half; as their variance is taken to be that of wins, the interval is
/// rather too wide than too narrow.
///
/// `None` unless shares on both sides of one half are known. No interval where the slope is not known to fall.
pub fn even_handicap(points: &[HandicapPoint]) -> Option<Estimate> {
    let [below, above] = neighbors(points)?;
    let is_near = |point: &&HandicapPoint| {
        (point.share - 0.5).abs() <= FURTHEST || [below, above].contains(&point.handicap)
    };
    let near: Vec<HandicapPoint> = points.iter().filter(is_near).copied().collect();
    // Around the middle the two coefficients hardly depend on each other.
    let center = (below + above) as f64 / 2.0;
    let Curve { a, b, information } = fit(&near, center)?;
    let (value, interval) = ratio(a, b, information)?;
    let shifted = |Interval { low, high }: Interval| Interval { low: low + center, high: high + center };
    Some(Estimate { value: value + center, interval: interval.map(shifted) })
}

/// The largest handicap with which the first seat wins half or more, and the next one that was tried.
pub fn neighbors(points: &[HandicapPoint]) -> Option<[i64; 2]> {
    let too_small = points.iter().filter(|point| point.share >= 0.5).map(|point| point.handicap).max()?;
    let next = points.iter().map(|point| point.handicap).filter(|&handicap| handicap > too_small).min()?;
    Some([too_small, next])
}

/// A logistic curve with the information that the shares hold of it.
struct Curve {
    a: f64,
    b: f64,
    /// Of a, of both, of b.
    information: [f64; 3],
}

/// The most likely curve; `None` if it does not fall, or if there is none.
fn fit(points: &[HandicapPoint], center: f64) -> Option<Curve> {
    let (mut a, mut b) = (0.0, 0.0);
    let mut information = [0.0; 3];
    for _ in 0..STEPS {
        let mut slopes = [0.0; 2];
        information = [0.0; 3];
        for point in points {
            let (at, games) = (point.handicap as f64 - center, point.games as f64);
            let share = 1.0 / (1.0 + f64::exp(-(a + b * at)));
            let (missing, weight) = (games * (point.share - share), games * share * (1.0 - share));
            slopes = [slopes[0] + missing, slopes[1] + missing * at];
            let more = [weight, weight * at, weight * at * at];
            information.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        let [aa, ab, bb] = information;
        let determinant = aa * bb - ab * ab;
        if determinant.is_nan() || determinant <= 1e-12 {
            return None;
        }
        a += (bb * slopes[0] - ab * slopes[1]) / determinant;
        b += (aa * slopes[1] - ab * slopes[0]) / determinant;
    }
    (a.is_finite() && b < 0.0).then_some(Curve { a, b, information })
}

/// -a / b with its interval, `None` for that where b may be 0.
fn ratio(a: f64, b: f64, [aa, ab, bb]: [f64; 3]) -> Option<(f64, Option<Interval>)> {
    let determinant = aa * bb - ab * ab;
    // The covariance is the inverse of the information.
    let (var_a, both, var_b) = (bb / determinant, -ab / determinant, aa / determinant);
    let value = -a / b;
    // All h with |a + b h| at most Z of its standard errors: those between the roots of a quadratic equation.
    let (square, half, rest) = (b * b - Z * Z * var_b, a * b - Z * Z * both, a * a - Z * Z * var_a);
    let root = half * half - square * rest;
    let interval = (square > 0.0 && root >= 0.0)
        .then(|| Interval { low: (-half - root.sqrt()) / square, high: (-half + root.sqrt()) / square });
    value.is_finite().then_some((value, interval))
}

#[cfg(test)]
mod tests {
    use azulejo::Generator;
    use rand_distr::{Distribution, Gumbel, Normal};

    use super::*;

    fn point(handicap: i64, share: f64) -> HandicapPoint {
        HandicapPoint { handicap, games: 1000, share }
    }

    #[test]
    fn shares_on_a_curve_have_its_even_handicap() {
        let curve = |at: i64| 1.0 / (1.0 + f64::exp(0.11 * (at as f64 - 2.3)));
        let points: Vec<HandicapPoint> = [0, 2, 3, 4].map(|at| point(at, curve(at))).to_vec();
        let found = even_handicap(&points).unwrap();
        assert!((found.value - 2.3).abs() < 1e-6, "{found:?}");
        let interval = found.interval.unwrap();
        // The standard error of the level, 0.5 / sqrt(4000), over the slope, 0.11 / 4.
        let expected = 1.96 * 0.5 / 4000f64.sqrt() / (0.11 / 4.0);
        assert!(((interval.high - interval.low) / 2.0 / expected - 1.0).abs() < 0.15, "{found:?}");
        assert_eq!(neighbors(&points), Some([2, 3]));
    }

    #[test]
    fn one_side_alone_tells_nothing_and_a_flat_curve_no_interval() {
        assert_eq!(even_handicap(&[point(0, 0.6), point(4, 0.55)]), None);
        assert_eq!(even_handicap(&[]), None);
        assert_eq!(even_handicap(&[point(0, 0.501), point(1, 0.5)]), None);
        assert_eq!(even_handicap(&[point(0, 0.505), point(1, 0.495)]).unwrap().interval, None);
    }

    /// How often intervals hold the even handicap of a game whose leads are drawn so, and how wide they are.
    fn coverage(draw: impl Fn(&mut Generator) -> f64, even: f64) -> (f64, f64) {
        const STUDIES: u64 = 400;
        let (mut held, mut width) = (0.0, 0.0);
        for seed in 0..STUDIES {
            let mut rng = Generator::new(seed);
            let share = |handicap: i64, rng: &mut Generator| {
                let result = |lead: i64| 0.5 + 0.5 * (lead - handicap).signum() as f64;
                (0..600).map(|_| result(draw(rng).round() as i64)).sum::<f64>() / 600.0
            };
            let tried = [0, 2, 3, 4, 8];
            let points =
                tried.map(|at| HandicapPoint { handicap: at, games: 600, share: share(at, &mut rng) });
            let Some(Estimate { interval: Some(it), .. }) = even_handicap(&points) else { continue };
            held += f64::from(u8::from((it.low..=it.high).contains(&even))) / STUDIES as f64;
            width += (it.high - it.low) / STUDIES as f64;
        }
        (held, width)
    }

    #[test]
    fn intervals_hold_the_even_handicap_of_simulated_games() {
        let normal = Normal::new(2.6, 13.0).unwrap();
        let (held, width) = coverage(|rng| normal.sample(rng), 2.6);
        assert!((0.92..=0.98).contains(&held), "{held}");
        assert!((0.8..2.0).contains(&width), "intervals are {width} points wide");
        // Skewed leads: the even handicap is their median, mode + 0.3665 of the scale.
        let skewed = Gumbel::new(-0.5, 10.0).unwrap();
        let (held, _) = coverage(|rng| skewed.sample(rng), -0.5 + 3.665);
        assert!((0.92..=0.985).contains(&held), "{held}");
    }
}
