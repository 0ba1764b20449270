//! Why a training run ends early: [`TrainError`].

use std::path::{Path, PathBuf};

use azulejo_agents::AgentSpecError;
use azulejo_agents::neural::BackendError;
use thiserror::Error;

use super::HELD_OUT;
use crate::game_loop::Fault;
use crate::manifest::{ProvenanceError, SettingDifference};
use crate::parallel::ThreadsError;
use crate::record_file::RecordFileError;
use crate::run_directory::RunDirectoryError;
use crate::schedule::ScheduleError;
use crate::shard::ShardError;

/// Why a training run ended early.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The configuration cannot be used.
    #[error("{0}")]
    Config(String),
    /// A file could not be read, written or used.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The directory for a new run has something in it.
    #[error("{} is not empty: choose another directory, or go on with its run by --resume", .0.display())]
    NotEmpty(PathBuf),
    /// The run there has another configuration.
    #[error("cannot go on with {}: its train.toml has another configuration: {difference}", path.display())]
    Different {
        /// The directory.
        path: PathBuf,
        /// What differs.
        difference: SettingDifference,
    },
    /// The run there began in a version whose seeds mean other games.
    #[error("cannot go on with {}: it began in a version whose seeds mean other games", .0.display())]
    Former(PathBuf),
    /// The games of this generation, and those before that it learns from, have nothing to learn.
    #[error(
        "generation {0}: its games teach nothing: expected more of them (one in {HELD_OUT} is held out), and fewer random moves"
    )]
    NothingLearned(u64),
    /// The run there was played by other files, or its seed led to other games.
    #[error("cannot go on with {}: {problem}", path.display())]
    Provenance {
        /// The directory.
        path: PathBuf,
        /// What differs.
        problem: ProvenanceError,
    },
    /// The directory cannot be held.
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    /// A file of records could not be read or written.
    #[error(transparent)]
    Records(#[from] RecordFileError),
    /// A part of a stage's games that another process has played is none.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// An agent could not be built.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// The backend cannot be used.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// An agent failed in a game that was to be learned from.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The measurement cannot be played.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The system starts fewer threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// What makes an error of something wrong with a file or directory.
pub(super) fn file_error<E: ToString>(path: &Path) -> impl FnOnce(E) -> TrainError + use<E> {
    let path = path.to_owned();
    move |error| TrainError::File { path, problem: error.to_string() }
}
