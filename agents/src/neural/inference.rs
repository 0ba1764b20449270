//! A network that answers: [`Inference`].

use std::fmt::Debug;
use std::sync::Arc;
use std::task::Poll;

use azulejo::{MAX_PLAYERS, Parts};

use super::batch::PendingLook;
use super::fixed_layers::FixedLayers;
use super::network::{Network, Shape, Workspace};

/// A network that a search asks about one state after the other, whatever works it out.
pub trait Inference: Debug + Send + Sync {
    /// The network's sizes.
    fn shape(&self) -> Shape;

    /// The same network for another search, which shares batches with this one if there are any.
    fn another(&self) -> Box<dyn Inference>;

    /// The same network for the searches of another thread, which share no batches with those here.
    fn for_thread(&self) -> Box<dyn Inference> {
        self.another()
    }

    /// Looks at a state's active features; the other functions speak of it.
    fn look(&mut self, features: &[u16]);

    /// Does the same, or leaves the look to a batch and returns what to [`receive`](Inference::receive) it by.
    fn request(&mut self, features: &[u16]) -> Option<PendingLook> {
        self.look(features);
        None
    }

    /// Goes to a look that was left to a batch, if that has been worked out.
    ///
    /// # Panics
    /// If the network broke down before.
    fn receive(&mut self, look: &PendingLook) -> Poll<()> {
        _ = look;
        Poll::Pending
    }

    /// Works out the batch of all looks that were left to it, also by other searches.
    ///
    /// # Panics
    /// If the network breaks down.
    fn flush(&mut self) {}

    /// Clears `seen` and fills it with what the look has found, for [`recall`](Inference::recall).
    fn keep(&self, seen: &mut Vec<f32>);

    /// Goes back to a look of this network: the other functions speak of its state again.
    fn recall(&mut self, seen: &[f32]);

    /// The expected share of the win of each present seat, in turn order from the viewpoint.
    fn wins(&self, players: usize) -> [f32; MAX_PLAYERS];

    /// The points that each seat will still get, in turn order from the viewpoint.
    fn points_to_come(&self) -> [f32; MAX_PLAYERS];

    /// Clears `logits` and fills it with the logits of outputs with these parts.
    fn logits(&mut self, outputs: &[Parts], logits: &mut Vec<f32>);
}

/// A network that this library works out, on the thread that asks.
#[derive(Clone, Debug)]
pub struct Embedded {
    network: Arc<Network>,
    /// The layers, where they are not the network's own.
    layers: Option<Arc<FixedLayers>>,
    workspace: Workspace,
}

impl Embedded {
    /// The network with a workspace.
    pub fn new(network: impl Into<Arc<Network>>) -> Self {
        let network = network.into();
        Embedded { workspace: Workspace::new(network.shape()), layers: None, network }
    }

    /// The network with its layers rounded to 16 bits: they take about half of the time, and say nearly the same. It is meant for
    /// features that are active once; where they count, as those of a [`Critic`](super::Critic), sums may leave the range.
    pub fn in_16_bits(network: impl Into<Arc<Network>>) -> Self {
        let embedded = Embedded::new(network);
        Embedded { layers: Some(Arc::new(FixedLayers::of(&embedded.network))), ..embedded }
    }
}

impl Inference for Embedded {
    fn shape(&self) -> Shape {
        self.network.shape()
    }

    fn another(&self) -> Box<dyn Inference> {
        Box::new(self.clone())
    }

    fn look(&mut self, features: &[u16]) {
        match &self.layers {
            None => self.network.look(features, &mut self.workspace),
            Some(layers) => layers.look(features, &mut self.workspace),
        }
    }

    fn keep(&self, seen: &mut Vec<f32>) {
        seen.clear();
        seen.extend_from_slice(&self.workspace.hidden);
    }

    fn recall(&mut self, seen: &[f32]) {
        self.workspace.hidden.copy_from_slice(seen);
    }

    fn wins(&self, players: usize) -> [f32; MAX_PLAYERS] {
        self.network.wins(players, &self.workspace)
    }

    fn points_to_come(&self) -> [f32; MAX_PLAYERS] {
        self.network.points_to_come(&self.workspace)
    }

    fn logits(&mut self, outputs: &[Parts], logits: &mut Vec<f32>) {
        self.network.logits(outputs, &mut self.workspace, logits);
    }
}
