//! What a network's losses are on games, and how far they are known: [`SampledLosses`].

use azulejo::Generator;
use azulejo_agents::neural::{Example, Losses, Trainer};
use rand::seq::index::sample;
use serde::{Deserialize, Serialize};

use crate::stats::{Estimate, Interval};

/// The mean losses on positions drawn from games.
///
/// Positions of one game share its result and much else, so the standard errors are those of games: of a ratio of sums over
/// games (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, section 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampledLosses {
    /// The mean losses.
    #[serde(flatten)]
    pub means: Losses,
    /// Their standard errors; none with less than two games, and in former versions.
    #[serde(default)]
    pub errors: Option<Losses>,
}

impl SampledLosses {
    /// The losses of the policy, the wins and the scores with their intervals.
    pub fn estimates(&self) -> [Estimate; 3] {
        let numbers = |it: Losses| [it.policy, it.wins, it.scores].map(f64::from);
        let (means, errors) = (numbers(self.means), self.errors.map(numbers));
        [0, 1, 2].map(|head| Estimate {
            value: means[head],
            interval: errors.map(|errors| Interval::around(means[head], errors[head])),
        })
    }
}

/// How many games and positions are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SampleSize {
    games: usize,
    /// The most positions of a game.
    positions: usize,
}

impl SampleSize {
    /// The size for two groups of so many games, the same for both, so that their losses are of the same kind. If one has no
    /// games, it is the size for the other.
    pub(super) fn for_both(games: [usize; 2]) -> Self {
        /// More say little more.
        const GAMES: usize = 1024;
        const POSITIONS: usize = 8192;
        let fewest = games.into_iter().filter(|games| *games > 0).min().unwrap_or(1).min(GAMES);
        SampleSize { games: fewest, positions: POSITIONS.div_ceil(fewest) }
    }

    /// The losses on positions drawn from games; `None` if there are none.
    ///
    /// Games are drawn with equal chances and so are the positions of each, nothing twice.
    pub(super) fn losses(
        self,
        trainer: &mut dyn Trainer,
        games: &[Vec<Example>],
        rng: &mut Generator,
    ) -> Option<SampledLosses> {
        let games: Vec<&Vec<Example>> = games.iter().filter(|game| !game.is_empty()).collect();
        let drawn = sample(rng, games.len(), self.games.min(games.len()));
        let sums: Vec<[HeadSum; 3]> = drawn
            .into_iter()
            .map(|game| {
                let game = games[game];
                let positions = sample(rng, game.len(), self.positions.min(game.len()));
                let batch: Vec<&Example> = positions.into_iter().map(|position| &game[position]).collect();
                HeadSum::of(&batch, trainer.losses(&batch))
            })
            .collect();
        (!sums.is_empty()).then(|| sampled(&sums))
    }
}

/// A head's losses in a game.
#[derive(Clone, Copy, Debug)]
struct HeadSum {
    loss: f64,
    /// The positions that teach the head something.
    positions: f64,
}

impl HeadSum {
    /// The sums of a game's mean losses: of the policy, the wins, the scores.
    fn of(batch: &[&Example], losses: Losses) -> [HeadSum; 3] {
        let count = |teaches: fn(&Example) -> bool| batch.iter().filter(|example| teaches(example)).count();
        let counts = [
            count(|example| !example.policy.is_empty()),
            count(|example| example.wins.is_some()),
            count(|example| example.points_to_come.is_some()),
        ];
        let means = [losses.policy, losses.wins, losses.scores];
        [0, 1, 2].map(|head| HeadSum {
            loss: f64::from(means[head]) * counts[head] as f64,
            positions: counts[head] as f64,
        })
    }
}

/// The losses by the sums of each game.
fn sampled(games: &[[HeadSum; 3]]) -> SampledLosses {
    let heads = [0, 1, 2].map(|head| ratio(games.iter().map(|game| game[head])));
    let losses = |[policy, wins, scores]: [f64; 3]| Losses {
        policy: policy as f32,
        wins: wins as f32,
        scores: scores as f32,
    };
    let errors = (games.len() > 1).then(|| losses(heads.map(|(_, error)| error)));
    SampledLosses { means: losses(heads.map(|(mean, _)| mean)), errors }
}

/// The mean loss over all positions and its standard error; 0 if no position teaches anything, and the error is none of
/// less than two games.
fn ratio(games: impl Iterator<Item = HeadSum> + Clone) -> (f64, f64) {
    let count = games.clone().count() as f64;
    let positions: f64 = games.clone().map(|game| game.positions).sum();
    if positions == 0.0 {
        return (0.0, 0.0);
    }
    let mean = games.clone().map(|game| game.loss).sum::<f64>() / positions;
    let squares: f64 = games.map(|game| (game.loss - mean * game.positions).powi(2)).sum();
    (mean, (squares * count / (count - 1.0)).sqrt() / positions)
}

