//! The network: its weights and what it says of a state.
//!
//! For a state with active features F, with W the width and ReLU(x) = max(x, 0):
//!
//! - h₀ = ReLU(b + Σ of the weight rows of F), a vector of W numbers;
//! - hᵢ₊₁ = hᵢ + ReLU(hᵢ · Aᵢ + aᵢ), residual blocks with matrices of W × W;
//! - from the last h: a logit for each part of an output, those of an action's parts added up; a logit and an expected
//!   score for each of four seats in turn order from the viewpoint.
//!
//! A softmax over the legal actions' logits is the policy, one over the present seats' logits their expected shares of the
//! win. The expected score is the seat's points so far plus [`SCORE_UNIT`] times the number.

use std::ops::Range;

use azulejo::{Generator, MAX_PLAYERS, Parts};
use pulp::Arch;
use rand::RngExt;

use super::aligned::AlignedNumbers;
use super::fixed_kernels::ScaledRow;
use super::kernels::{Term, add_block, collect_nonzero, fill_layer, multiply_rows};
use crate::arithmetic::exp;

/// Points that a 1 at a score output stands for.
pub const SCORE_UNIT: f32 = 30.0;

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Features of the game.
    pub features: usize,
    /// Parts of the game's outputs.
    pub parts: usize,
    /// Numbers in each layer.
    pub width: usize,
    /// Residual blocks.
    pub blocks: usize,
}

/// One of a network's arrays of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tensor {
    /// A row for each feature.
    Features,
    /// What h₀ begins with.
    FeaturesBias,
    /// A block's matrix: row i has the weights of entry i of its input.
    Block(usize),
    /// A block's bias.
    BlockBias(usize),
    /// A row for each part.
    Parts,
    /// A number for each part.
    PartsBias,
    /// A row for each seat's share of the win.
    Wins,
    /// A number for each seat.
    WinsBias,
    /// A row for each seat's score.
    Scores,
    /// A number for each seat.
    ScoresBias,
}

impl Tensor {
    /// The name in files.
    pub fn name(self) -> String {
        match self {
            Tensor::Features => "features.weight".to_owned(),
            Tensor::FeaturesBias => "features.bias".to_owned(),
            Tensor::Block(block) => format!("blocks.{block}.weight"),
            Tensor::BlockBias(block) => format!("blocks.{block}.bias"),
            Tensor::Parts => "parts.weight".to_owned(),
            Tensor::PartsBias => "parts.bias".to_owned(),
            Tensor::Wins => "wins.weight".to_owned(),
            Tensor::WinsBias => "wins.bias".to_owned(),
            Tensor::Scores => "scores.weight".to_owned(),
            Tensor::ScoresBias => "scores.bias".to_owned(),
        }
    }

    /// Whether it is a vector that is added to sums: nothing decays in it.
    pub fn is_bias(self) -> bool {
        use Tensor::{BlockBias, FeaturesBias, PartsBias, ScoresBias, WinsBias};
        matches!(self, FeaturesBias | BlockBias(_) | PartsBias | WinsBias | ScoresBias)
    }
}

impl Shape {
    /// All tensors in the order in which they are stored.
    pub fn tensors(&self) -> impl Iterator<Item = Tensor> + use<> {
        let blocks = (0..self.blocks).flat_map(|block| [Tensor::Block(block), Tensor::BlockBias(block)]);
        let heads = [
            Tensor::Parts,
            Tensor::PartsBias,
            Tensor::Wins,
            Tensor::WinsBias,
            Tensor::Scores,
            Tensor::ScoresBias,
        ];
        [Tensor::Features, Tensor::FeaturesBias].into_iter().chain(blocks).chain(heads)
    }

    /// A tensor's dimensions: rows and columns, or the length of a vector.
    pub fn dimensions(&self, tensor: Tensor) -> Vec<usize> {
        match tensor {
            Tensor::Features => vec![self.features, self.width],
            Tensor::FeaturesBias | Tensor::BlockBias(_) => vec![self.width],
            Tensor::Block(_) => vec![self.width, self.width],
            Tensor::Parts => vec![self.parts, self.width],
            Tensor::PartsBias => vec![self.parts],
            Tensor::Wins | Tensor::Scores => vec![MAX_PLAYERS, self.width],
            Tensor::WinsBias | Tensor::ScoresBias => vec![MAX_PLAYERS],
        }
    }

    /// The number of weights.
    pub fn size(&self) -> usize {
        self.range(Tensor::ScoresBias).end
    }

