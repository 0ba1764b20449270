//! `azulejo man`

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use super::Cli;
use crate::output::output;

/// Write manual pages, one for each command
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  azulejo man results/man\n  man results/man/azulejo-play.1")]
pub(super) struct ManArgs {
    /// The directory for the pages; its pages of azulejo are replaced
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl ManArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let place = || self.directory.display().to_string();
        fs::create_dir_all(&self.directory).with_context(place)?;
        clap_mangen::generate_to(Cli::command(), &self.directory).with_context(place)?;
        Ok(writeln!(output(), "{}", self.directory.join("azulejo.1").display())?)
    }
}