#[cfg(test)]
mod tests {
    use azulejo_agents::neural::{Network, TrainerState};
    use rand::RngExt;

    use super::*;

    /// Says that an example's losses are what its first feature is, and keeps what it was asked for.
    struct Known(Vec<u16>);

    impl Trainer for Known {
        fn step(&mut self, _batch: &[&Example], _learning_rate: f32) -> Losses {
            unreachable!("nothing is learned")
        }

        fn losses(&mut self, batch: &[&Example]) -> Losses {
            self.0.extend(batch.iter().map(|example| example.features[0]));
            let sum: f32 = batch.iter().map(|example| f32::from(example.features[0])).sum();
            let mean = sum / batch.len() as f32;
            Losses { policy: 0.0, wins: mean, scores: 2.0 * mean }
        }

        fn steps(&self) -> u64 {
            0
        }

        fn network(&self) -> Network {
            unreachable!("nothing is trained")
        }

        fn state(&self) -> TrainerState {
            unreachable!("nothing is trained")
        }
    }

    fn game(losses: impl IntoIterator<Item = u16>) -> Vec<Example> {
        let example = |loss: u16| Example {
            features: vec![loss],
            policy: Vec::new(),
            players: 2,
            wins: Some([0.5, 0.5, 0.0, 0.0]),
            points_to_come: Some([0.0; 4]),
        };
        losses.into_iter().map(example).collect()
    }

    #[test]
    fn positions_are_drawn_from_all_games_and_none_twice() {
        let games: Vec<_> =
            (0..3000u16).map(|first| game((0..10).map(|at| 10 * (first % 3000) + at))).collect();
        let size = SampleSize::for_both([games.len(), 2000]);
        assert_eq!(size, SampleSize { games: 1024, positions: 8 });
        let mut trainer = Known(Vec::new());
        size.losses(&mut trainer, &games, &mut Generator::new(1)).unwrap();
        let mut found = trainer.0;
        assert_eq!(found.len(), 8192);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 8192, "a position was drawn twice");
        assert!(found[0] < 300 && found[8191] > 29_700, "from the first games to the last");
    }

    #[test]
    fn groups_have_samples_of_one_size() {
        assert_eq!(SampleSize::for_both([1900, 100]), SampleSize { games: 100, positions: 82 });
        assert_eq!(SampleSize::for_both([5, 0]), SampleSize { games: 5, positions: 1639 });
        let nothing = SampleSize::for_both([0, 0]);
        assert_eq!(nothing.losses(&mut Known(Vec::new()), &[], &mut Generator::new(1)), None);
        let one = [game([4, 6]), Vec::new()];
        let found = SampleSize::for_both([1, 0]).losses(&mut Known(Vec::new()), &one, &mut Generator::new(1));
        let means = Losses { policy: 0.0, wins: 5.0, scores: 10.0 };
        assert_eq!(found, Some(SampledLosses { means, errors: None }));
    }

    /// Positions of a game are alike here, so that errors of positions would be far too small.
    #[test]
    fn standard_errors_are_those_of_games() {
        let mut rng = Generator::new(7);
        let mut drawn = |_| {
            let games: Vec<_> = (0..60)
                .map(|_| {
                    let level = rng.random_range(0..1000);
                    game((0..rng.random_range(20..40)).map(|_| level + rng.random_range(0..50)))
                })
                .collect();
            let found = SampleSize::for_both([60, 60]).losses(&mut Known(Vec::new()), &games, &mut rng);
            let SampledLosses { means, errors } = found.unwrap();
            assert!((errors.unwrap().scores - 2.0 * errors.unwrap().wins).abs() < 1e-3);
            ((f64::from(means.wins) - 524.0).abs(), f64::from(errors.unwrap().wins))
        };
        let found: Vec<(f64, f64)> = (0..400).map(&mut drawn).collect();
        let covered = found.iter().filter(|(off, error)| *off < 1.96 * error).count();
        assert!((360..=395).contains(&covered), "{covered} of 400");
    }

    #[test]
    fn a_former_versions_losses_have_no_errors() {
        let former = r#"{"policy":1.5,"wins":0.5,"scores":0.25}"#;
        let means = Losses { policy: 1.5, wins: 0.5, scores: 0.25 };
        let found: SampledLosses = serde_json::from_str(former).unwrap();
        assert_eq!(found, SampledLosses { means, errors: None });
        let with = SampledLosses { means, errors: Some(means) };
        assert_eq!(
            serde_json::from_str::<SampledLosses>(&serde_json::to_string(&with).unwrap()).unwrap(),
            with
        );
    }
}
