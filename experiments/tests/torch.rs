//! Training with LibTorch, in builds with the cargo feature `torch`. What does not depend on the backend is tested beside its code.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use azulejo::azul::Azul;
use azulejo_agents::neural::{self, Backend, BackendError, Losses};
use azulejo_experiments::Invocation;
use azulejo_experiments::game_loop::Fault;
use azulejo_experiments::manifest::Status;
use azulejo_experiments::run::Start;
use azulejo_experiments::train::{GamesPlayed, Row, TrainConfig, TrainWatch, Training};

const TINY: &str = "
seed = 5
generations = 3
network = { width = 16, blocks = 1 }
tables = [{ game = 'azul', players = 2, share = 2.0 }, { game = 'azul:gray', players = 3 }]
selfplay = { games = 6, full = 8, cheap = 4, full_share = 0.5, considered = 4, random_actions = 4, drawn_actions = 4 }
learning = { steps = 4, batch = 16, window = 2, warmup = 2 }
teacher = { agent = 'greedy', games = 5, random_actions = 3, steps = 3 }
evaluation = { every = 2, games = 4, agent = 'sims=4', opponents = ['random'] }
";

/// Sets `stop` after so many reports.
struct Stopper<'a> {
    left: u64,
    stop: &'a AtomicBool,
}

impl Stopper<'_> {
    fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl TrainWatch for Stopper<'_> {
    fn games(&mut self, _stage: u64, _done: u64, _all: u64, _played: GamesPlayed) {
        self.count();
    }

    fn step(&mut self, _stage: u64, _done: u64, _all: u64, _losses: &Losses) {
        self.count();
    }

    fn measure(&mut self, _stage: u64, _opponent: &str) {
        self.count();
    }

    fn fault(&mut self, fault: &Fault) {
        panic!("{fault:?}");
    }

    fn stage(&mut self, _row: &Row) {}
}

/// Trains on one thread until so many things have been reported.
fn train(backend: Backend, directory: &Path, start: Start, reports: u64) -> Status {
    let (config, stop) = (TrainConfig::read(TINY).unwrap(), AtomicBool::new(false));
    let mut watch = Stopper { left: reports, stop: &stop };
    let (threads, invocation) = (NonZeroUsize::MIN, Invocation::now([]));
    let training = Training { config: &config, directory, threads, stages: None, backend, invocation };
    training.run::<Azul>(start, &stop, &mut watch).unwrap()
}

/// The processor is always asked, a CUDA device wherever LibTorch has one.
#[test]
fn a_run_goes_on_with_another_backend() {
    for torch in [Backend::TorchCpu, Backend::TorchCuda] {
        if let Err(BackendError::NoCuda(_)) = torch.check() {
            continue;
        }
        let directory = tempfile::tempdir().unwrap();
        let part = |backend, start| train(backend, directory.path(), start, 11);
        assert_eq!(part(torch, Start::New), Status::Interrupted, "{torch}");
        assert_eq!(part(Backend::Embedded, Start::Resume), Status::Interrupted, "{torch}");
        assert_eq!(part(torch, Start::Resume), Status::Finished, "{torch}");
        let (network, about) = neural::read::<Azul>(&directory.path().join("net.safetensors")).unwrap();
        assert_eq!((about.steps, network.shape().width), (15, 16), "{torch}");
    }
}

#[test]
fn a_run_with_batches_is_repeated_on_one_thread() {
    let network = || {
        let directory = tempfile::tempdir().unwrap();
        let status = train(Backend::TorchCpu, directory.path(), Start::New, u64::MAX);
        assert_eq!(status, Status::Finished);
        fs::read(directory.path().join("net.safetensors")).unwrap()
    };
    assert_eq!(network(), network());
}
