use azulejo::azul::Azul;
use azulejo::{Encode, Parts};

use super::network::{FeatureRows, TorchNetwork, numbers};
use super::{TorchTrainer, batched, processor};
use crate::neural::network::{Network, Tensor, Workspace, softmax};
use crate::neural::training::tests::{examples, refs};
use crate::neural::training::{CpuTrainer, Example, Gradient, Trainer, TrainerSettings, TrainerState};
use crate::neural::{Inference, SCORE_UNIT, shape_of};

const SETTINGS: TrainerSettings = TrainerSettings { score_weight: 0.5, weight_decay: 0.02 };

/// A network whose heads say something.
fn network() -> Network {
    let shape = shape_of::<Azul>(48, 2);
    let mut network = Network::untrained(shape, 5);
    for tensor in [Tensor::Parts, Tensor::Wins, Tensor::Scores] {
        network.weights_mut()[shape.range(tensor)].iter_mut().for_each(|weight| *weight *= 10.0);
    }
    network
}

/// Examples for 2 to 4 players; some have no policy, wins or points, and targets differ.
fn batch(seed: u64) -> Vec<Example> {
    let mut batch = examples(400, seed);
    for (index, example) in batch.iter_mut().enumerate() {
        match index % 3 {
            0 => example.policy.clear(),
            1 => {
                example.policy.iter_mut().enumerate().for_each(|(at, entry)| entry.1 = [1.0, 0.0][at.min(1)])
            }
            _ => {}
        }
        example.wins = example.wins.filter(|_| index % 5 > 0);
        example.points_to_come = example.points_to_come.filter(|_| index % 7 > 0);
    }
    assert!((2..=4).all(|players| batch.iter().any(|example| example.players == players)));
    batch
}

/// The largest difference between two lists of numbers.
fn difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn both_backends_say_the_same() {
    let (network, batch) = (network(), batch(1));
    let rows = FeatureRows::new(batch.iter().map(|example| &example.features[..]), processor());
    let heads = TorchNetwork::new(&network, processor()).forward(&rows);
    let [parts, mut wins, scores] = [&heads.parts, &heads.wins, &heads.scores].map(numbers);
    let every_part: Vec<Parts> = (0..Azul::PARTS).map(Parts::one).collect();
    let (mut workspace, mut logits) = (Workspace::new(network.shape()), Vec::new());
    for (index, example) in batch.iter().enumerate() {
        network.look(&example.features, &mut workspace);
        network.logits(&every_part, &mut workspace, &mut logits);
        assert!(difference(&logits, &parts[index * Azul::PARTS..][..Azul::PARTS]) < 1e-4);
        let (wins, scores) = (&mut wins[4 * index..][..4], &scores[4 * index..][..4]);
        softmax(&mut wins[..example.players]);
        let expected = network.wins(example.players, &workspace);
        assert!(difference(&expected[..example.players], &wins[..example.players]) < 1e-4);
        let expected = network.points_to_come(&workspace).map(|points| points / SCORE_UNIT);
        assert!(difference(&expected, scores) < 1e-4);
    }
}

#[test]
fn both_backends_find_the_same_gradient() {
    let (network, batch) = (network(), batch(2));
    let mut gradient = Gradient::new(network.shape());
    let losses = gradient.compute(&network, &refs(&batch), SETTINGS.score_weight);
    let mut trainer = TorchTrainer::new(&TrainerState::new(network), SETTINGS, processor());
    let (found, found_losses) = trainer.gradient(&refs(&batch));
    assert_eq!(trainer.losses(&refs(&batch)), found_losses);
    let found = numbers(&found);
    assert!(gradient.sums.iter().copied().map(f32::abs).fold(0.0, f32::max) > 0.01);
    assert!(difference(&gradient.sums, &found) < 1e-4, "{}", difference(&gradient.sums, &found));
    assert!((losses.policy - found_losses.policy).abs() < 1e-4, "{losses:?} {found_losses:?}");
    assert!((losses.wins - found_losses.wins).abs() < 1e-4, "{losses:?} {found_losses:?}");
    assert!((losses.scores - found_losses.scores).abs() < 1e-4, "{losses:?} {found_losses:?}");
}

#[test]
fn a_run_goes_on_with_the_other_backend() {
    let steps = |trainer: &mut dyn Trainer, seeds: std::ops::Range<u64>| {
        seeds.for_each(|seed| _ = trainer.step(&refs(&batch(seed)), 1e-3));
        trainer.state()
    };
    let start = TrainerState::new(network());
    let embedded = |state: &TrainerState| CpuTrainer::new(state.clone(), SETTINGS);
    let torch = |state: &TrainerState| TorchTrainer::new(state, SETTINGS, processor());
    let whole = steps(&mut embedded(&start), 0..6);
    let there = steps(&mut torch(&steps(&mut embedded(&start), 0..3)), 3..6);
    let back = steps(&mut embedded(&steps(&mut torch(&start), 0..3)), 3..6);
    assert!(difference(whole.network.weights(), start.network.weights()) > 1e-3, "something was learned");
    for state in [there, back] {
        assert_eq!(state.steps, whole.steps);
        assert!(difference(state.network.weights(), whole.network.weights()) < 1e-4);
        for (found, expected) in state.moments.iter().zip(&whole.moments) {
            assert!(difference(found, expected) < 1e-4);
        }
    }
}

#[test]
fn batches_without_policies_are_learned_from() {
    let mut batch = examples(5, 3);
    batch.iter_mut().for_each(|example| example.policy.clear());
    let mut trainer = TorchTrainer::new(&TrainerState::new(network()), SETTINGS, processor());
    let losses = trainer.step(&refs(&batch), 1e-3);
    assert_eq!(losses.policy.to_string(), "0", "not -0");
    assert!(losses.wins > 0.0 && trainer.state().network.weights().iter().all(|weight| weight.is_finite()));
}

#[test]
fn sums_that_overflow_stay_numbers() {
    let mut network = network();
    network.weights_mut().iter_mut().for_each(|weight| *weight *= 1e30);
    let mut inference = batched(&network, processor());
    for example in &batch(4)[..20] {
        inference.look(&example.features);
        let numbers = [inference.wins(example.players), inference.points_to_come()];
        assert!(numbers.as_flattened().iter().all(|number| number.is_finite()), "{numbers:?}");
    }
}
