//! What decides the games of a run beside its settings: [`Provenance`].

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use azulejo_agents::AgentSpec;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The version of play: programs with the same version play the same games from the same settings, files and seed.
///
/// It is raised whenever that changes, by rules, agents, networks that come with the program, or the use of random
/// numbers. A test of tiny games sees to it (`experiments/tests/play_version.rs`).
pub const PLAY_VERSION: u64 = 14;

/// What decides a run's games beside its settings, as the run's directory keeps it. Rules files are no part of it, since
/// specs hold their numbers; programs that an agent starts are not either.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The [`PLAY_VERSION`] of the program.
    pub play_version: u64,
    /// For each file that decides how agents play, by its path, the SHA-256 hash of its content, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// Why a run cannot be gone on with although its settings are the same.
#[derive(Debug, Error)]
pub enum ProvenanceError {
    /// A file cannot be read.
    #[error("{}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What failed.
        cause: io::Error,
    },
    /// A file has changed.
    #[error("{file} has changed since the run began: SHA-256 was {}…, now {}…", brief(before), brief(now))]
    Contents {
        /// The file.
        file: String,
        /// The hash of its content when the run began.
        before: String,
        /// Its hash now.
        now: String,
    },
    /// The seed leads to other games than it did when the run began.
    #[error(
        "it began with play version {before}, and this program has {PLAY_VERSION}, in which seeds lead to other games; the \
         program that began it can finish it"
    )]
    Version {
        /// The version of the program that began the run.
        before: u64,
    },
    /// It is not known what games the seed led to when the run began.
    #[error(
        "it has no play version, so that its seed may have led to other games, and its files may have changed; the program \
         that began it can finish it"
    )]
    NoVersion,
}

/// The first digits of a hash, enough to tell files apart.
fn brief(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

impl Provenance {
    /// That of games which these files decide, played by this program.
    ///
    /// # Errors
    /// If a file cannot be read, or is not a regular one.
    pub fn of_files(files: impl IntoIterator<Item = PathBuf>) -> Result<Self, ProvenanceError> {
        let hashed = files.into_iter().map(|path| match hash(&path) {
            Ok(hash) => Ok((path.display().to_string(), hash)),
            Err(cause) => Err(ProvenanceError::Unreadable { path, cause }),
        });
        Ok(Provenance { play_version: PLAY_VERSION, files: hashed.collect::<Result<_, _>>()? })
    }

    /// That of games between these agents, played by this program.
    ///
    /// # Errors
    /// If a file that an agent names cannot be read, or is not a regular one.
    pub fn of_agents<'a>(agents: impl IntoIterator<Item = &'a AgentSpec>) -> Result<Self, ProvenanceError> {
        Provenance::of_files(agents.into_iter().flat_map(AgentSpec::files))
    }

    /// Checks that no file has changed since a run of this provenance began.
    ///
    /// # Errors
    /// The first file that has.
    pub fn check_files(&self, before: &Provenance) -> Result<(), ProvenanceError> {
        let changed = before.files.iter().find(|(file, hash)| self.files.get(*file) != Some(*hash));
        let Some((file, before)) = changed else { return Ok(()) };
        let now = self.files.get(file).map_or("absent", String::as_str).to_owned();
        Err(ProvenanceError::Contents { file: file.clone(), before: before.clone(), now })
    }
}

/// Checks that this program plays the games that a run of this provenance lacks, which may have none.
///
/// # Errors
/// If its seed leads to other games here, or may do so.
pub fn check_play_version(before: Option<&Provenance>) -> Result<(), ProvenanceError> {
    match before {
        None => Err(ProvenanceError::NoVersion),
        Some(&Provenance { play_version: before, .. }) if before != PLAY_VERSION => {
            Err(ProvenanceError::Version { before })
        }
        Some(_) => Ok(()),
    }
}

/// The SHA-256 hash of a file's content, in hexadecimal digits.
fn hash(path: &Path) -> io::Result<String> {
    // A device could go on for ever.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_contents() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("weights.toml");
        fs::write(&path, "abc").unwrap();
        let agents: Vec<AgentSpec> = ["random".to_owned(), format!("greedy:weights={}", path.display())]
            .map(|spec| spec.parse().unwrap())
            .into();
        let provenance = || Provenance::of_agents(&agents).unwrap();
        let before = provenance();
        // The first test vector of FIPS 180-2.
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(before.files.values().collect::<Vec<_>>(), [known]);
        assert_eq!(toml::from_str::<Provenance>(&toml::to_string(&before).unwrap()).unwrap(), before);
        provenance().check_files(&before).unwrap();
        fs::write(&path, "abd").unwrap();
        let message = provenance().check_files(&before).unwrap_err().to_string();
        let expected =
            "weights.toml has changed since the run began: SHA-256 was ba7816bf8f01…, now a52d159f262b…";
        assert!(message.ends_with(expected), "{message}");
        fs::remove_file(&path).unwrap();
        assert!(matches!(Provenance::of_agents(&agents), Err(ProvenanceError::Unreadable { .. })));
    }

    #[test]
    fn all_files_that_an_agent_plays_by_are_known() {
        let net =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/nets/queens-garden/queens-garden.safetensors");
        let names = |spec: &str| -> Vec<String> {
            let spec: AgentSpec = spec.parse().unwrap();
            let names = spec.files().into_iter().map(|path| path.file_name().unwrap().to_owned());
            names.map(|name| name.into_string().unwrap()).collect()
        };
        let critic = "queens-garden-critic.safetensors";
        assert_eq!(names(&format!("neural:net={net}")), ["queens-garden.safetensors", critic]);
        assert_eq!(names(&format!("neural:net={net},critic=none")), ["queens-garden.safetensors"]);
        assert_eq!(names(&format!("neural:net={net},critic=c")), ["queens-garden.safetensors", "c"]);
        assert_eq!(names("neural:critic=c"), ["c"]);
        assert_eq!(names("mcts:weights=a,values=b"), ["a", "b"]);
        assert_eq!(names("minimax:weights=a"), ["a"]);
        for none in ["random", "neural", "neural:critic=none", "greedy:strategy=columns", "exec:cmd=bot"] {
            assert_eq!(names(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn only_a_program_of_the_same_play_version_goes_on() {
        let provenance = Provenance::of_files([]).unwrap();
        check_play_version(Some(&provenance)).unwrap();
        let other = Provenance { play_version: PLAY_VERSION + 1, ..provenance };
        let message = check_play_version(Some(&other)).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("it began with play version {}", PLAY_VERSION + 1)),
            "{message}"
        );
        assert!(check_play_version(None).unwrap_err().to_string().starts_with("it has no play version"));
    }
}
