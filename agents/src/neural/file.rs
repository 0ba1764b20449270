//! Weights files: safetensors with metadata.
//!
//! The metadata have one key, `azulejo`, whose value is a JSON object (see [`About`]): a file's bytes then depend on its
//! content only.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use azulejo::{Encode, encoding_hash, excerpt, former_encodings, shortened};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::network::{Network, Shape};
use crate::bounded_file::read_bytes;
use crate::shipped::NetSettings;

/// The value of `format`.
const FORMAT: &str = "azulejo-net";
/// The version of the format that this library writes and reads.
const VERSION: u32 = 1;
/// The key of the metadata.
pub(super) const METADATA_KEY: &str = "azulejo";

/// What a weights file says of its network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// `azulejo-net`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The game's id.
    pub game: String,
    /// The encoding that the weights fit, see [`encoding_hash`], in hexadecimal digits.
    pub encoding: String,
    /// Numbers in each layer.
    pub width: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Optimizer steps that the network was trained for.
    pub steps: u64,
    /// The game specs and numbers of players that it was trained on: `azul 2`.
    pub rules: Vec<String>,
    /// How the network was tuned to be searched with; `None` if nobody has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<NetSettings>,
}

impl About {
    /// What a file says of a network for the game `G`.
    pub fn new<G: Encode>(shape: Shape, steps: u64, rules: Vec<String>) -> Self {
        Fit::of::<G>().about(shape, steps, rules)
    }

    /// The metadata of a safetensors file that say this.
    fn metadata(&self) -> HashMap<String, String> {
        let text = serde_json::to_string(self).expect("metadata are plain values");
        HashMap::from([(METADATA_KEY.to_owned(), text)])
    }
}

/// The shape of a network for the game `G`.
pub fn shape_of<G: Encode>(width: usize, blocks: usize) -> Shape {
    Fit::of::<G>().shape(width, blocks)
}

/// A network for the game `G` that has learned nothing; the same seed gives the same weights. Features that were added to the game's
/// first ones, such as those of changed rules, begin by telling nothing.
pub fn untrained<G: Encode>(width: usize, blocks: usize, seed: u64) -> Network {
    let shape = shape_of::<G>(width, blocks);
    let first = G::FORMER_FEATURES.first().copied().unwrap_or(shape.features);
    Network::untrained(Shape { features: first, ..shape }, seed).with_features(shape.features)
}

/// What a weights file has to fit: what its network looks at and what it speaks of.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// The game's id.
    pub game: &'static str,
    /// A number that changes with the meaning of features and parts.
    pub encoding: u64,
    pub features: usize,
    pub parts: usize,
    /// Former encodings whose features are the first ones of today's, with their number: a network for one of them fits as well.
    pub former: Vec<(u64, usize)>,
}

impl Fit {
    /// A network that plays the game `G`.
    fn of<G: Encode>() -> Self {
        let (encoding, former) = (encoding_hash::<G>(), former_encodings::<G>());
        Fit { game: G::ID, encoding, features: G::FEATURES, parts: G::PARTS, former }
    }

    pub(super) fn shape(&self, width: usize, blocks: usize) -> Shape {
        Shape { features: self.features, parts: self.parts, width, blocks }
    }

    pub(super) fn about(&self, shape: Shape, steps: u64, rules: Vec<String>) -> About {
        About {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: self.game.to_owned(),
            encoding: format!("{:016x}", self.encoding),
            width: shape.width,
            blocks: shape.blocks,
            steps,
            rules,
            search: None,
        }
    }

    /// Reads a network that fits from the bytes of a weights file.
    pub(super) fn network(&self, bytes: &[u8]) -> Result<(Network, About), NetError> {
        let about = read_about(bytes)?;
        if about.game != self.game {
            return Err(NetError::Game { found: excerpt(&about.game), expected: self.game });
        }
        let features = self.features_of(&about)?;
        if !(1..=MAX_WIDTH).contains(&about.width) || about.blocks > MAX_BLOCKS {
            return Err(foreign(&format!("width {} with {} blocks", about.width, about.blocks)));
        }
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| foreign(&error))?;
        let network = read_weights(&tensors, Shape { features, ..self.shape(about.width, about.blocks) })?;
        let about = About { encoding: format!("{:016x}", self.encoding), ..about };
        Ok((network.with_features(self.features), about))
    }

    /// How many features a network has in its file.
    fn features_of(&self, about: &About) -> Result<usize, NetError> {
        let mut known = [(self.encoding, self.features)].into_iter().chain(self.former.iter().copied());
        let found = known.find(|(encoding, _)| about.encoding == format!("{encoding:016x}"));
        found.map(|(_, features)| features).ok_or_else(|| NetError::Encoding {
            found: excerpt(&about.encoding),
            expected: format!("{:016x}", self.encoding),
        })
    }

    /// Reads a network that fits from a weights file.
    pub(super) fn read(&self, path: &Path) -> Result<(Network, About), NetError> {
        self.network(&read_file(path)?)
    }
}

