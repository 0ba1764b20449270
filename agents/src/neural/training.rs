//! Learning: gradients of the loss, and the optimizer.

use azulejo::{MAX_PLAYERS, Parts};
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use pulp::Arch;
use serde::{Deserialize, Serialize};

use super::kernels::{Term, add_rows, add_to_rows, multiply_rows};
use super::network::{DistinctParts, Network, SCORE_UNIT, Shape, Tensor, rectify, softmax};
use crate::arithmetic::ln;

/// What a network is to say of one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The active features.
    pub features: Vec<u16>,
    /// The parts of the legal actions' outputs, each output once, with the probabilities that the policy should give them:
    /// they add up to 1. Empty at chance, and where nothing is to be learned of the policy.
    pub policy: Vec<(Parts, f32)>,
    /// The number of players.
    pub players: usize,
    /// The share of the win of each seat, in turn order from the viewpoint; `None` where nothing is to be learned of it.
    pub wins: Option<[f32; MAX_PLAYERS]>,
    /// The points that each seat still gets; `None` where nothing is to be learned of them.
    pub points_to_come: Option<[f32; MAX_PLAYERS]>,
}

/// The mean losses over a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Cross entropy of the policy, in nats, over the examples that have one.
    pub policy: f32,
    /// Cross entropy of the shares of the win, in nats, over the examples that have them.
    pub wins: f32,
    /// Mean squared error of the scores, in squared units of [`SCORE_UNIT`] points, over the examples that have them.
    pub scores: f32,
}

impl Losses {
    /// The sum that is minimized; `scores` is the weight of the scores.
    pub fn total(&self, scores: f32) -> f32 {
        self.policy + self.wins + scores * self.scores
    }
}

/// Something that trains a network: the place where another backend fits.
///
/// All backends do the same up to rounding, so one can go on where another stopped.
pub trait Trainer {
    /// Changes the weights by one optimizer step; gives the losses before.
    fn step(&mut self, batch: &[&Example], learning_rate: f32) -> Losses;

    /// The mean losses over some examples; nothing is learned from them.
    fn losses(&mut self, batch: &[&Example]) -> Losses;

    /// The steps so far.
    fn steps(&self) -> u64;

    /// A copy of the network as it is now.
    fn network(&self) -> Network;

    /// A copy of where training stands now.
    fn state(&self) -> TrainerState;
}

/// Where training stands: everything that a trainer goes on from.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainerState {
    /// The network.
    pub network: Network,
    /// Adam's running means of the gradient and of its square, in the order of the weights.
    pub moments: [Vec<f32>; 2],
    /// The steps so far.
    pub steps: u64,
}

impl TrainerState {
    /// The state before the first step.
    pub fn new(network: Network) -> Self {
        let zeros = vec![0.0; network.weights().len()];
        TrainerState { network, moments: [zeros.clone(), zeros], steps: 0 }
    }

    /// What the running means are divided by after so many steps, since they began at 0.
    pub(super) fn corrections(steps: u64) -> [f32; 2] {
        BETA.map(|beta| 1.0 - beta.powi(steps.min(100_000) as i32))
    }
}

/// How a network is trained.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainerSettings {
    /// The weight of the scores in the loss.
    pub score_weight: f32,
    /// The share of itself that a weight loses in a step, as a multiple of the learning rate; biases lose nothing.
    pub weight_decay: f32,
}

/// The rates at which Adam forgets, and the number that keeps it from dividing by 0.
pub(super) const BETA: [f32; 2] = [0.9, 0.999];
pub(super) const EPSILON: f32 = 1e-8;

/// Trains on the processor, on one thread: Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter
/// 2019).
#[derive(Clone, Debug)]
pub struct CpuTrainer {
    settings: TrainerSettings,
    state: TrainerState,
    gradient: Gradient,
}

impl CpuTrainer {
    /// A trainer that goes on from this state.
    ///
    /// # Panics
    /// If the means have not as many numbers as the network has weights.
    pub fn new(state: TrainerState, settings: TrainerSettings) -> Self {
        let size = state.network.weights().len();
        assert!(state.moments.iter().all(|moment| moment.len() == size), "the moments' lengths");
        let gradient = Gradient::new(state.network.shape());
        CpuTrainer { settings, state, gradient }
    }
}

