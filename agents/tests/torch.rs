//! Networks on LibTorch, in builds with the cargo feature `torch`, beside the embedded ones: all say and learn the same. The processor is
//! always asked, a CUDA device wherever LibTorch has one.

use azulejo::azul::Azul;
use azulejo::{Encode, MAX_PLAYERS, Parts};
use azulejo_agents::neural::{
    Backend, BackendError, Embedded, Example, Inference, Losses, Network, SCORE_UNIT, Trainer,
    TrainerSettings, TrainerState, shape_of,
};
use random_examples::{examples, refs};

#[path = "../src/neural/random_examples.rs"]
mod random_examples;

const SETTINGS: TrainerSettings = TrainerSettings { score_weight: 0.5, weight_decay: 0.02 };

/// A network whose heads, its last weights, say something.
fn network() -> Network {
    let shape = shape_of::<Azul>(48, 2);
    let mut network = Network::untrained(shape, 5);
    let heads = (shape.parts + 2 * MAX_PLAYERS) * (shape.width + 1);
    network.weights_mut()[shape.size() - heads..].iter_mut().for_each(|weight| *weight *= 10.0);
    network
}

/// What there is of LibTorch on this machine.
fn torch() -> impl Iterator<Item = Backend> {
    let cuda = match Backend::TorchCuda.check() {
        Ok(()) => Some(Backend::TorchCuda),
        Err(BackendError::NoCuda(_)) => None,
        Err(fault) => panic!("{fault}"),
    };
    [Backend::TorchCpu].into_iter().chain(cuda)
}

fn trainer(backend: Backend, state: &TrainerState) -> Box<dyn Trainer> {
    backend.trainer(state.clone(), SETTINGS).unwrap()
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

/// What a network says of an example's state: logits of all parts, shares of the win and points to come.
fn said(network: &mut dyn Inference, example: &Example) -> [Vec<f32>; 3] {
    if let Some(look) = network.request(&example.features) {
        while network.receive(&look).is_pending() {
            network.flush();
        }
    }
    let every_part: Vec<Parts> = (0..Azul::PARTS).map(Parts::one).collect();
    let mut logits = Vec::new();
    network.logits(&every_part, &mut logits);
    [logits, network.wins(example.players).to_vec(), network.points_to_come().to_vec()]
}

#[test]
fn all_backends_say_the_same() {
    let network = network();
    let mut embedded = Embedded::new(network.clone());
    for backend in torch() {
        let mut torch = backend.inference(network.clone()).unwrap();
        for example in &batch(1) {
            let [logits, wins, points] = said(&mut *torch, example);
            let [expected_logits, expected_wins, expected_points] = said(&mut embedded, example);
            assert!(difference(&logits, &expected_logits) < 1e-4, "{backend}");
            assert!(difference(&wins, &expected_wins) < 1e-4, "{backend}");
            assert!(difference(&points, &expected_points) < 1e-4 * SCORE_UNIT, "{backend}");
        }
    }
}

#[test]
fn all_backends_find_the_same_gradient() {
    let (start, batch) = (TrainerState::new(network()), batch(2));
    let first_step = |backend| {
        let mut trainer = trainer(backend, &start);
        let before = trainer.losses(&refs(&batch));
        let losses = trainer.step(&refs(&batch), 1e-3);
        assert_eq!(before, losses, "{backend}");
        // From 0 the running mean goes a tenth of the way to the gradient.
        let gradient: Vec<f32> = trainer.state().moments[0].iter().map(|mean| 10.0 * mean).collect();
        (losses, gradient)
    };
    let (losses, gradient) = first_step(Backend::Embedded);
    assert!(gradient.iter().copied().map(f32::abs).fold(0.0, f32::max) > 0.01);
    for backend in torch() {
        let (found_losses, found) = first_step(backend);
        assert!(difference(&gradient, &found) < 1e-4, "{backend}: {}", difference(&gradient, &found));
        assert_losses_agree(losses, found_losses, backend);
    }
}

fn assert_losses_agree(a: Losses, b: Losses, backend: Backend) {
    let numbers = |losses: Losses| [losses.policy, losses.wins, losses.scores];
    assert!(difference(&numbers(a), &numbers(b)) < 1e-4, "{backend}: {a:?} {b:?}");
}

#[test]
fn a_run_goes_on_with_the_other_backend() {
    let steps = |backend: Backend, state: &TrainerState, seeds: std::ops::Range<u64>| {
        let mut trainer = trainer(backend, state);
        seeds.for_each(|seed| _ = trainer.step(&refs(&batch(seed)), 1e-3));
        trainer.state()
    };
    let start = TrainerState::new(network());
    let whole = steps(Backend::Embedded, &start, 0..6);
    assert!(difference(whole.network.weights(), start.network.weights()) > 1e-3, "something was learned");
    let there = |torch| steps(torch, &steps(Backend::Embedded, &start, 0..3), 3..6);
    let back = |torch| steps(Backend::Embedded, &steps(torch, &start, 0..3), 3..6);
    for state in torch().flat_map(|torch| [there(torch), back(torch)]) {
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
    for backend in torch() {
        let mut trainer = trainer(backend, &TrainerState::new(network()));
        let losses = trainer.step(&refs(&batch), 1e-3);
        assert_eq!(losses.policy.to_string(), "0", "not -0");
        assert!(
            losses.wins > 0.0 && trainer.state().network.weights().iter().all(|weight| weight.is_finite())
        );
    }
}

#[test]
fn sums_that_overflow_stay_numbers() {
    let mut network = network();
    network.weights_mut().iter_mut().for_each(|weight| *weight *= 1e30);
    for backend in torch() {
        let mut torch = backend.inference(network.clone()).unwrap();
        for example in &batch(4)[..20] {
            let found = said(&mut *torch, example);
            assert!(found.iter().flatten().all(|number| number.is_finite()), "{backend}: {found:?}");
        }
    }
}
