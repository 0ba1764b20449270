//! `azulejo completions`

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use super::Cli;
use crate::output::output;

/// Print a script with which a shell completes commands and options
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo completions bash > ~/.local/share/bash-completion/completions/azulejo
  azulejo completions fish > ~/.config/fish/completions/azulejo.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        // The generator cannot cope with an output that fails.
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "azulejo", &mut script);
        Ok(output().write_all(&script)?)
    }
}
