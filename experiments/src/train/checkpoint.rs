//! Where a training run stands, in one file.

use std::collections::HashMap;
use std::path::Path;

use azulejo_agents::bounded_file::read_bytes;
use azulejo_agents::neural::{AveragedNetwork, Network, Shape, TrainerState};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};

use super::metrics::Row;
use crate::atomic_file::{Durability, replace};

/// The key of the metadata.
const KEY: &str = "azulejo-checkpoint";
/// The longest file that is read, in bytes: a network and its moments.
const MAX_FILE: u64 = 6 << 30;

/// What a checkpoint holds beside the arrays of numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TrainingProgress {
    /// Finished stages: the teacher's, if there is one, and generations.
    pub stages: u64,
    /// Optimizer steps.
    pub steps: u64,
    /// Examples learned from games so far, all stages together.
    pub positions: u64,
    /// The networks in the average, if there is one.
    #[serde(default)]
    pub averaged: u64,
    /// A row for each finished stage.
    pub rows: Vec<Row>,
}

/// Where a training run stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Checkpoint {
    /// What the trainer goes on from.
    pub state: TrainerState,
    /// The averaged weights, if the run has some.
    pub average: Option<AveragedNetwork>,
    /// How far the run has come.
    pub progress: TrainingProgress,
}

/// Writes a checkpoint: at every moment either the old or the new one is there, and in the end the new one is on the disk.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(path: &Path, Checkpoint { state, average, progress }: &Checkpoint) -> Result<(), String> {
    let bytes = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let [mean, square] = &state.moments;
    let arrays = [("weights", state.network.weights()), ("mean", mean), ("square", square)];
    let average = average.iter().map(|average| ("average", average.network.weights()));
    let arrays: Vec<_> = arrays
        .into_iter()
        .chain(average)
        .map(|(name, numbers)| (name, vec![numbers.len()], bytes(numbers)))
        .collect();
    let views = arrays.iter().map(|(name, dimensions, bytes)| {
        (*name, TensorView::new(Dtype::F32, dimensions.clone(), bytes).expect("as long as its numbers"))
    });
    let text = serde_json::to_string(&progress).map_err(|error| error.to_string())?;
    let file =
        serialize(views, Some(HashMap::from([(KEY.to_owned(), text)]))).map_err(|error| error.to_string())?;
    replace(path, file, Durability::Disk).map_err(|error| error.to_string())
}

/// Reads a checkpoint of a run with networks of this shape.
///
/// # Errors
/// If the file cannot be read, or is no such checkpoint.
pub(super) fn read(path: &Path, shape: Shape) -> Result<Checkpoint, String> {
    from_bytes(&read_bytes(path, MAX_FILE).map_err(|error| error.to_string())?, shape)
}

/// The checkpoint in a file's bytes.
pub(super) fn from_bytes(bytes: &[u8], shape: Shape) -> Result<Checkpoint, String> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let text = metadata.metadata().as_ref().and_then(|all| all.get(KEY)).ok_or("not a checkpoint")?;
    let progress: TrainingProgress = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let array = |name: &str| {
        let view = tensors.tensor(name).map_err(|error| error.to_string())?;
        let (numbers, _) = view.data().as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if numbers.len() == shape.size() {
            Ok(numbers)
        } else {
            Err(format!("{name}: found {} numbers, expected {}", numbers.len(), shape.size()))
        }
    };
    let network = Network::new(shape, array("weights")?);
    let moments = [array("mean")?, array("square")?];
    let average = (progress.averaged > 0).then(|| array("average")).transpose()?;
    let average = average
        .map(|weights| AveragedNetwork { network: Network::new(shape, weights), count: progress.averaged });
    Ok(Checkpoint { state: TrainerState { network, moments, steps: progress.steps }, average, progress })
}
