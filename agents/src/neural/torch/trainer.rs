//! Training on LibTorch: [`TorchTrainer`].

use azulejo::MAX_PLAYERS;
use tch::{Device, Kind, Tensor};

use super::network::{FeatureRows, TorchNetwork, numbers};
use crate::neural::network::{Network, SCORE_UNIT, Shape};
use crate::neural::training::{BETA, EPSILON, Example, Losses, Trainer, TrainerSettings, TrainerState};

/// Trains on LibTorch as [`crate::neural::CpuTrainer`] does: the same loss, Adam and weight decay.
#[derive(Debug)]
pub struct TorchTrainer {
    settings: TrainerSettings,
    shape: Shape,
    network: TorchNetwork,
    /// The running means of the gradient and of its square.
    moments: [Tensor; 2],
    steps: u64,
}

impl TorchTrainer {
    /// A trainer that goes on from this state.
    ///
    /// # Panics
    /// If the means have not as many numbers as the network has weights; here and later, if LibTorch fails, as where the
    /// device's memory is full.
    pub fn new(state: &TrainerState, settings: TrainerSettings, device: Device) -> Self {
        let shape = state.network.shape();
        assert!(state.moments.iter().all(|moment| moment.len() == shape.size()), "the moments' lengths");
        let tensor = |numbers: &Vec<f32>| Tensor::from_slice(numbers).to_device(device);
        TorchTrainer {
            settings,
            shape,
            network: TorchNetwork::new(&state.network, device),
            moments: state.moments.each_ref().map(tensor),
            steps: state.steps,
        }
    }

    /// The mean losses over a batch, by head.
    fn heads_losses(&self, batch: &[&Example]) -> [Tensor; 3] {
        let device = self.network.device();
        let rows = FeatureRows::new(batch.iter().map(|example| &example.features[..]), device);
        let heads = self.network.forward(&rows);
        let policy = Policies::new(batch, self.shape.parts, device).loss(&heads.parts);
        let seats = Seats::new(batch, device);
        [policy, seats.wins_loss(&heads.wins), seats.scores_loss(&heads.scores)]
    }

    /// The gradient of the mean loss over a batch, in the order of the weights, and the losses.
    fn gradient(&self, batch: &[&Example]) -> (Tensor, Losses) {
        let losses = self.heads_losses(batch);
        let [policy, wins, scores] = &losses;
        let total = policy + wins + scores * f64::from(self.settings.score_weight);
        let mut gradients = Tensor::run_backward(&[total], &[&self.network.weights], false, false);
        (gradients.remove(0), known(&losses))
    }

    /// Adam's step; the gradient is used up.
    fn update(&mut self, mut gradient: Tensor, learning_rate: f32) {
        let corrections = TrainerState::corrections(self.steps);
        let [mean, square] = &mut self.moments;
        let _ = mean.lerp_(&gradient, 1.0 - f64::from(BETA[0]));
        let _ = square.lerp_(&gradient.square_(), 1.0 - f64::from(BETA[1]));
        let keep = 1.0 - f64::from(learning_rate * self.settings.weight_decay);
        for tensor in self.shape.tensors().filter(|tensor| !tensor.is_bias()) {
            let range = self.shape.range(tensor);
            let mut weights = self.network.weights.narrow(0, range.start as i64, range.len() as i64);
            weights *= keep;
        }
        // Divided by the rate, so that the means divided by it are the step.
        let mut scale = (&*square / f64::from(corrections[1])).sqrt_();
        scale += f64::from(EPSILON);
        scale *= -f64::from(corrections[0] / learning_rate);
        let _ = self.network.weights.addcdiv_(mean, &scale);
    }
}

impl Trainer for TorchTrainer {
    fn step(&mut self, batch: &[&Example], learning_rate: f32) -> Losses {
        let (gradient, losses) = self.gradient(batch);
        self.steps += 1;
        tch::no_grad(|| self.update(gradient, learning_rate));
        losses
    }

