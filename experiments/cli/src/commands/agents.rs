//! `azulejo agents`

use std::io::Write;

use azulejo_agents::AgentSpec;
use clap::Args;

use crate::output::output;

/// List the agents and their parameters
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  azulejo agents")]
pub(super) struct AgentsArgs {}

impl AgentsArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = output();
        for (name, about, parameters) in AgentSpec::all() {
            writeln!(out, "{name:<10} {about}")?;
            for parameter in parameters {
                writeln!(out, "  {:<14} {}", format!("{}=", parameter.key), parameter.doc)?;
            }
        }
        Ok(())
    }
}
