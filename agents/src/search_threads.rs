//! The threads of one search: one that searches, and those that help it.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ScopedJoinHandle};

use crate::agent::AgentError;

/// The most threads of one search.
pub(crate) const MAX_THREADS: u64 = 256;

/// Why threads that help come to their end.
pub(crate) const UNHURT: &str = "a search does not panic";

/// Searches while each of `helpers` helps on a thread of its own until the flag that it is given is set, which it is as soon as the
/// search has ended, however it ends. `search` is given a way to ask whether a helper has left before: then it has panicked.
/// Returns what was found, and what each helper returned.
///
/// # Errors
/// If the system does not start a thread.
pub(crate) fn with_helpers<H: Send, R: Send, T>(
    helpers: &mut [H],
    help: impl Fn(&mut H, &AtomicBool) -> R + Sync,
    search: impl FnOnce(&dyn Fn() -> bool) -> T,
) -> Result<(T, Vec<R>), AgentError> {
    let (count, end) = (helpers.len(), AtomicBool::new(false));
    let found = thread::scope(|scope| {
        let ending = SetWhenDropped(&end);
        let helping = helpers.iter_mut().map(|helper| {
            let (help, end) = (&help, &end);
            thread::Builder::new().spawn_scoped(scope, move || help(helper, end))
        });
        let helping = helping.collect::<io::Result<Vec<_>>>()?;
        let is_lost = || helping.iter().any(ScopedJoinHandle::is_finished);
        let found = search(&is_lost);
        drop(ending);
        Ok((found, helping.into_iter().map(|helper| helper.join().expect(UNHURT)).collect()))
    });
    found.map_err(|error: io::Error| {
        AgentError::Failed(format!("the system does not start {count} threads: {error}"))
    })
}

/// Sets a flag when the search ends, also by a panic.
struct SetWhenDropped<'a>(&'a AtomicBool);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
