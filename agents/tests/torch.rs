//! Networks on LibTorch, in builds with the cargo feature `torch`, beside the embedded ones: both say and learn the same.

use std::array::from_fn;

use azulejo::azul::Azul;
use azulejo::{Encode, Generator, Parts};
use azulejo_agents::neural::{
    Backend, Embedded, Example, Inference, Network, Trainer, TrainerSettings, TrainerState, shape_of,
};
use rand::RngExt;

const SETTINGS: TrainerSettings = TrainerSettings { score_weight: 0.5, weight_decay: 0.02 };

/// A network whose heads say something: it has learned a little.
fn network() -> Network {
    let mut trainer =
        trainer(Backend::Embedded, &TrainerState::new(Network::untrained(shape_of::<Azul>(48, 2), 5)));
    (0..5).for_each(|seed| _ = trainer.step(&refs(&batch(seed)), 1e-2));
    trainer.network()
}

fn trainer(backend: Backend, state: &TrainerState) -> Box<dyn Trainer> {
    backend.trainer(state.clone(), SETTINGS).unwrap()
}

/// Examples for 2 to 4 players, with random features and targets; some have no policy, wins or points.
fn batch(seed: u64) -> Vec<Example> {
    let mut rng = Generator::new(seed);
    let mut example = |index: usize| {
        let features = (0..60).map(|_| rng.below(Azul::FEATURES as u64) as u16).collect();
        let outputs = rng.below((Azul::OUTPUTS - 5) as u64) as usize..;
        let parts = outputs.take(5).map(Azul::parts);
        let policy = match index % 3 {
            0 => Vec::new(),
            1 => parts.map(|parts| (parts, 0.2)).collect(),
            _ => parts.zip([1.0, 0.0, 0.0, 0.0, 0.0]).collect(),
        };
        let (win, points) = (rng.random::<f32>(), 60.0 * rng.random::<f32>());
        Example {
            features,
            policy,
            players: 2 + index % 3,
            wins: (index % 5 > 0).then_some([win, 1.0 - win, 0.0, 0.0]),
            points_to_come: (index % 7 > 0).then(|| from_fn(|seat| if seat < 2 { points } else { 0.0 })),
        }
    };
    (0..400).map(&mut example).collect()
}

fn refs(examples: &[Example]) -> Vec<&Example> {
    examples.iter().collect()
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
fn both_backends_say_the_same() {
    let network = network();
    let mut embedded = Embedded::new(network.clone());
    let mut torch = Backend::TorchCpu.inference(network).unwrap();
    for example in &batch(1)[..60] {
        let [mut found, expected] = [said(&mut *torch, example), said(&mut embedded, example)];
        assert!(expected.iter().all(|numbers| difference(numbers, &vec![0.0; numbers.len()]) > 0.01));
        found[2]
            .iter_mut()
            .zip(&expected[2])
            .for_each(|(found, expected)| *found = (*found - expected) / 30.0);
        assert!(difference(&found[0], &expected[0]) < 1e-4 && difference(&found[1], &expected[1]) < 1e-4);
        assert!(difference(&found[2], &[0.0; 4]) < 1e-4, "{found:?} {expected:?}");
    }
}

#[test]
fn both_backends_find_the_same_gradient() {
    let (start, batch) = (TrainerState::new(network()), batch(2));
    // After the first step the running mean is a tenth of the gradient.
    let [(losses, state), (found, found_state)] = [Backend::Embedded, Backend::TorchCpu].map(|backend| {
        let mut trainer = trainer(backend, &start);
        let before = trainer.losses(&refs(&batch));
        let losses = trainer.step(&refs(&batch), 1e-3);
        assert!((before.total(0.5) - losses.total(0.5)).abs() < 1e-5, "{backend}");
        (losses, trainer.state())
    });
    let [gradient, found_gradient] = [&state, &found_state].map(|state| &state.moments[0][..]);
    assert!(difference(gradient, &vec![0.0; gradient.len()]) > 1e-3);
    assert!(difference(gradient, found_gradient) < 1e-5, "{}", difference(gradient, found_gradient));
    for (loss, found) in
        [losses.policy, losses.wins, losses.scores].into_iter().zip([found.policy, found.wins, found.scores])
    {
        assert!((loss - found).abs() < 1e-4, "{losses:?} {found}");
    }
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
    let there = steps(Backend::TorchCpu, &steps(Backend::Embedded, &start, 0..3), 3..6);
    let back = steps(Backend::Embedded, &steps(Backend::TorchCpu, &start, 0..3), 3..6);
    assert!(difference(whole.network.weights(), start.network.weights()) > 1e-3, "something was learned");
    for state in [there, back] {
        assert_eq!(state.steps, whole.steps);
        // Where a gradient is next to 0, rounding decides on its sign and with it which way Adam goes.
        let weights = state.network.weights().iter().zip(whole.network.weights());
        let different = weights.filter(|(a, b)| (*a - *b).abs() > 1e-4).count();
        assert!(different < whole.network.weights().len() / 1000, "{different} weights");
        for (found, expected) in state.moments.iter().zip(&whole.moments) {
            assert!(difference(found, expected) < 1e-4);
        }
    }
}

#[test]
fn batches_without_policies_are_learned_from() {
    let mut batch = batch(3);
    batch.iter_mut().for_each(|example| example.policy.clear());
    let mut trainer = trainer(Backend::TorchCpu, &TrainerState::new(network()));
    let losses = trainer.step(&refs(&batch), 1e-3);
    assert_eq!(losses.policy.to_string(), "0", "not -0");
    assert!(losses.wins > 0.0 && trainer.state().network.weights().iter().all(|weight| weight.is_finite()));
}

#[test]
fn sums_that_overflow_stay_numbers() {
    let mut network = network();
    network.weights_mut().iter_mut().for_each(|weight| *weight *= 1e30);
    let mut torch = Backend::TorchCpu.inference(network).unwrap();
    for example in &batch(4)[..20] {
        let found = said(&mut *torch, example);
        assert!(found.iter().flatten().all(|number| number.is_finite()), "{found:?}");
    }
}