/// A weights file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetError {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(String),
    /// The file is no safetensors file, or not one of azulejo.
    #[error("not a weights file: {0}")]
    Foreign(String),
    /// The file has another format version.
    #[error("format version {found}, expected {VERSION}")]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The network is for another game.
    #[error("a network for {found}, expected one for {expected}")]
    Game {
        /// The game of the file.
        found: String,
        /// The game asked for.
        expected: &'static str,
    },
    /// The network was trained on other features or outputs.
    #[error(
        "trained for encoding {found}, expected {expected}: another kind of network, or one for another version, which must be trained again"
    )]
    Encoding {
        /// The encoding of the file.
        found: String,
        /// The game's encoding.
        expected: String,
    },
    /// A setting of the search cannot be used.
    #[error("search.{0}")]
    Setting(String),
    /// A tensor is missing, or is not as its sizes say.
    #[error("tensor '{name}': {problem}")]
    Tensor {
        /// The tensor's name.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The largest width that a file may have.
pub const MAX_WIDTH: usize = 4096;
/// The most residual blocks that a file may have.
pub const MAX_BLOCKS: usize = 64;

/// A network as the bytes of a weights file.
pub fn to_bytes(network: &Network, about: &About) -> Vec<u8> {
    let shape = network.shape();
    let tensors: Vec<(String, Vec<usize>, Vec<u8>)> = shape
        .tensors()
        .map(|tensor| {
            let bytes = network.tensor(tensor).iter().flat_map(|weight| weight.to_le_bytes());
            (tensor.name(), shape.dimensions(tensor), bytes.collect())
        })
        .collect();
    let views = tensors.iter().map(|(name, dimensions, bytes)| {
        let view = TensorView::new(Dtype::F32, dimensions.clone(), bytes);
        (name.as_str(), view.expect("the dimensions are those of the weights"))
    });
    serialize(views, Some(about.metadata())).expect("the tensors are well formed")
}

/// The bytes of a weights file whose metadata say how its network is searched with; its tensors stay as they are.
///
/// # Errors
/// If they are not a weights file, or no search can use the settings.
pub fn with_settings(bytes: &[u8], settings: NetSettings) -> Result<Vec<u8>, NetError> {
    settings.check().map_err(NetError::Setting)?;
    let about = About { search: Some(settings), ..read_about(bytes)? };
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| foreign(&error))?;
    serialize(tensors.tensors(), Some(about.metadata())).map_err(|error| foreign(&error))
}

/// What the bytes of a weights file say of its network.
///
/// # Errors
/// If they are not a weights file, or one of another format version.
pub fn read_about(bytes: &[u8]) -> Result<About, NetError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| foreign(&error))?;
    let text = metadata.metadata().as_ref().and_then(|all| all.get(METADATA_KEY));
    let text = text.ok_or_else(|| foreign(&"its metadata have no key 'azulejo'"))?;
    let mut json = serde_json::Deserializer::from_str(text);
    let about: About = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| NetError::Foreign(shortened(&error.to_string())))?;
    if about.format != FORMAT {
        return Err(foreign(&format!("found format '{}'", about.format)));
    }
    if about.version != VERSION {
        return Err(NetError::Version { found: about.version });
    }
    about.search.as_ref().map_or(Ok(()), NetSettings::check).map_err(NetError::Setting)?;
    Ok(about)
}

fn foreign(problem: &dyn std::fmt::Display) -> NetError {
    NetError::Foreign(excerpt(&problem.to_string()))
}

/// Reads a network for the game `G` from the bytes of a weights file.
///
/// # Errors
/// If they are not a weights file, or one for another game, encoding or format version.
pub fn from_bytes<G: Encode>(bytes: &[u8]) -> Result<(Network, About), NetError> {
    Fit::of::<G>().network(bytes)
}

fn read_weights(tensors: &SafeTensors<'_>, shape: Shape) -> Result<Network, NetError> {
    let mut weights = Vec::with_capacity(shape.size());
    for tensor in shape.tensors() {
        let name = tensor.name();
        let refuse = |problem: String| NetError::Tensor { name: name.clone(), problem };
        let view = tensors.tensor(&name).map_err(|error| refuse(error.to_string()))?;
        let (found, expected) = ((view.dtype(), view.shape()), (Dtype::F32, &shape.dimensions(tensor)[..]));
        if found != expected {
            return Err(refuse(format!("found {found:?}, expected {expected:?}")));
        }
        let (numbers, _) = view.data().as_chunks::<4>();
        let begin = weights.len();
        weights.extend(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)));
        if !weights[begin..].iter().all(|weight| weight.is_finite()) {
            return Err(refuse("a weight is not a finite number".to_owned()));
        }
    }
    Ok(Network::new(shape, weights))
}

/// The longest weights file that is read, in bytes: twice that of a network of width 4096 with 8 blocks.
const MAX_FILE: u64 = 2 << 30;

/// The bytes of a weights file.
///
/// # Errors
/// If it is not a regular file, is longer than any network's, or cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, NetError> {
    read_bytes(path, MAX_FILE).map_err(|error| NetError::Io(error.to_string()))
}

/// Reads a network for the game `G` from a weights file.
///
/// # Errors
/// If the file cannot be read or used.
pub fn read<G: Encode>(path: &Path) -> Result<(Network, About), NetError> {
    Fit::of::<G>().read(path)
}

/// The file of the critic that a weights file names; `None` if it names none, or cannot be read: then the agent that is
/// to play with it cannot be built either.
pub(super) fn critic_beside(net: &Path) -> Option<PathBuf> {
    let about = read_about(&fs::read(net).ok()?).ok()?;
    about.search?.critic.map(|name| net.with_file_name(name))
}
