//! The native half of the Python package `azulejo`: games, batched environments, agents and records by the
//! crates of azulejo. The other half is Python, in `python/azulejo`.
#![forbid(unsafe_code)]

mod agent;
mod arrays;
mod batch;
mod env;
mod errors;
mod evaluator;
mod game;
mod interrupt;
mod network;
mod output;
mod records;
mod run_watch;
mod runs;
mod state;

use azulejo_experiments::rules_file::read_game;
use azulejo_experiments::speed;
use pyo3::prelude::*;

use errors::{OrRaise, SpecError};

/// Plays random games as the program's benchmark `random` does, and returns the number of their actions: what
/// `python/benchmarks` compares with.
#[pyfunction]
fn random_games(py: Python<'_>, game: &str, players: i64, games: u64) -> PyResult<u64> {
    let game = read_game(game).or_raise(SpecError::new_err)?;
    let players = crate::game::read_players(game, players)?;
    Ok(py.detach(|| speed::random_games(game, players, games)))
}

/// The native half of the package.
#[pymodule]
mod _azulejo {
    #[pymodule_export]
    use super::agent::{NativeAgent, agents};
    #[pymodule_export]
    use super::env::BatchEnv;
    #[pymodule_export]
    use super::game::{Game, games};
    #[pymodule_export]
    use super::network::Network;
    #[pymodule_export]
    use super::random_games;
    #[pymodule_export]
    use super::records::{RecordLines, record_spec, training_rows, verify_record};
    #[pymodule_export]
    use super::runs::{PlannedRun, PlannedTraining, play_balance, training_config};
    #[pymodule_export]
    use super::state::State;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
