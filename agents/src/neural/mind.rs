//! Where a search gets a network's answers: [`Mind`].

use std::fmt::Debug;
use std::sync::Arc;

use azulejo::{MAX_PLAYERS, Parts};

use super::network::{Network, Shape, Thinker};

/// What a search asks: at once, or in a batch together with other searches.
pub trait Mind: Debug + Send {
    /// Looks at a state's active features; the other functions speak of it.
    fn look(&mut self, features: &[u16]);

    /// The expected share of the win of each present seat, in turn order from the viewpoint.
    fn wins(&self, players: usize) -> [f32; MAX_PLAYERS];

    /// The points that each seat will still get, in turn order from the viewpoint.
    fn points_to_come(&self) -> [f32; MAX_PLAYERS];

    /// Clears `logits` and fills it with the logits of outputs with these parts.
    fn logits(&mut self, outputs: &[Parts], logits: &mut Vec<f32>);
}

/// A network that searches can ask.
pub trait Minds: Debug + Send + Sync {
    /// The network's sizes.
    fn shape(&self) -> Shape;

    /// A mind for one search.
    fn mind(&self) -> Box<dyn Mind>;
}

/// Every search works the network out for itself.
impl Minds for Arc<Network> {
    fn shape(&self) -> Shape {
        Network::shape(self)
    }

    fn mind(&self) -> Box<dyn Mind> {
        Box::new(OwnMind { network: self.clone(), thinker: Thinker::new(Network::shape(self)) })
    }
}

/// A network with the memory to work it out.
#[derive(Debug)]
struct OwnMind {
    network: Arc<Network>,
    thinker: Thinker,
}

impl Mind for OwnMind {
    fn look(&mut self, features: &[u16]) {
        self.network.look(features, &mut self.thinker);
    }

    fn wins(&self, players: usize) -> [f32; MAX_PLAYERS] {
        self.network.wins(players, &self.thinker)
    }

    fn points_to_come(&self) -> [f32; MAX_PLAYERS] {
        self.network.points_to_come(&self.thinker)
    }

    fn logits(&mut self, outputs: &[Parts], logits: &mut Vec<f32>) {
        self.network.logits(outputs, &mut self.thinker, logits);
    }
}
