//! Searches that clients wait for: how many there may be, and what ends them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;

use crate::answer::CallError;

/// The longest that a search may take, in milliseconds.
pub(crate) const MOST_MS: u64 = 120_000;

/// The searches that run at once.
#[derive(Clone, Debug)]
pub(crate) struct SearchPlaces {
    free: Arc<Semaphore>,
    all: usize,
}

impl SearchPlaces {
    /// So many places.
    pub(crate) fn new(all: usize) -> Self {
        SearchPlaces { free: Arc::new(Semaphore::new(all)), all }
    }

    /// A place, which is free again when it is dropped.
    ///
    /// # Errors
    /// If none is free.
    pub(crate) fn take(&self) -> Result<OwnedSemaphorePermit, CallError> {
        self.free.clone().try_acquire_owned().map_err(|_| {
            let problem = format!("{} searches run already, which is the most: try again later", self.all);
            CallError::new(StatusCode::TOO_MANY_REQUESTS, problem)
        })
    }
}

/// What holds on to a search: when it is dropped, as the client has left, or after its time, the search ends with what it has.
pub(crate) struct Search {
    /// Set to end the search.
    pub stop: Arc<AtomicBool>,
    alarm: JoinHandle<()>,
}

impl Search {
    /// A search that takes no longer than this.
    pub(crate) fn at_most(time: Duration) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let rung = stop.clone();
        let alarm = tokio::spawn(async move {
            tokio::time::sleep(time).await;
            rung.store(true, Ordering::Relaxed);
        });
        Search { stop, alarm }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.alarm.abort();
    }
}
