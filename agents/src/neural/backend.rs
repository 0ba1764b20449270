//! What trains networks and answers for them in self-play: [`Backend`].

use std::fmt;
use std::str::FromStr;

use azulejo::excerpt;
use thiserror::Error;

use super::inference::{Embedded, Inference};
use super::network::Network;
use super::training::{CpuTrainer, Trainer, TrainerSettings, TrainerState};

/// Something that works networks out, to train them and to play. All do the same up to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// This library, on one thread: nothing to install, and the same weights on every run.
    #[default]
    Embedded,
    /// LibTorch on the processor, on the threads that ask; needs the cargo feature `torch`.
    TorchCpu,
    /// LibTorch on the first CUDA device; needs the cargo feature `torch`.
    TorchCuda,
}

/// A backend that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BackendError {
    /// There is no backend of this name.
    #[error("found '{0}', expected embedded, torch-cpu or torch-cuda")]
    Unknown(String),
    /// The library was built without the feature `torch`.
    #[error(
        "{0} is not in this build: run scripts/setup-torch once, then `cargo run --release --features torch -- train …`"
    )]
    NotBuilt(Backend),
    /// LibTorch finds no CUDA device.
    #[error("torch-cuda: {0}")]
    NoCuda(String),
}

impl Backend {
    /// A trainer that goes on from this state.
    ///
    /// # Errors
    /// If the backend is not in this build, or there is no such device.
    ///
    /// # Panics
    /// If the state's means have not as many numbers as its network has weights.
    pub fn trainer(
        self,
        state: TrainerState,
        settings: TrainerSettings,
    ) -> Result<Box<dyn Trainer>, BackendError> {
        match self {
            Backend::Embedded => Ok(Box::new(CpuTrainer::new(state, settings))),
            #[cfg(feature = "torch")]
            Backend::TorchCpu | Backend::TorchCuda => {
                Ok(Box::new(super::torch::TorchTrainer::new(&state, settings, self.device()?)))
            }
            #[cfg(not(feature = "torch"))]
            Backend::TorchCpu | Backend::TorchCuda => Err(BackendError::NotBuilt(self)),
        }
    }

    /// The network as the searches of one thread ask it, and by [`Inference::for_thread`] those of others: LibTorch works in
    /// batches, see [`BatchedInference`](super::BatchedInference).
    ///
    /// # Errors
    /// If the backend is not in this build, or there is no such device.
    pub fn inference(self, network: Network) -> Result<Box<dyn Inference>, BackendError> {
        match self {
            Backend::Embedded => Ok(Box::new(Embedded::in_16_bits(network))),
            #[cfg(feature = "torch")]
            Backend::TorchCpu | Backend::TorchCuda => {
                Ok(Box::new(super::torch::batched(&network, self.device()?)))
            }
            #[cfg(not(feature = "torch"))]
            Backend::TorchCpu | Backend::TorchCuda => Err(BackendError::NotBuilt(self)),
        }
    }

    /// How many games each thread should play in turns, such that batches are worth their while: a batch holds a look of
    /// nearly every one of them.
    pub fn games_per_thread(self) -> usize {
        match self {
            Backend::Embedded => 1,
            Backend::TorchCpu => 32,
            Backend::TorchCuda => 64,
        }
    }

    /// Whether trainers can be made here.
    ///
    /// # Errors
    /// If the backend is not in this build, or there is no such device.
    #[cfg(feature = "torch")]
    pub fn check(self) -> Result<(), BackendError> {
        self.device().map(drop)
    }

    /// Whether trainers can be made here.
    ///
    /// # Errors
    /// If the backend is not in this build.
    #[cfg(not(feature = "torch"))]
    pub fn check(self) -> Result<(), BackendError> {
        match self {
            Backend::Embedded => Ok(()),
            Backend::TorchCpu | Backend::TorchCuda => Err(BackendError::NotBuilt(self)),
        }
    }

    #[cfg(feature = "torch")]
    fn device(self) -> Result<tch::Device, BackendError> {
        match self {
            Backend::Embedded | Backend::TorchCpu => Ok(super::torch::processor()),
            Backend::TorchCuda => super::torch::cuda().map_err(BackendError::NoCuda),
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Backend::Embedded => "embedded",
            Backend::TorchCpu => "torch-cpu",
            Backend::TorchCuda => "torch-cuda",
        })
    }
}

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(text: &str) -> Result<Self, BackendError> {
        match text {
            "embedded" => Ok(Backend::Embedded),
            "torch-cpu" => Ok(Backend::TorchCpu),
            "torch-cuda" => Ok(Backend::TorchCuda),
            _ => Err(BackendError::Unknown(excerpt(text))),
        }
    }
}
