//! What a stage learns from: the examples of the last stages.

use azulejo::Generator;
use azulejo_agents::neural::{Example, Network, Workspace};
use rayon::prelude::*;

/// The examples of the last stages.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The latest stage last.
    stages: Vec<(u64, Vec<Example>)>,
}

impl Window {
    /// Takes in the examples of a stage, and lets go of those before stage `first`.
    pub fn push(&mut self, stage: u64, examples: Vec<Example>, first: u64) {
        self.stages.retain(|(known, _)| *known >= first);
        self.stages.push((stage, examples));
    }

    /// The examples to draw from, each as often as it weighs.
    ///
    /// An example weighs (1 − s) + s · its surprise / the mean surprise, where s is `share`, 0 to 1, and surprise is
    /// [`Example::surprise`] (policy surprise weighting; Wu 2019); one that teaches no policy weighs 1. Weights become whole numbers
    /// by chance, so that they are right on average. Works on the threads of the present pool.
    pub fn drawn_from(&self, share: f32, network: &Network, rng: &mut Generator) -> Vec<&Example> {
        let examples: Vec<&Example> = self.stages.iter().flat_map(|(_, examples)| examples).collect();
        if share == 0.0 {
            return examples;
        }
        let begin = || Workspace::new(network.shape());
        let surprise = |workspace: &mut Workspace, example: &&Example| example.surprise(network, workspace);
        let surprises: Vec<Option<f32>> = examples.par_iter().map_init(begin, surprise).collect();
        let known = || surprises.iter().flatten().map(|surprise| f64::from(*surprise));
        let mean = known().sum::<f64>() / known().count().max(1) as f64;
        let weight = |surprise: Option<f32>| match surprise {
            Some(surprise) if mean > 0.0 => 1.0 + f64::from(share) * (f64::from(surprise) / mean - 1.0),
            _ => 1.0,
        };
        let counted = examples.into_iter().zip(&surprises);
        let copies = counted.flat_map(|(example, surprise)| {
            std::iter::repeat_n(example, (weight(*surprise) + rng.unit()) as usize)
        });
        copies.collect()
    }
}

#[cfg(test)]
mod tests {
    use azulejo::{MAX_PLAYERS, Parts};
    use azulejo_agents::neural::Shape;

    use super::*;

    const SHAPE: Shape = Shape { features: 4, parts: 2, width: 8, blocks: 1 };

    /// Examples that teach these shares for the first of two actions, or nothing of the policy; their points are their numbers.
    fn examples(shares: &[Option<f32>]) -> Vec<Example> {
        let example = |(number, share): (u8, &Option<f32>)| {
            let taught = share.map(|first| vec![(Parts::one(0), first), (Parts::one(1), 1.0 - first)]);
            let mut points_to_come = [0.0; MAX_PLAYERS];
            points_to_come[0] = f32::from(number);
            let wins = [0.5, 0.5, 0.0, 0.0];
            Example {
                features: vec![1],
                policy: taught.unwrap_or_default(),
                players: 2,
                wins,
                points_to_come,
            }
        };
        (0..).zip(shares).map(example).collect()
    }

    /// How often each of the examples is among those to draw from, on average over many times.
    fn counts(examples: &[Example], share: f32) -> Vec<f64> {
        const TIMES: u32 = 2000;
        let (mut window, network) = (Window::default(), Network::untrained(SHAPE, 1));
        window.push(0, examples.to_vec(), 0);
        let (mut rng, mut counts) = (Generator::new(3), vec![0; examples.len()]);
        for _ in 0..TIMES {
            let drawn = window.drawn_from(share, &network, &mut rng);
            drawn.iter().for_each(|example| counts[example.points_to_come[0] as usize] += 1);
        }
        counts.into_iter().map(|count: u32| f64::from(count) / f64::from(TIMES)).collect()
    }

    #[test]
    fn what_surprises_is_drawn_more_often() {
        let examples = examples(&[Some(0.5), Some(0.99), None, Some(0.9)]);
        assert_eq!(counts(&examples, 0.0), [1.0; 4]);
        let (network, mut workspace) = (Network::untrained(SHAPE, 1), Workspace::new(SHAPE));
        let surprise = |example: &Example| example.surprise(&network, &mut workspace).map(f64::from);
        let surprises: Vec<Option<f64>> = examples.iter().map(surprise).collect();
        let mean = surprises.iter().flatten().sum::<f64>() / 3.0;
        for (found, surprise) in counts(&examples, 0.6).into_iter().zip(&surprises) {
            let expected = surprise.map_or(1.0, |surprise| 0.4 + 0.6 * surprise / mean);
            assert!((found - expected).abs() < 0.05, "{found} instead of {expected}");
        }
        assert!(surprises[1] > Some(1.2 * mean) && surprises[0] < Some(0.5 * mean), "{surprises:?}");
    }

    #[test]
    fn what_surprises_nobody_is_drawn_alike() {
        assert_eq!(counts(&examples(&[None, None]), 1.0), [1.0; 2]);
    }

    #[test]
    fn old_stages_are_let_go() {
        let mut window = Window::default();
        (0..5).for_each(|stage: u64| window.push(stage, examples(&[None]), stage.saturating_sub(1)));
        let kept: Vec<u64> = window.stages.iter().map(|(stage, _)| *stage).collect();
        assert_eq!(kept, [3, 4]);
    }
}
