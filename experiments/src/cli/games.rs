//! `azulejo games`

use std::io::{Write, stdout};

use azulejo::{Game, GameSpec, GameVisitor};
use azulejo_agents::{Playable, PlayableVisitor, visit_playable};
use azulejo_experiments::rules_file::read_game;
use clap::Args;

/// List the games and their variants
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  azulejo games\n  azulejo games --features azul")]
pub(super) struct Games {
    /// List what networks see of this game instead: the number and the name of each feature
    #[arg(long, value_name = "SPEC", value_parser = read_game)]
    features: Option<GameSpec>,
}

impl Games {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = stdout().lock();
        if let Some(game) = self.features {
            for (number, name) in visit_playable(game, Features).into_iter().enumerate() {
                writeln!(out, "{number:>5} {name}")?;
            }
            return Ok(());
        }
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

struct Features;

impl PlayableVisitor for Features {
    type Output = Vec<String>;

    fn visit<G: Playable>(self, _rules: &'static G::Rules) -> Vec<String> {
        G::feature_names()
    }
}
