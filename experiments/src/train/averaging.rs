//! Taking the mean of the weights as a run learns: [`Averaging`].

use azulejo_agents::neural::{AveragedNetwork, Network, Trainer};

/// So many steps lie between two networks of a mean.
const STEPS: u64 = 10;

/// The mean of the weights over about so many steps, if there is to be one.
#[derive(Debug)]
pub(super) struct Averaging {
    /// The steps; 0 for none.
    pub steps: u64,
    /// The mean; `None` before the first steps.
    pub mean: Option<AveragedNetwork>,
}

impl Averaging {
    /// Takes in the trainer's weights where it is due.
    pub(super) fn take(&mut self, trainer: &dyn Trainer) {
        if self.steps == 0 || !trainer.steps().is_multiple_of(STEPS) {
            return;
        }
        let network = trainer.network();
        match &mut self.mean {
            Some(mean) => mean.add(&network, self.steps / STEPS),
            None => self.mean = Some(AveragedNetwork::new(network)),
        }
    }

    /// The network that plays and is written: the mean, or the trainer's where there is none.
    pub(super) fn network(&self, trainer: &dyn Trainer) -> Network {
        self.mean.as_ref().map_or_else(|| trainer.network(), |mean| mean.network.clone())
    }
}
