//! Networks on LibTorch, by the crate `tch`: the cargo feature `torch`.

mod device;
mod network;
mod trainer;

pub(super) use device::{cuda, processor};
pub(super) use network::batched;
pub use trainer::TorchTrainer;