impl Trainer for CpuTrainer {
    fn step(&mut self, batch: &[&Example], learning_rate: f32) -> Losses {
        let losses = self.gradient.compute(&self.state.network, batch, self.settings.score_weight);
        self.state.steps += 1;
        let corrections = TrainerState::corrections(self.state.steps);
        let TrainerState { network, moments: [mean, square], .. } = &mut self.state;
        let shape = network.shape();
        for tensor in shape.tensors() {
            let decay = if tensor.is_bias() { 0.0 } else { learning_rate * self.settings.weight_decay };
            let range = shape.range(tensor);
            let update = AdamUpdate {
                weights: &mut network.weights_mut()[range.clone()],
                gradient: &self.gradient.sums[range.clone()],
                mean: &mut mean[range.clone()],
                square: &mut square[range],
                rate: learning_rate / corrections[0],
                square_correction: 1.0 / corrections[1],
                keep: 1.0 - decay,
            };
            self.gradient.arch.dispatch(move || update.apply());
        }
        losses
    }

    fn losses(&mut self, batch: &[&Example]) -> Losses {
        self.gradient.compute(&self.state.network, batch, self.settings.score_weight)
    }

    fn steps(&self) -> u64 {
        self.state.steps
    }

    fn network(&self) -> Network {
        self.state.network.clone()
    }

    fn state(&self) -> TrainerState {
        self.state.clone()
    }
}

/// One tensor's optimizer step.
struct AdamUpdate<'a> {
    weights: &'a mut [f32],
    gradient: &'a [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    rate: f32,
    square_correction: f32,
    keep: f32,
}

impl AdamUpdate<'_> {
    #[inline(always)]
    fn apply(self) {
        let moments = self.mean.iter_mut().zip(self.square);
        for ((weight, &gradient), (mean, square)) in self.weights.iter_mut().zip(self.gradient).zip(moments) {
            *mean = BETA[0] * *mean + (1.0 - BETA[0]) * gradient;
            *square = BETA[1] * *square + (1.0 - BETA[1]) * gradient * gradient;
            let scale = (*square * self.square_correction).sqrt() + EPSILON;
            *weight = self.keep * *weight - self.rate * *mean / scale;
        }
    }
}

/// The gradient of the loss, with the memory to work it out.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    arch: Arch,
    /// The gradient, in the order of the weights.
    pub sums: Vec<f32>,
    /// For each layer a row for each example: h₀ and the h of each block.
    hidden: Vec<Vec<f32>>,
    /// For each block a row for each example: what its ReLU gives.
    gates: Vec<Vec<f32>>,
    /// The derivatives by the entries of the layer that is worked on, and by what went into its ReLU.
    back: Vec<f32>,
    inner: Vec<f32>,
    parts: DistinctParts,
    outputs: Vec<Parts>,
    logits: Vec<f32>,
    terms: Vec<Term>,
    /// For each part of an example the derivative by its logit.
    factors: Vec<f32>,
}

impl Gradient {
    pub(super) fn new(shape: Shape) -> Self {
        Gradient {
            arch: Arch::new(),
            sums: vec![0.0; shape.size()],
            hidden: vec![Vec::new(); shape.blocks + 1],
            gates: vec![Vec::new(); shape.blocks],
            back: Vec::new(),
            inner: Vec::new(),
            parts: DistinctParts::new(shape.parts),
            outputs: Vec::new(),
            logits: Vec::new(),
            terms: Vec::new(),
            factors: Vec::new(),
        }
    }

    /// Works out the gradient of the mean loss over a batch; gives the losses.
    pub(super) fn compute(&mut self, network: &Network, batch: &[&Example], score_weight: f32) -> Losses {
        self.sums.fill(0.0);
        self.forward(network, batch);
        let losses = self.heads(network, batch, score_weight);
        for block in (0..network.shape().blocks).rev() {
            self.block_back(network, block, batch.len());
        }
        self.features_back(network, batch);
        losses
    }

    fn forward(&mut self, network: &Network, batch: &[&Example]) {
        let shape = network.shape();
        let width = shape.width;
        self.hidden
            .iter_mut()
            .chain(&mut self.gates)
            .for_each(|layer| layer.resize(batch.len() * width, 0.0));
        for (example, row) in batch.iter().zip(self.hidden[0].chunks_exact_mut(width)) {
            row.copy_from_slice(network.tensor(Tensor::FeaturesBias));
            self.terms.clear();
            self.terms.extend(example.features.iter().map(|&row| Term { row: row.into(), factor: 1.0 }));
            add_rows(self.arch, network.tensor(Tensor::Features), &self.terms, row);
            rectify(row);
        }
        for block in 0..shape.blocks {
            let gates = &mut self.gates[block];
            for row in gates.chunks_exact_mut(width) {
                row.copy_from_slice(network.tensor(Tensor::BlockBias(block)));
            }
            let input = rows(&self.hidden[block], width);
            let matrix = rows(network.tensor(Tensor::Block(block)), width);
            general_mat_mul(1.0, &input, &matrix, 1.0, &mut rows_mut(gates, width));
            rectify(gates);
            let (before, after) = self.hidden.split_at_mut(block + 1);
            let sums = before[block].iter().zip(gates.iter()).map(|(entry, gate)| entry + gate);
            after[0].iter_mut().zip(sums).for_each(|(entry, sum)| *entry = sum);
        }
    }

