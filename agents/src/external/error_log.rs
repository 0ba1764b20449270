//! Where the error output of programs is kept: [`LogFile`] names the file, an [`ErrorLog`] writes into it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};

use crate::parameters::ParameterValue;

/// The path of a file to which lines are added, or none. Unlike other files that parameters name it is not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFile(Option<String>);

impl LogFile {
    /// Opens the file at its end; one that does not exist is made. `None` if there is no path.
    ///
    /// # Errors
    /// If it is not a regular file (a pipe would wait for a reader), or cannot be opened.
    pub(super) fn open(&self) -> io::Result<Option<File>> {
        let Some(path) = &self.0 else { return Ok(None) };
        if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Err(io::Error::other("not a regular file"));
        }
        OpenOptions::new().append(true).create(true).open(path).map(Some)
    }
}

impl ParameterValue for LogFile {
    fn read(text: &str) -> Result<Self, String> {
        Option::<String>::read(text).map(LogFile)
    }

    fn print(&self) -> String {
        self.0.print()
    }
}

/// The most that a program's error output adds to a file, in bytes.
const MOST: usize = 64 << 20;

/// Adds the lines of one process to a file that other processes may share: each line is written at once, with the number of
/// the process before it.
#[derive(Debug)]
pub(super) struct ErrorLog {
    file: File,
    process: u32,
    /// What may still be written, in bytes.
    left: usize,
}

impl ErrorLog {
    /// The log of the process with this number.
    pub(super) fn new(file: File, process: u32) -> Self {
        ErrorLog { file, process, left: MOST }
    }

    /// Adds a line. A log that cannot be written stops nobody.
    pub(super) fn add(&mut self, line: &str) {
        if self.left == 0 {
            return;
        }
        let mut line = format!("[{}] {line}\n", self.process);
        if line.len() > self.left {
            line = format!("[{}] (more than {MOST} bytes: the rest is left out)\n", self.process);
            self.left = 0;
        }
        self.left = self.left.saturating_sub(line.len());
        _ = self.file.write_all(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_up_to_a_bound() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("errors");
        fs::write(&path, "before\n").unwrap();
        let log = LogFile::read(path.to_str().unwrap()).unwrap();
        let mut one = ErrorLog::new(log.open().unwrap().unwrap(), 1);
        let mut two = ErrorLog { left: 8, ..ErrorLog::new(log.open().unwrap().unwrap(), 2) };
        one.add("a");
        two.add("b");
        one.add("c");
        two.add("d");
        two.add("e");
        let text = fs::read_to_string(&path).unwrap();
        let rest = format!("[2] (more than {MOST} bytes: the rest is left out)");
        assert_eq!(text.lines().collect::<Vec<_>>(), ["before", "[1] a", "[2] b", "[1] c", &rest]);
        assert!(LogFile::default().open().unwrap().is_none());
        let directory = LogFile(Some(directory.path().display().to_string()));
        assert_eq!(directory.open().unwrap_err().to_string(), "not a regular file");
    }
}
