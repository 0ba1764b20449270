//! The network of [`super::super::network`] on LibTorch.

use azulejo::MAX_PLAYERS;
use tch::{Device, Kind, Tensor};

use crate::neural::batch::{BatchNetwork, BatchRow, BatchedInference};
use crate::neural::network::{Network, Shape, bounded};

/// A network's weights on a device.
#[derive(Debug)]
pub(super) struct TorchNetwork {
    shape: Shape,
    /// All weights one after the other, in the order of [`Network::weights`].
    pub weights: Tensor,
}

/// Rows of active features.
#[derive(Debug)]
pub(super) struct FeatureRows {
    /// The features of all rows, one after the other.
    indices: Tensor,
    /// Where each row begins.
    starts: Tensor,
}

impl FeatureRows {
    pub fn new<'a>(rows: impl Iterator<Item = &'a [u16]>, device: Device) -> Self {
        let (mut indices, mut starts) = (Vec::new(), Vec::new());
        for row in rows {
            starts.push(indices.len() as i64);
            indices.extend(row.iter().map(|&feature| i64::from(feature)));
        }
        let tensor = |numbers: &[i64]| Tensor::from_slice(numbers).to_device(device);
        FeatureRows { indices: tensor(&indices), starts: tensor(&starts) }
    }
}

/// What a network says of each row.
#[derive(Debug)]
pub(super) struct Heads {
    /// Rows × parts: the logits.
    pub parts: Tensor,
    /// Rows × 4: the logits of the seats' shares of the win.
    pub wins: Tensor,
    /// Rows × 4: the points to come, in units of [`crate::neural::SCORE_UNIT`].
    pub scores: Tensor,
}

impl TorchNetwork {
    /// The network on a device; gradients by its weights can be worked out.
    pub fn new(network: &Network, device: Device) -> Self {
        let weights = Tensor::from_slice(network.weights()).to_device(device).set_requires_grad(true);
        TorchNetwork { shape: network.shape(), weights }
    }

    /// A copy of the weights as they are now.
    pub fn network(&self) -> Network {
        Network::new(self.shape, numbers(&self.weights))
    }

    pub fn device(&self) -> Device {
        self.weights.device()
    }

    /// The tensors in their order, as parts of all weights.
    fn tensors(&self) -> impl Iterator<Item = Tensor> {
        let dimensions: Vec<Vec<i64>> = self
            .shape
            .tensors()
            .map(|tensor| self.shape.dimensions(tensor).into_iter().map(|size| size as i64).collect())
            .collect();
        let sizes: Vec<i64> = dimensions.iter().map(|dimensions| dimensions.iter().product()).collect();
        self.weights
            .split_with_sizes(sizes, 0)
            .into_iter()
            .zip(dimensions)
            .map(|(flat, dimensions)| flat.view(&dimensions[..]))
    }

    /// Puts rows of features through the layers.
    pub fn forward(&self, rows: &FeatureRows) -> Heads {
        const SUM: i64 = 0;
        let mut tensors = self.tensors();
        let mut next = || tensors.next().expect("a shape has all tensors");
        let (matrix, bias) = (next(), next());
        let sums = Tensor::embedding_bag(
            &matrix,
            &rows.indices,
            &rows.starts,
            false,
            SUM,
            false,
            None::<Tensor>,
            false,
        );
        let mut hidden = (sums.0 + bias).relu();
        for _ in 0..self.shape.blocks {
            let (matrix, bias) = (next(), next());
            hidden = &hidden + bias.addmm(&hidden, &matrix).relu();
        }
        let mut head = || {
            let (rows, bias) = (next(), next());
            hidden.linear(&rows, Some(&bias))
        };
        Heads { parts: head(), wins: head(), scores: head() }
    }
}

/// The network on a device, to be asked by the searches of one thread.
pub(in crate::neural) fn batched(network: &Network, device: Device) -> BatchedInference {
    let weights = Tensor::from_slice(network.weights()).to_device(device);
    BatchedInference::new(network.shape(), Box::new(TorchNetwork { shape: network.shape(), weights }))
}

impl BatchNetwork for TorchNetwork {
    /// The weights stay where they are on the device.
    fn another(&self) -> Box<dyn BatchNetwork> {
        Box::new(TorchNetwork { shape: self.shape, weights: self.weights.detach() })
    }

    fn evaluate(&mut self, rows: &mut [BatchRow]) {
        let features = FeatureRows::new(rows.iter().map(|row| &row.features[..]), self.device());
        let all = tch::no_grad(|| {
            let Heads { parts, wins, scores } = self.forward(&features);
            numbers(&Tensor::cat(&[wins, scores, parts], 1))
        });
        let found = all.chunks_exact(2 * MAX_PLAYERS + self.shape.parts);
        for (row, found) in rows.iter_mut().zip(found) {
            let (seats, parts) = found.split_at(2 * MAX_PLAYERS);
            row.wins.copy_from_slice(&seats[..MAX_PLAYERS]);
            row.scores.copy_from_slice(&seats[MAX_PLAYERS..]);
            row.parts.clear();
            row.parts.extend(parts.iter().copied().map(bounded));
            row.wins.iter_mut().chain(&mut row.scores).for_each(|sum| *sum = bounded(*sum));
        }
    }
}

/// A tensor's numbers, row by row.
pub(super) fn numbers(tensor: &Tensor) -> Vec<f32> {
    let flat = tensor.detach().to_device(Device::Cpu).to_kind(Kind::Float).reshape(-1);
    let mut numbers = vec![0.0; flat.numel()];
    flat.copy_data(&mut numbers, flat.numel());
    numbers
}