    /// The heads' part of the gradient; leaves the derivatives by the last layer in `back`.
    fn heads(&mut self, network: &Network, batch: &[&Example], score_weight: f32) -> Losses {
        let shape = network.shape();
        let width = shape.width;
        let share = |teaches: fn(&Example) -> bool| {
            1.0 / batch.iter().filter(|example| teaches(example)).count().max(1) as f32
        };
        let policy_share = share(|example| !example.policy.is_empty());
        let wins_share = share(|example| example.wins.is_some());
        let scores_share = share(|example| example.points_to_come.is_some());
        self.back.clear();
        self.back.resize(batch.len() * width, 0.0);
        let mut losses = Losses::default();
        for (index, example) in batch.iter().enumerate() {
            let at = index * width..(index + 1) * width;
            if !example.policy.is_empty() {
                losses.policy += self.policy_back(network, example, at.clone(), policy_share);
            }
            let players = example.players;
            if let Some(wins) = &example.wins {
                losses.wins += self.wins_back(network, &wins[..players], at.clone(), wins_share);
            }
            if let Some(points) = &example.points_to_come {
                let share = [scores_share, scores_share * score_weight];
                losses.scores += self.scores_back(network, &points[..players], at, share);
            }
        }
        losses
    }

    /// An example's loss of the shares of the win, times `scale`, with its part of the gradient.
    fn wins_back(&mut self, network: &Network, wins: &[f32], at: std::ops::Range<usize>, scale: f32) -> f32 {
        let mut shares = self.head(network, Tensor::Wins, Tensor::WinsBias, at.clone());
        softmax(&mut shares[..wins.len()]);
        let (mut loss, mut by_logit) = (0.0, [0.0; MAX_PLAYERS]);
        for (seat, win) in wins.iter().enumerate() {
            loss -= scale * win * ln(shares[seat].max(1e-12));
            by_logit[seat] = scale * (shares[seat] - win);
        }
        self.head_back(network, Tensor::Wins, Tensor::WinsBias, at, by_logit);
        loss
    }

    /// An example's loss of the scores, times the first scale, with its part of the gradient, times the second one.
    fn scores_back(
        &mut self,
        network: &Network,
        points: &[f32],
        at: std::ops::Range<usize>,
        [scale, gradient_scale]: [f32; 2],
    ) -> f32 {
        let scores = self.head(network, Tensor::Scores, Tensor::ScoresBias, at.clone());
        let (mut loss, mut by_score) = (0.0, [0.0; MAX_PLAYERS]);
        let players = points.len() as f32;
        for (seat, points) in points.iter().enumerate() {
            let error = scores[seat] - points / SCORE_UNIT;
            loss += scale * error * error / players;
            by_score[seat] = gradient_scale * 2.0 * error / players;
        }
        self.head_back(network, Tensor::Scores, Tensor::ScoresBias, at, by_score);
        loss
    }

    fn head(
        &self,
        network: &Network,
        matrix: Tensor,
        bias: Tensor,
        at: std::ops::Range<usize>,
    ) -> [f32; MAX_PLAYERS] {
        let mut products = [0.0; MAX_PLAYERS];
        let last = &self.hidden[network.shape().blocks][at];
        multiply_rows(self.arch, network.tensor(matrix), &[0, 1, 2, 3], last, &mut products);
        products.iter_mut().zip(network.tensor(bias)).for_each(|(product, bias)| *product += bias);
        products
    }

    fn head_back(
        &mut self,
        network: &Network,
        matrix: Tensor,
        bias: Tensor,
        at: std::ops::Range<usize>,
        by_entry: [f32; MAX_PLAYERS],
    ) {
        let shape = network.shape();
        let terms: [Term; MAX_PLAYERS] =
            std::array::from_fn(|seat| Term { row: seat as u32, factor: by_entry[seat] });
        add_rows(self.arch, network.tensor(matrix), &terms, &mut self.back[at.clone()]);
        let last = &self.hidden[shape.blocks][at];
        add_to_rows(self.arch, &mut self.sums[shape.range(matrix)], &terms, last);
        let bias = &mut self.sums[shape.range(bias)];
        bias.iter_mut().zip(by_entry).for_each(|(sum, entry)| *sum += entry);
    }