    /// Where a tensor lies among all weights.
    #[inline]
    pub fn range(&self, tensor: Tensor) -> Range<usize> {
        let Shape { features, parts, width, blocks } = *self;
        let block = |block: usize| (features + 1) * width + block * (width + 1) * width;
        let parts_at = block(blocks);
        let heads_at = parts_at + parts * (width + 1);
        let (rows, head) = (MAX_PLAYERS * width, MAX_PLAYERS * (width + 1));
        let (start, len) = match tensor {
            Tensor::Features => (0, features * width),
            Tensor::FeaturesBias => (features * width, width),
            Tensor::Block(index) => (block(index), width * width),
            Tensor::BlockBias(index) => (block(index) + width * width, width),
            Tensor::Parts => (parts_at, parts * width),
            Tensor::PartsBias => (parts_at + parts * width, parts),
            Tensor::Wins => (heads_at, rows),
            Tensor::WinsBias => (heads_at + rows, MAX_PLAYERS),
            Tensor::Scores => (heads_at + head, rows),
            Tensor::ScoresBias => (heads_at + head + rows, MAX_PLAYERS),
        };
        start..start + len
    }
}

/// A network's weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    shape: Shape,
    weights: AlignedNumbers,
}

impl Network {
    /// A network with these weights, tensor by tensor.
    ///
    /// # Panics
    /// If their number is not the shape's.
    pub fn new(shape: Shape, weights: Vec<f32>) -> Self {
        assert_eq!(weights.len(), shape.size(), "the weights of {shape:?}");
        Network { shape, weights: AlignedNumbers::new(&weights) }
    }

    /// The network that looks at so many features, no fewer than so far, and that those that it did not look at tell nothing.
    pub(super) fn with_features(self, features: usize) -> Self {
        let shape = Shape { features, ..self.shape };
        let known = self.shape.range(Tensor::Features).end;
        let (rows, rest) = self.weights.split_at(known);
        let more = vec![0.0; (features - self.shape.features) * shape.width];
        Network::new(shape, [rows, &more, rest].concat())
    }

    /// The network with more residual blocks behind its own, so many altogether, which at first add next to nothing. The same seed gives the
    /// same weights.
    ///
    /// # Panics
    /// If it has more blocks than that.
    #[must_use]
    pub fn deepened(self, blocks: usize, seed: u64) -> Self {
        /// How small the weights are beside those of a block that learns from nothing.
        const FAINT: f32 = 0.1;
        let own = self.shape;
        assert!(blocks >= own.blocks, "at least {} blocks, not {blocks}", own.blocks);
        let fresh = Network::untrained(Shape { blocks, ..own }, seed);
        let heads_at = own.range(Tensor::Parts).start;
        let added = fresh.weights[heads_at..fresh.shape.range(Tensor::Parts).start].iter();
        let weights = self.weights[..heads_at].iter().copied().chain(added.map(|weight| FAINT * weight));
        let weights = weights.chain(self.weights[heads_at..].iter().copied());
        Network::new(fresh.shape, weights.collect())
    }

    /// A network that has learned nothing: random weights, scaled such that layers neither grow nor shrink what goes
    /// through them; the heads begin near 0. The same seed gives the same weights.
    pub fn untrained(shape: Shape, seed: u64) -> Self {
        let (mut rng, mut weights) = (Generator::new(seed), vec![0.0; shape.size()]);
        let width = shape.width as f32;
        for tensor in shape.tensors() {
            let reach = match tensor {
                // Some 60 features are active.
                Tensor::Features => (6.0f32 / 60.0).sqrt(),
                Tensor::Block(_) => (3.0 / width).sqrt(),
                Tensor::Parts | Tensor::Wins | Tensor::Scores => 0.1 / width.sqrt(),
                _ => 0.0,
            };
            for weight in &mut weights[shape.range(tensor)] {
                *weight = reach * (2.0 * rng.random::<f64>() as f32 - 1.0);
            }
        }
        Network::new(shape, weights)
    }

    /// The sizes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All weights, tensor by tensor.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The same, to be changed.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// A tensor's weights, row by row.
    #[inline]
    pub fn tensor(&self, tensor: Tensor) -> &[f32] {
        &self.weights[self.shape.range(tensor)]
    }

    /// Puts a state's active features through the layers; what the heads need stays in the workspace.
    ///
    /// # Panics
    /// If there is no such feature, or if the workspace was made for another shape.
    pub fn look(&self, features: &[u16], workspace: &mut Workspace) {
        let Workspace { arch, hidden, terms, nonzero, .. } = workspace;
        terms.clear();
        // A critic's features count, and lie side by side.
        let runs = features.chunk_by(|one, next| one == next);
        terms.extend(runs.map(|run| Term { row: run[0].into(), factor: run.len() as f32 }));
        fill_layer(*arch, self.tensor(Tensor::Features), self.tensor(Tensor::FeaturesBias), terms, hidden);
        for block in 0..self.shape.blocks {
            let found = collect_nonzero(*arch, hidden, nonzero);
            let (matrix, bias) = (self.tensor(Tensor::Block(block)), self.tensor(Tensor::BlockBias(block)));
            add_block(*arch, matrix, bias, &nonzero[..found], hidden);
        }
    }

