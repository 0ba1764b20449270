//! `azulejo engine`

use std::io::{BufReader, stdin, stdout};

use clap::Args;

/// Answer the engine protocol on standard input and output
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  printf 'ugi\\nquery sample\\nquit\\n' | azulejo engine")]
pub(super) struct Engine {}

impl Engine {
    pub(super) fn run(self) -> anyhow::Result<()> {
        Ok(azulejo_experiments::engine::serve(BufReader::new(stdin()), stdout())?)
    }
}