    /// An example's policy loss, times `scale`, with its part of the gradient.
    fn policy_back(
        &mut self,
        network: &Network,
        example: &Example,
        at: std::ops::Range<usize>,
        scale: f32,
    ) -> f32 {
        let shape = network.shape();
        self.outputs.clear();
        self.outputs.extend(example.policy.iter().map(|(parts, _)| *parts));
        let parts = &mut self.parts;
        parts.collect(&self.outputs);
        parts.products.resize(parts.rows.len(), 0.0);
        let last = &self.hidden[shape.blocks][at.clone()];
        multiply_rows(self.arch, network.tensor(Tensor::Parts), &parts.rows, last, &mut parts.products);
        let bias = network.tensor(Tensor::PartsBias);
        let logit = |part: usize| parts.products[parts.place[part] as usize] + bias[part];
        self.logits.clear();
        self.logits.extend(self.outputs.iter().map(|output| output.iter().map(logit).sum::<f32>()));
        softmax(&mut self.logits);
        self.factors.clear();
        self.factors.resize(parts.rows.len(), 0.0);
        let mut loss = 0.0;
        for ((output, &probability), (_, target)) in
            self.outputs.iter().zip(&self.logits).zip(&example.policy)
        {
            loss -= scale * target * ln(probability.max(1e-12));
            for part in output.iter() {
                self.factors[parts.place[part] as usize] += scale * (probability - target);
            }
        }
        self.terms.clear();
        let terms = parts.rows.iter().zip(&self.factors);
        self.terms.extend(terms.map(|(&row, &factor)| Term { row: row.into(), factor }));
        add_rows(self.arch, network.tensor(Tensor::Parts), &self.terms, &mut self.back[at]);
        add_to_rows(self.arch, &mut self.sums[shape.range(Tensor::Parts)], &self.terms, last);
        let bias = &mut self.sums[shape.range(Tensor::PartsBias)];
        self.terms.iter().for_each(|term| bias[term.row as usize] += term.factor);
        loss
    }

    /// Takes `back` from behind a block to before it.
    fn block_back(&mut self, network: &Network, block: usize, examples: usize) {
        let shape = network.shape();
        let width = shape.width;
        self.inner.resize(examples * width, 0.0);
        for ((inner, &back), &gate) in self.inner.iter_mut().zip(&self.back).zip(&self.gates[block]) {
            *inner = if gate > 0.0 { back } else { 0.0 };
        }
        let inner = rows(&self.inner, width);
        let input = rows(&self.hidden[block], width);
        let by_matrix = &mut self.sums[shape.range(Tensor::Block(block))];
        general_mat_mul(1.0, &input.t(), &inner, 1.0, &mut rows_mut(by_matrix, width));
        let by_bias = &mut self.sums[shape.range(Tensor::BlockBias(block))];
        for row in self.inner.chunks_exact(width) {
            by_bias.iter_mut().zip(row).for_each(|(sum, entry)| *sum += entry);
        }
        let matrix = rows(network.tensor(Tensor::Block(block)), width);
        general_mat_mul(1.0, &inner, &matrix.t(), 1.0, &mut rows_mut(&mut self.back, width));
    }

    /// The first layer's part of the gradient.
    fn features_back(&mut self, network: &Network, batch: &[&Example]) {
        let shape = network.shape();
        let width = shape.width;
        for (index, example) in batch.iter().enumerate() {
            let at = index * width..(index + 1) * width;
            let back = &mut self.back[at.clone()];
            for (entry, &hidden) in back.iter_mut().zip(&self.hidden[0][at]) {
                *entry = if hidden > 0.0 { *entry } else { 0.0 };
            }
            self.terms.clear();
            self.terms.extend(example.features.iter().map(|&row| Term { row: row.into(), factor: 1.0 }));
            add_to_rows(self.arch, &mut self.sums[shape.range(Tensor::Features)], &self.terms, back);
            let bias = &mut self.sums[shape.range(Tensor::FeaturesBias)];
            bias.iter_mut().zip(back.iter()).for_each(|(sum, entry)| *sum += entry);
        }
    }
}