    /// The expected share of the win of each present seat, in turn order from the viewpoint, for the last state that was
    /// looked at.
    pub fn wins(&self, players: usize, workspace: &Workspace) -> [f32; MAX_PLAYERS] {
        let mut shares = self.win_logits(workspace);
        softmax(&mut shares[..players]);
        shares[players..].fill(0.0);
        shares
    }

    /// The logit of each seat's share of the win, in turn order from the viewpoint, for the last state that was looked at.
    pub fn win_logits(&self, workspace: &Workspace) -> [f32; MAX_PLAYERS] {
        self.head(Tensor::Wins, Tensor::WinsBias, workspace)
    }

    /// The points that each seat will still get, in turn order from the viewpoint, for the last state that was looked at.
    pub fn points_to_come(&self, workspace: &Workspace) -> [f32; MAX_PLAYERS] {
        self.head(Tensor::Scores, Tensor::ScoresBias, workspace).map(|score| SCORE_UNIT * score)
    }

    fn head(&self, rows: Tensor, bias: Tensor, workspace: &Workspace) -> [f32; MAX_PLAYERS] {
        let mut products = [0.0; MAX_PLAYERS];
        multiply_rows(workspace.arch, self.tensor(rows), &[0, 1, 2, 3], &workspace.hidden, &mut products);
        products.iter_mut().zip(self.tensor(bias)).for_each(|(product, bias)| *product += bias);
        products.map(bounded)
    }

    /// Clears `logits` and fills it with the logits of outputs with these parts, for the last state that was looked at.
    pub fn logits(&self, outputs: &[Parts], workspace: &mut Workspace, logits: &mut Vec<f32>) {
        let Workspace { arch, hidden, parts, .. } = workspace;
        parts.collect(outputs);
        parts.products.resize(parts.rows.len(), 0.0);
        multiply_rows(*arch, self.tensor(Tensor::Parts), &parts.rows, hidden, &mut parts.products);
        let bias = self.tensor(Tensor::PartsBias);
        for (product, &row) in parts.products.iter_mut().zip(&parts.rows) {
            *product += bias[row as usize];
        }
        logits.clear();
        let product = |part: usize| parts.products[parts.place[part] as usize];
        logits.extend(outputs.iter().map(|output| output.iter().map(product).sum::<f32>()).map(bounded));
    }
}

/// What sums of the last layer are kept within: a file's weights are finite, but their sums need not be, and what is no number
/// would spread over a search and into records.
const BOUND: f32 = 1e6;

/// A sum within its bounds; one that is no number counts as the lowest.
pub(super) fn bounded(sum: f32) -> f32 {
    if sum.is_nan() { -BOUND } else { sum.clamp(-BOUND, BOUND) }
}

/// max(x, 0) for every entry.
pub(super) fn rectify(layer: &mut [f32]) {
    layer.iter_mut().for_each(|entry| *entry = entry.max(0.0));
}

/// Turns logits into probabilities.
pub fn softmax(logits: &mut [f32]) {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = exp(*logit - highest));
    let total: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= total);
}

/// Working memory for networks of one shape.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub(super) arch: Arch,
    /// The last layer.
    pub(super) hidden: Vec<f32>,
    /// The active features.
    terms: Vec<Term>,
    /// A layer's entries that are not 0, in front of room for more.
    nonzero: Vec<Term>,
    /// The same in whole numbers.
    pub(super) whole: Vec<ScaledRow>,
    pub(super) parts: DistinctParts,
}

impl Workspace {
    /// Working memory for a shape.
    pub fn new(shape: Shape) -> Self {
        Workspace {
            arch: Arch::new(),
            hidden: vec![0.0; shape.width],
            terms: Vec::new(),
            nonzero: vec![Term { row: 0, factor: 0.0 }; shape.width],
            whole: vec![ScaledRow { row: 0, factor: 0 }; shape.width],
            parts: DistinctParts::new(shape.parts),
        }
    }
}

/// The parts of several outputs, each once.
#[derive(Clone, Debug)]
pub(super) struct DistinctParts {
    pub rows: Vec<u16>,
    pub products: Vec<f32>,
    /// For each part its place in `rows`, if it is there.
    pub place: Vec<u16>,
}

impl DistinctParts {
    pub(super) fn new(parts: usize) -> Self {
        DistinctParts { rows: Vec::new(), products: Vec::new(), place: vec![u16::MAX; parts] }
    }

    pub(super) fn collect(&mut self, outputs: &[Parts]) {
        for &row in &self.rows {
            self.place[row as usize] = u16::MAX;
        }
        self.rows.clear();
        outputs.iter().for_each(|output| {
            output.iter().for_each(|part| {
                if self.place[part] == u16::MAX {
                    self.place[part] = self.rows.len() as u16;
                    self.rows.push(part as u16);
                }
            });
        });
    }
}
