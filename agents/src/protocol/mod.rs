//! The engine protocol as both of its ends write and read it: commands go to an engine, replies come back, a
//! line each (`docs/protocol.md`).
//!
//! What an engine reads is checked to the last word. What it answers is read leniently, since engines of any
//! kind add words of their own.

mod candidate_info;
mod command;
mod option;
mod reply;

pub use candidate_info::CandidateInfo;
pub use command::{CommandError, ProtocolCommand, Query, SearchLimits};
pub use option::EngineOption;
pub use reply::{ProtocolReply, SearchInfo, turn_text};

/// The longest line that either end reads, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// The first word and what follows it, without the blanks around.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}
