//! Exploration by chance at the root: [`RootNoise`].

use azulejo::{Generator, Keyed};
use rand::RngExt;

use super::tree::Tree;

/// The parameters of the Dirichlet distribution together: fewer for each action where more actions are legal, so that about as many
/// stand out everywhere (Wu 2019, whose board of 361 places and α = 0.03 make about this).
const CONCENTRATION: f64 = 10.8;

/// What is added to the root's prior probabilities p (Silver et al. 2017): they become (1 − s) p + s d, where d is drawn from a
/// Dirichlet distribution with the same parameter α for each action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootNoise {
    /// s, from 0 to 1.
    pub share: f32,
}

impl RootNoise {
    /// Adds it to the prior probabilities of a root of which no child has been tried.
    pub(super) fn add_to<G: Keyed>(self, tree: &mut Tree<G>, rng: &mut Generator) {
        let noise = draw(tree.root_children().len(), rng);
        let mut noise = noise.into_iter();
        tree.change_root_priors(|prior| {
            let noise = noise.next().expect("a number for each child");
            (1.0 - self.share) * prior + self.share * noise
        });
    }
}

/// Probabilities from the Dirichlet distribution with α = [`CONCENTRATION`] / `count`: numbers with gamma distributions by their sum.
fn draw(count: usize, rng: &mut Generator) -> Vec<f32> {
    let shape = CONCENTRATION / count as f64;
    let numbers: Vec<f64> = (0..count).map(|_| gamma(shape, rng)).collect();
    let total: f64 = numbers.iter().sum();
    numbers
        .into_iter()
        .map(|number| if total > 0.0 { number / total } else { 1.0 / count as f64 } as f32)
        .collect()
}

/// A number with the gamma distribution of this shape and the scale 1: as many exponential ones as the shape has whole parts, and
/// for the rest, if any, an exponential one times one with a beta distribution (Jöhnk 1964).
fn gamma(shape: f64, rng: &mut Generator) -> f64 {
    let rest = shape.fract();
    let whole: f64 = (0..shape as u64).map(|_| exponential(rng)).sum();
    if rest == 0.0 { whole } else { whole + exponential(rng) * beta(rest, rng) }
}

/// A number with the beta distribution of `a` and 1 − `a`, for `a` between 0 and 1.
fn beta(a: f64, rng: &mut Generator) -> f64 {
    loop {
        let x = libm::pow(rng.random::<f64>(), 1.0 / a);
        let y = libm::pow(rng.random::<f64>(), 1.0 / (1.0 - a));
        if x + y > 0.0 && x + y <= 1.0 {
            return x / (x + y);
        }
    }
}

/// A number with the exponential distribution of mean 1.
fn exponential(rng: &mut Generator) -> f64 {
    -libm::log(1.0 - rng.random::<f64>())
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::{Game, Indexed, intern};

    use super::*;
    use crate::evaluator::Utility;
    use crate::mcts::{ChanceTreatment, SelectionRule, TreeRules, ValuePolicy};
    use crate::rollout::{RandomPolicy, Rollout};

    #[test]
    fn noise_takes_a_share_of_the_prior_and_the_most_promising_stay_first() {
        let mut state = Azul::new(intern(AzulRules::default()), 2);
        state.play_chance(&mut Generator::new(3));
        let selection = SelectionRule::Puct { c: 1.0, fpu: 0.0 };
        let rules = TreeRules { selection, chance: ChanceTreatment::Sample, memory: 1 << 22 };
        let values = Box::new(Rollout::new(RandomPolicy::default(), Utility { margin: 0.0 }));
        let mut evaluator = ValuePolicy::<Azul>::new(values, Default::default(), 1.0);
        let (mut tree, mut rng) = (Tree::new(state, rules, 1), Generator::new(4));
        assert!(tree.expand_root(&mut evaluator, &mut rng).is_ready());
        let priors = |tree: &Tree<Azul>| {
            let mut priors: Vec<_> =
                tree.root_children().iter().map(|child| (child.action.index(), child.prior)).collect();
            assert!(priors.is_sorted_by(|a, b| a.1 >= b.1), "the most promising first");
            priors.sort_by_key(|(action, _)| *action);
            priors
        };
        let quiet = priors(&tree);
        RootNoise { share: 0.0 }.add_to(&mut tree, &mut rng);
        assert_eq!(priors(&tree), quiet);
        RootNoise { share: 0.25 }.add_to(&mut tree, &mut rng);
        let noisy = priors(&tree);
        assert!((noisy.iter().map(|(_, prior)| prior).sum::<f32>() - 1.0).abs() < 1e-5, "{noisy:?}");
        let mut louder = 0;
        for ((action, prior), (as_before, before)) in noisy.iter().zip(&quiet) {
            assert_eq!(action, as_before);
            assert!(*prior >= 0.75 * before, "{noisy:?} from {quiet:?}");
            louder += u32::from(*prior > 0.75 * before + 0.02);
        }
        assert!(louder > 1, "{noisy:?} from {quiet:?}");
    }

    /// The mean and the variance of numbers.
    fn moments(numbers: &[f64]) -> (f64, f64) {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        (mean, numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count)
    }

    #[test]
    fn a_gamma_distribution_has_its_shape_as_mean_and_variance() {
        let mut rng = Generator::new(1);
        for shape in [0.02, 0.4, 1.0, 2.7, 10.8] {
            let numbers: Vec<f64> = (0..100_000).map(|_| gamma(shape, &mut rng)).collect();
            let (mean, variance) = moments(&numbers);
            // Six standard errors: the fourth moment about the mean is 3 k² + 6 k.
            let (of_mean, of_variance) =
                ((shape / 1e5).sqrt(), ((2.0 * shape * shape + 6.0 * shape) / 1e5).sqrt());
            assert!((mean - shape).abs() < 6.0 * of_mean, "shape {shape}: mean {mean}");
            assert!((variance - shape).abs() < 6.0 * of_variance, "shape {shape}: variance {variance}");
        }
    }

    #[test]
    fn noise_sums_up_to_1_and_is_as_uneven_as_a_dirichlet_distribution_is() {
        let mut rng = Generator::new(2);
        for count in [1, 2, 11, 40, 300] {
            let draws: Vec<Vec<f32>> = (0..20_000).map(|_| draw(count, &mut rng)).collect();
            for noise in &draws {
                assert_eq!(noise.len(), count);
                assert!(
                    (noise.iter().sum::<f32>() - 1.0).abs() < 1e-4 && noise.iter().all(|share| *share >= 0.0)
                );
            }
            let (mean, variance) = moments(&draws.iter().map(|noise| noise[0].into()).collect::<Vec<f64>>());
            let expected = 1.0 / count as f64;
            let spread = expected * (1.0 - expected) / (CONCENTRATION + 1.0);
            assert!((mean - expected).abs() <= 6.0 * (spread / 2e4).sqrt(), "{count}: mean {mean}");
            assert!(
                (variance - spread).abs() <= 0.2 * spread,
                "{count}: variance {variance}, expected {spread}"
            );
        }
    }
}
