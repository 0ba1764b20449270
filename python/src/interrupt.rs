//! Long work that Ctrl-C ends.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::AgentError;

/// The time between two looks whether the user has interrupted.
const LOOK: Duration = Duration::from_millis(20);

/// Does work on a thread of its own, with Python free to run others. The flag that it is handed is set when the user
/// interrupts: it is to come back soon, and what it returns is dropped for the interrupt.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let (stop, mut interrupt) = (AtomicBool::new(false), None);
    let done = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel::<()>();
            let stop = &stop;
            let working = scope.spawn(move || {
                let result = work(stop);
                // Dropping it, also in a panic, wakes the one who waits.
                drop(sender);
                result
            });
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(LOOK) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    interrupt = Some(error);
                }
            }
            working.join()
        })
    });
    match interrupt {
        Some(error) => Err(error),
        None => done.map_err(crashed),
    }
}

/// The exception for a panic, which must not reach Python: the one that it carries, if Python code raised one.
pub(crate) fn crashed(panic: Box<dyn Any + Send>) -> PyErr {
    let panic = match panic.downcast::<PyErr>() {
        Ok(raised) => return *raised,
        Err(panic) => panic,
    };
    AgentError::new_err(format!("the agent crashed: {}", panic_text(&*panic)))
}

/// What a panic said, as one line.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    azulejo::shortened(text.unwrap_or("without a message"))
}
