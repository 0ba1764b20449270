//! What the program writes: results on the output, where a failure is an error, and notes on the error output, where it is
//! none.
//!
//! `println!` and `eprintln!` panic where nobody reads any more or the disk is full, so nothing here uses them.

use std::fmt::Display;
use std::io::{self, StdoutLock, Write, stderr, stdout};

use azulejo::printable;

/// The output. Its errors say that they are its own.
pub(crate) struct Output(StdoutLock<'static>);

/// The output, for this thread alone until it is dropped.
pub(crate) fn output() -> Output {
    Output(stdout().lock())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named)
    }
}

/// The same kind of error, with the place where it happened.
fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write the output: {error}"))
}

/// Writes a line for a person on the error output: a warning, how far a run is, why it ended. Nobody is left to be told if
/// that fails. Names from outside may hold control characters, which a terminal must not see.
pub(crate) fn note(line: impl Display) {
    _ = writeln!(stderr(), "{}", printable(&line.to_string()));
}

/// Output for which a long run is not given up: once a line could not be written none is tried any more, and the first
/// error is told at the end.
pub(crate) struct PatientOutput(io::Result<()>);

impl PatientOutput {
    /// Output of which nothing has been written.
    pub(crate) fn new() -> Self {
        PatientOutput(Ok(()))
    }

    /// Writes a line, unless one before could not be written.
    pub(crate) fn line(&mut self, line: &str) {
        self.write(|out| writeln!(out, "{line}"));
    }

    /// The same for more than a line.
    pub(crate) fn write(&mut self, write: impl FnOnce(&mut Output) -> io::Result<()>) {
        if self.0.is_ok() {
            self.0 = write(&mut output());
        }
    }

    /// The end of the run.
    ///
    /// # Errors
    /// If a line could not be written.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.0
    }
}