    fn losses(&mut self, batch: &[&Example]) -> Losses {
        tch::no_grad(|| known(&self.heads_losses(batch)))
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn network(&self) -> Network {
        self.network.network()
    }

    fn state(&self) -> TrainerState {
        let moments = self.moments.each_ref().map(numbers);
        TrainerState { network: self.network(), moments, steps: self.steps }
    }
}

/// The losses as numbers.
fn known(losses: &[Tensor; 3]) -> Losses {
    let found = numbers(&Tensor::stack(losses, 0));
    // Without any policy it is −0, less nothing.
    Losses { policy: found[0] + 0.0, wins: found[1], scores: found[2] }
}

/// The policies of a batch; a row for each example, as many columns as the most outputs that one has.
struct Policies {
    /// Examples × 2 × columns: the parts of each output; the number of parts where there is none.
    parts: Tensor,
    /// Examples × columns: what is to be learned.
    shares: Tensor,
    /// Examples × columns: whether there is no output.
    absent: Tensor,
    /// Examples that have a policy, at least 1.
    count: usize,
}

impl Policies {
    fn new(batch: &[&Example], no_part: usize, device: Device) -> Self {
        let columns = batch.iter().map(|example| example.policy.len()).max().unwrap_or_default().max(1);
        let mut parts = vec![no_part as i64; batch.len() * 2 * columns];
        let mut shares = vec![0.0f32; batch.len() * columns];
        let mut absent = vec![true; batch.len() * columns];
        for (index, example) in batch.iter().enumerate() {
            for (column, (output, share)) in example.policy.iter().enumerate() {
                for (row, part) in output.iter().enumerate() {
                    parts[(2 * index + row) * columns + column] = part as i64;
                }
                shares[index * columns + column] = *share;
                absent[index * columns + column] = false;
            }
        }
        let (examples, columns) = (batch.len() as i64, columns as i64);
        let count = batch.iter().filter(|example| !example.policy.is_empty()).count().max(1);
        Policies {
            parts: Tensor::from_slice(&parts).view([examples, 2 * columns]).to_device(device),
            shares: Tensor::from_slice(&shares).view([examples, columns]).to_device(device),
            absent: Tensor::from_slice(&absent).view([examples, columns]).to_device(device),
            count,
        }
    }

    /// The mean cross entropy over the examples that have a policy, by the logits of all parts.
    fn loss(&self, logits: &Tensor) -> Tensor {
        let (examples, columns) = self.shares.size2().expect("two dimensions");
        // One more column, 0, for the part that is none.
        let chosen = logits.constant_pad_nd([0, 1]).gather(1, &self.parts, false);
        let outputs = chosen.view([examples, 2, columns]).sum_dim_intlist(1, false, Kind::Float);
        let shares = log_softmax(&outputs, &self.absent);
        -(shares * &self.shares).sum(Kind::Float) / self.count as f64
    }
}

/// What a batch's seats come to.
struct Seats {
    /// Examples × 4: whether nobody sits there.
    absent: Tensor,
    /// Examples × 4: shares of the win; 0 where nothing is to be learned of them.
    wins: Tensor,
    /// Examples × 4: points to come in units of [`SCORE_UNIT`].
    scores: Tensor,
    /// Examples × 4: 1 / players where somebody sits whose points are to be learned, 0 elsewhere.
    weights: Tensor,
    /// The examples that teach wins, and those that teach scores; 1 if there are none.
    counts: [f64; 2],
}

impl Seats {
    fn new(batch: &[&Example], device: Device) -> Self {
        let seats = [batch.len() as i64, MAX_PLAYERS as i64];
        let table = |value: &dyn Fn(&Example, usize) -> f32| {
            let row =
                |example: &&Example| std::array::from_fn::<f32, MAX_PLAYERS, _>(|seat| value(example, seat));
            let numbers: Vec<f32> = batch.iter().flat_map(row).collect();
            Tensor::from_slice(&numbers).view(seats).to_device(device)
        };
        let count = |teaches: fn(&Example) -> bool| {
            batch.iter().filter(|example| teaches(example)).count().max(1) as f64
        };
        let sits = |example: &Example, seat: usize| seat < example.players;
        let wins = |example: &Example, seat: usize| {
            example.wins.filter(|_| sits(example, seat)).map_or(0.0, |wins| wins[seat])
        };
        let points =
            |example: &Example, seat: usize| example.points_to_come.map_or(0.0, |points| points[seat]);
        let weight = |example: &Example, seat: usize| {
            let is_learned = sits(example, seat) && example.points_to_come.is_some();
            if is_learned { 1.0 / example.players as f32 } else { 0.0 }
        };
        Seats {
            absent: table(&|example, seat| if sits(example, seat) { 1.0 } else { 0.0 }).eq(0.0),
            wins: table(&wins),
            scores: table(&|example, seat| points(example, seat) / SCORE_UNIT),
            weights: table(&weight),
            counts: [
                count(|example| example.wins.is_some()),
                count(|example| example.points_to_come.is_some()),
            ],
        }
    }

    /// The mean cross entropy of the shares of the win.
    fn wins_loss(&self, logits: &Tensor) -> Tensor {
        let shares = log_softmax(logits, &self.absent);
        -(shares * &self.wins).sum(Kind::Float) / self.counts[0]
    }

    /// The mean squared error of the scores.
    fn scores_loss(&self, scores: &Tensor) -> Tensor {
        ((scores - &self.scores).square() * &self.weights).sum(Kind::Float) / self.counts[1]
    }
}

/// The logarithms of the softmax over each row's entries that are not absent.
fn log_softmax(logits: &Tensor, absent: &Tensor) -> Tensor {
    /// Far below all logits; with −∞ a row without entries would give no number.
    const NEVER: f64 = -1e30;
    logits.masked_fill(absent, NEVER).log_softmax(1, Kind::Float)
}