/// A flat array as a matrix with rows of this width.
fn rows(flat: &[f32], width: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((flat.len() / width, width), flat).expect("whole rows")
}

fn rows_mut(flat: &mut [f32], width: usize) -> ArrayViewMut2<'_, f32> {
    ArrayViewMut2::from_shape((flat.len() / width, width), flat).expect("whole rows")
}

#[cfg(test)]
mod tests {
    use azulejo::Generator;
    use azulejo::azul::Azul;

    use super::*;
    use crate::neural::file::shape_of;
    use crate::neural::network::Workspace;
    use crate::neural::random_examples::{examples, refs};

    const SETTINGS: TrainerSettings = TrainerSettings { score_weight: 0.5, weight_decay: 0.0 };

    #[test]
    fn gradients_are_those_of_the_loss() {
        let shape = shape_of::<Azul>(24, 2);
        let mut network = Network::untrained(shape, 5);
        // Larger heads, so that everything matters.
        for tensor in [Tensor::Parts, Tensor::Wins, Tensor::Scores] {
            network.weights_mut()[shape.range(tensor)].iter_mut().for_each(|weight| *weight *= 10.0);
        }
        let (mut batch, mut gradient) = (examples(12, 3), Gradient::new(shape));
        // Not all teach everything.
        batch[1].wins = None;
        (batch[2].points_to_come, batch[5].points_to_come) = (None, None);
        gradient.compute(&network, &refs(&batch), SETTINGS.score_weight);
        let found = gradient.sums.clone();
        let mut rng = Generator::new(8);
        let (mut checked, mut far) = (0, 0);
        for tensor in shape.tensors() {
            for _ in 0..60 {
                let range = shape.range(tensor);
                let at = range.start + rng.below(range.len() as u64) as usize;
                const STEP: f32 = 2e-3;
                let mut loss = |by: f32| {
                    let mut moved = network.clone();
                    moved.weights_mut()[at] += by;
                    gradient
                        .compute(&moved, &refs(&batch), SETTINGS.score_weight)
                        .total(SETTINGS.score_weight)
                };
                let slope = (loss(STEP) - loss(-STEP)) / (2.0 * STEP);
                if found[at] == 0.0 && slope.abs() < 1e-3 {
                    continue;
                }
                checked += 1;
                // A ReLU that turns within the step makes a difference of its own.
                far += usize::from((found[at] - slope).abs() > 2e-3 + 0.05 * slope.abs());
            }
        }
        assert!(checked > 200 && far * 50 < checked, "{far} of {checked} slopes differ");
    }

    #[test]
    fn a_batch_is_learned_by_heart() {
        let network = Network::untrained(shape_of::<Azul>(32, 1), 1);
        let mut trainer = CpuTrainer::new(TrainerState::new(network), SETTINGS);
        let mut batch = examples(40, 1);
        // One action of each is right.
        for example in &mut batch {
            example
                .policy
                .iter_mut()
                .zip(0..)
                .for_each(|((_, share), index)| *share = f32::from(u8::from(index == 0)));
            example.wins = Some([1.0, 0.0, 0.0, 0.0]);
        }
        let before = trainer.step(&refs(&batch), 0.003);
        (0..300).for_each(|_| _ = trainer.step(&refs(&batch), 0.003));
        let after = trainer.step(&refs(&batch), 0.003);
        assert!(before.policy > 2.0 && after.policy < 0.05, "{before:?} {after:?}");
        assert!(after.wins < 0.01 && after.scores < 0.01, "{before:?} {after:?}");
    }

    #[test]
    fn the_same_steps_give_the_same_weights() {
        let train = || {
            let state = TrainerState::new(Network::untrained(shape_of::<Azul>(32, 2), 1));
            let mut trainer = CpuTrainer::new(state, SETTINGS);
            (0..5).for_each(|seed| _ = trainer.step(&refs(&examples(30, seed)), 0.01));
            trainer.state()
        };
        assert_eq!(train(), train());
    }

    #[test]
    fn training_and_playing_see_the_same() {
        let network = Network::untrained(shape_of::<Azul>(72, 2), 9);
        let (batch, mut gradient) = (examples(20, 2), Gradient::new(network.shape()));
        gradient.forward(&network, &refs(&batch));
        let mut workspace = Workspace::new(network.shape());
        for (example, hidden) in batch.iter().zip(gradient.hidden[2].chunks_exact(72)) {
            network.look(&example.features, &mut workspace);
            let close = workspace.hidden.iter().zip(hidden).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(close, "{:?} {hidden:?}", workspace.hidden);
        }
    }
}
