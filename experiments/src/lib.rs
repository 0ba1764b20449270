//! Self-play, tournaments, training and statistics for azulejo: whole games between agents, played in
//! parallel, recorded, counted and rated. Nothing here draws on a terminal.
//!
//! A [`Schedule`] says which agents play which games on which deals. [`run`](run::run) plays it into a
//! directory; [`Summary`] holds what came out. The statistics themselves are in [`stats`], the engine
//! protocol in [`engine`], the reading of record files in [`record_file`].
#![forbid(unsafe_code)]

mod abilities;
pub mod agent_knowledge;
mod atomic_file;
pub mod balance;
pub mod completion;
pub mod engine;
pub mod export;
mod following_agent;
pub mod game_habits;
pub mod game_loop;
mod game_statistics;
mod machine;
pub mod manifest;
mod measures;
pub mod output_file;
mod parallel;
pub mod position;
pub mod record_file;
pub mod report;
pub mod review;
pub mod rules_file;
pub mod run;
pub mod run_directory;
pub mod schedule;
pub mod score_sources;
pub mod shard;
pub mod speed;
mod standings;
pub mod stats;
mod stream;
pub mod study;
pub mod suite;
pub mod summary;
pub mod train;
pub mod tune;
pub mod words;

pub use following_agent::FollowingAgent;
pub use machine::{COMMIT, Invocation};
pub use parallel::{ThreadsError, play_in_order, thread_pool};
pub use schedule::{Job, Schedule, ScheduleError};
pub use standings::{Standings, StandingsBuilder};
pub use stream::Stream;
pub use summary::Summary;

/// The example of the README, which is tested as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../docs/libraries.md")]
struct Readme;
