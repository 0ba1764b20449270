//! Weights averaged over training: [`AveragedNetwork`].

use super::network::Network;

/// The mean of a network's weights over its last steps, the newest ones weighing most (exponential moving average; the idea is
/// that of Polyak and Juditsky 1992).
///
/// Single steps scatter around where training tends to; their mean lies closer to it and plays better.
#[derive(Clone, Debug, PartialEq)]
pub struct AveragedNetwork {
    /// The mean.
    pub network: Network,
    /// The networks that have been taken in.
    pub count: u64,
}

impl AveragedNetwork {
    /// The mean of one network.
    pub fn new(network: Network) -> Self {
        AveragedNetwork { network, count: 1 }
    }

    /// Takes in the network as it is after further steps. It weighs 1 / `window` of the mean; the first ones, of fewer than
    /// `window`, weigh all alike.
    ///
    /// # Panics
    /// If the network has another shape.
    pub fn add(&mut self, network: &Network, window: u64) {
        assert_eq!(network.shape(), self.network.shape(), "networks of one run");
        self.count += 1;
        let share = 1.0 / self.count.min(window.max(1)) as f32;
        for (mean, weight) in self.network.weights_mut().iter_mut().zip(network.weights()) {
            *mean += share * (weight - *mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neural::Shape;

    const SHAPE: Shape = Shape { features: 3, parts: 2, width: 8, blocks: 1 };

    fn constant(weight: f32) -> Network {
        Network::new(SHAPE, vec![weight; SHAPE.size()])
    }

    #[test]
    fn the_first_networks_weigh_alike_and_later_ones_as_much_as_the_window_says() {
        let mut average = AveragedNetwork::new(constant(1.0));
        average.add(&constant(3.0), 4);
        average.add(&constant(8.0), 4);
        assert_eq!(average.network, constant(4.0));
        average.add(&constant(0.0), 4);
        assert_eq!(average.network, constant(3.0));
        average.add(&constant(7.0), 4);
        assert_eq!((average.network, average.count), (constant(4.0), 5));
    }
}
