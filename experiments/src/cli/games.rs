//! `azulejo games`

use std::io::{Write, stdout};

use azulejo::{Game, GameSpec, GameVisitor};
use clap::Args;

/// List the games and their variants
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  azulejo games")]
pub(super) struct Games {}

impl Games {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = stdout().lock();
        for game in GameSpec::all() {
            writeln!(out, "{:<28} {}, 2 to 4 players", game.to_string(), game.visit(Name))?;
        }
        Ok(())
    }
}

struct Name;

impl GameVisitor for Name {
    type Output = &'static str;

    fn visit<G: Game>(self, _rules: &'static G::Rules) -> &'static str {
        G::NAME
    }
}
