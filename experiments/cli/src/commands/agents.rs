//! `azulejo agents`

use azulejo_agents::AgentSpec;
use clap::Args;

use super::width::{WidthOption, Wrapping};
use crate::output::output;

/// List the agents and their parameters
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  azulejo agents")]
pub(super) struct AgentsArgs {
    #[command(flatten)]
    width: WidthOption,
}

impl AgentsArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = output();
        let columns = self.width.columns();
        for (name, about, parameters) in AgentSpec::all() {
            Wrapping { columns, indent: 11 }.write(&mut out, &format!("{name:<11}"), about)?;
            for parameter in parameters {
                let key = format!("  {:<15}", format!("{}=", parameter.key));
                Wrapping { columns, indent: 17 }.write(&mut out, &key, parameter.doc)?;
            }
        }
        Ok(())
    }
}
