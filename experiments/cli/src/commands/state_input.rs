//! A position that a command takes.

use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use azulejo_agents::bounded_file::read_text;
use azulejo_experiments::completion::complete_text;
use serde_json::Value;

/// The longest state that is read, in bytes.
const MOST: u64 = 1 << 20;

/// Reads a table in a few lines.
pub(super) fn read_table(path: &Path) -> anyhow::Result<Value> {
    let (place, text) = read_position(path)?;
    complete_text(&text).context(place)
}

/// Reads a state's JSON from a file, or from the standard input.
pub(super) fn read_state(path: &Path) -> anyhow::Result<Value> {
    let (place, text) = read_position(path)?;
    serde_json::from_str(&text).with_context(|| format!("{place}: expected a state, one JSON object"))
}

/// What a file holds, or the standard input, and what it is called.
fn read_position(path: &Path) -> anyhow::Result<(String, String)> {
    let place = if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
    let text = match path == Path::new("-") {
        true => read_input(),
        false => read_text(path, MOST),
    };
    let text = text.with_context(|| place.clone())?;
    Ok((place, text))
}

/// The standard input, at most [`MOST`] bytes of it.
fn read_input() -> io::Result<String> {
    let mut text = String::new();
    let read = io::stdin().lock().take(MOST + 1).read_to_string(&mut text)?;
    if read as u64 > MOST { Err(io::Error::other(format!("longer than {MOST} bytes"))) } else { Ok(text) }
}
