//! Lines of text from outside: bounded in length, checked to be UTF-8, counted.

use std::io::{self, BufRead};

use thiserror::Error;

/// A line that cannot be used.
#[derive(Debug, Error)]
pub enum LineError {
    /// The line is longer than the bound; the next reading skips the rest of it.
    #[error("line longer than {limit} bytes")]
    TooLong {
        /// The bound.
        limit: usize,
    },
    /// The rest of a line that was too long does not end either; no line follows.
    #[error("no end of a line within {length} bytes")]
    Endless {
        /// How much of the line was read.
        length: usize,
    },
    /// The line is not UTF-8.
    #[error("line is not UTF-8")]
    NotUtf8,
    /// Reading failed; no line follows.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// By the end-of-line character.
    Newline,
    /// By the end of the input: the line may be torn.
    Input,
}

/// Reads lines one after the other; line ends are not part of them.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    limit: usize,
    /// How much of a line that is too long is skipped, in bytes.
    patience: usize,
    state: ReaderState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReaderState {
    /// At the beginning of a line.
    Reading,
    /// In the middle of a line that is too long.
    Skipping,
    /// At an end.
    Failed,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines of at most `limit` bytes. A longer one is skipped to its end, however far that is.
    pub fn new(input: R, limit: usize) -> Self {
        LineReader { input, limit, patience: usize::MAX, state: ReaderState::Reading }
    }

    /// Gives the whole input up where a line that is too long has no end within so many further bytes.
    #[must_use]
    pub fn skipping_at_most(self, patience: usize) -> Self {
        LineReader { patience, ..self }
    }

    /// The next line and how it ended; `None` at the end of the input.
    ///
    /// No more than the bound is kept in memory, whatever comes in.
    ///
    /// # Errors
    /// A line that cannot be used; reading can go on after it, except after [`LineError::Io`] and
    /// [`LineError::Endless`], which `None` follows.
    pub fn read(&mut self) -> Option<Result<(String, LineEnd), LineError>> {
        let skipped = match self.state {
            ReaderState::Reading => Ok(()),
            ReaderState::Skipping => self.skip(),
            ReaderState::Failed => return None,
        };
        let mut bytes = Vec::new();
        let line = skipped.and_then(|()| self.take(self.limit, |part| bytes.extend_from_slice(part)));
        match line {
            Err(error) => {
                self.state = ReaderState::Failed;
                Some(Err(error))
            }
            Ok(Taken::Nothing) => None,
            Ok(Taken::Part) => {
                self.state = ReaderState::Skipping;
                Some(Err(LineError::TooLong { limit: self.limit }))
            }
            Ok(Taken::Line(end)) => {
                if bytes.last() == Some(&b'\r') {
                    bytes.pop();
                }
                Some(String::from_utf8(bytes).map(|text| (text, end)).map_err(|_| LineError::NotUtf8))
            }
        }
    }

    /// Goes to the end of a line that is too long.
    fn skip(&mut self) -> Result<(), LineError> {
        match self.take(self.patience, |_| ())? {
            Taken::Part => Err(LineError::Endless { length: self.limit.saturating_add(self.patience) }),
            Taken::Nothing | Taken::Line(_) => {
                self.state = ReaderState::Reading;
                Ok(())
            }
        }
    }

    /// Gives the next line to `keep`, part by part, but at most `limit` bytes of it.
    fn take(&mut self, limit: usize, mut keep: impl FnMut(&[u8])) -> Result<Taken, LineError> {
        let (mut any, mut length) = (false, 0);
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if available.is_empty() {
                return Ok(if any { Taken::Line(LineEnd::Input) } else { Taken::Nothing });
            }
            any = true;
            let newline = available.iter().position(|&byte| byte == b'\n');
            let part = newline.unwrap_or(available.len());
            if part > limit - length {
                let room = limit - length;
                self.input.consume(room);
                return Ok(Taken::Part);
            }
            keep(&available[..part]);
            length += part;
            self.input.consume(part + usize::from(newline.is_some()));
            if newline.is_some() {
                return Ok(Taken::Line(LineEnd::Newline));
            }
        }
    }
}

/// What a reading found.
enum Taken {
    /// The end of the input.
    Nothing,
    /// As much as may be taken of a line that goes on.
    Part,
    /// A line, or the rest of one.
    Line(LineEnd),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(input: &[u8], limit: usize) -> Vec<String> {
        // A small buffer, so that lines span several fills.
        let mut reader = LineReader::new(io::BufReader::with_capacity(3, input), limit);
        let show = |line: Result<(String, LineEnd), LineError>| match line {
            Ok((text, LineEnd::Newline)) => text,
            Ok((text, LineEnd::Input)) => format!("{text}|"),
            Err(error) => error.to_string(),
        };
        std::iter::from_fn(|| reader.read()).map(show).collect()
    }

    #[test]
    fn lines_end_at_newlines_and_at_the_end() {
        assert_eq!(read_all(b"one\ntwo\r\n\nthree", 10), ["one", "two", "", "three|"]);
        assert!(read_all(b"", 10).is_empty());
    }

    #[test]
    fn reading_goes_on_behind_a_bad_line() {
        let lines = read_all(b"12345\n1234\n\xff\xfe\nlast\n", 4);
        assert_eq!(lines, ["line longer than 4 bytes", "1234", "line is not UTF-8", "last"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_told_before_its_end() {
        let input = io::BufReader::new(io::repeat(b'x'));
        let mut reader = LineReader::new(input, 1000).skipping_at_most(15_000);
        assert_eq!(reader.read().unwrap().unwrap_err().to_string(), "line longer than 1000 bytes");
        assert_eq!(reader.read().unwrap().unwrap_err().to_string(), "no end of a line within 16000 bytes");
        assert!(reader.read().is_none(), "nothing follows an endless line");
    }

    #[test]
    fn a_long_last_line_is_one_error() {
        assert_eq!(read_all(b"12345678", 4), ["line longer than 4 bytes"]);
        assert_eq!(read_all(b"1234", 4), ["1234|"]);
    }
}
