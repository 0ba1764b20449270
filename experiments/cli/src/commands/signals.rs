//! What Ctrl-C and other signals to end do; external programs never outlive this one.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use azulejo_agents::external::kill_all;

/// Set by a signal that asks to stop.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// The first signal lets the running games end, the second ends the program.
pub(super) fn stop_at_signals() -> anyhow::Result<()> {
    handle(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            end();
        }
    })
}

/// A signal lets a program on the full screen leave. One that cannot, as its terminal is gone, is ended.
pub(super) fn leave_at_signals() -> anyhow::Result<()> {
    handle(|| {
        STOP.store(true, Ordering::Relaxed);
        thread::sleep(Duration::from_secs(1));
        end();
    })
}

/// A signal ends the program at once.
pub(super) fn end_at_signals() -> anyhow::Result<()> {
    handle(|| end())
}

/// A signal ends a program that only a signal can end: it has done what it should.
pub(super) fn quit_at_signals() -> anyhow::Result<()> {
    handle(|| {
        kill_all();
        process::exit(0);
    })
}

fn handle(handler: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(handler).context("cannot handle signals")
}

fn end() -> ! {
    kill_all();
    process::exit(1);
}
