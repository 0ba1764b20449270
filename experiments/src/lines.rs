//! Lines of text from outside: bounded in length, checked to be UTF-8, counted.

use std::io::{self, BufRead};

use thiserror::Error;

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 64 << 20;

/// A line that cannot be used.
#[derive(Debug, Error)]
pub enum LineError {
    /// The line is longer than the bound; the rest of it was skipped.
    #[error("line longer than {limit} bytes")]
    TooLong {
        /// The bound.
        limit: usize,
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
    state: ReaderState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReaderState {
    Reading,
    Failed,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines of at most `limit` bytes.
    pub fn new(input: R, limit: usize) -> Self {
        LineReader { input, limit, state: ReaderState::Reading }
    }

    /// The next line and how it ended; `None` at the end of the input.
    ///
    /// # Errors
    /// A line that cannot be used; reading can go on behind it, except after [`LineError::Io`], which `None`
    /// follows.
    pub fn read(&mut self) -> Option<Result<(String, LineEnd), LineError>> {
        if self.state == ReaderState::Failed {
            return None;
        }
        let mut bytes = Vec::new();
        match self.fill(&mut bytes) {
            Err(error) => {
                self.state = ReaderState::Failed;
                Some(Err(error.into()))
            }
            Ok(Filled::Nothing) => None,
            Ok(Filled::TooLong) => Some(Err(LineError::TooLong { limit: self.limit })),
            Ok(Filled::Line(end)) => {
                if bytes.last() == Some(&b'\r') {
                    bytes.pop();
                }
                Some(String::from_utf8(bytes).map(|text| (text, end)).map_err(|_| LineError::NotUtf8))
            }
        }
    }

    fn fill(&mut self, bytes: &mut Vec<u8>) -> io::Result<Filled> {
        let (mut any, mut length) = (false, 0);
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            any |= !available.is_empty();
            let newline = available.iter().position(|&byte| byte == b'\n');
            let part = newline.unwrap_or(available.len());
            length += part;
            if length <= self.limit {
                bytes.extend_from_slice(&available[..part]);
            }
            let ended = newline.is_some() || available.is_empty();
            let used = part + usize::from(newline.is_some());
            self.input.consume(used);
            if ended {
                let end = if newline.is_some() { LineEnd::Newline } else { LineEnd::Input };
                return Ok(match (any, length <= self.limit) {
                    (false, _) => Filled::Nothing,
                    (true, true) => Filled::Line(end),
                    (true, false) => Filled::TooLong,
                });
            }
        }
    }
}

enum Filled {
    Nothing,
    TooLong,
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
}
