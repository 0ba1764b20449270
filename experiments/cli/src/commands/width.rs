//! How wide the output is, and text that keeps to it.

use std::io::{self, IsTerminal, Write, stdout};

use clap::Args;
use ratatui::crossterm::terminal::size;

/// The columns where nothing tells how many there are.
const DEFAULT: usize = 80;

/// How wide tables may be.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct WidthOption {
    /// Show whole names and all columns of tables, however wide they are [default: as wide as the terminal;
    /// without one as COLUMNS says, or 80]
    #[arg(long)]
    wide: bool,
}

impl WidthOption {
    /// The most columns of a line.
    pub(super) fn columns(self) -> usize {
        if self.wide { usize::MAX } else { terminal_columns() }
    }
}

/// The columns of the terminal; without one what the variable `COLUMNS` says, or 80.
pub(super) fn terminal_columns() -> usize {
    let terminal = size().ok().filter(|_| stdout().is_terminal()).map(|(columns, _)| columns.into());
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(said).filter(|&columns| columns > 0).unwrap_or(DEFAULT)
}

/// Text that is broken into lines between words. A word that is longer than a line has one of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrapping {
    /// The most columns of a line.
    pub columns: usize,
    /// The blanks before each line but the first.
    pub indent: usize,
}

impl Wrapping {
    /// Writes `head` as it is and the words of `text` after it.
    pub(super) fn write(self, out: &mut impl Write, head: &str, text: &str) -> io::Result<()> {
        let indent = self.indent;
        write!(out, "{head}")?;
        let (mut width, mut gap) = (head.chars().count(), "");
        for word in text.split_whitespace() {
            let letters = word.chars().count();
            if gap.is_empty() || width + gap.len() + letters <= self.columns {
                write!(out, "{gap}{word}")?;
                width += gap.len() + letters;
            } else {
                write!(out, "\n{:indent$}{word}", "")?;
                width = indent + letters;
            }
            gap = " ";
        }
        writeln!(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(head: &str, text: &str, columns: usize, indent: usize) -> String {
        let mut out = Vec::new();
        Wrapping { columns, indent }.write(&mut out, head, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_break_between_words_and_keep_to_the_width() {
        assert_eq!(wrapped("", "one two three", 80, 4), "one two three\n");
        assert_eq!(wrapped("", "one two three", 9, 2), "one two\n  three\n");
        assert_eq!(wrapped("  key=  ", "what it is", 13, 4), "  key=  what\n    it is\n");
        assert_eq!(wrapped("", "a indivisible b", 5, 0), "a\nindivisible\nb\n");
        assert_eq!(wrapped("", "", 5, 2), "\n");
        assert_eq!(wrapped("x ", "a b", usize::MAX, 2), "x a b\n");
    }
}
