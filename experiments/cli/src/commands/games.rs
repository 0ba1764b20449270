//! `azulejo games`

use std::io::{self, Write};

use azulejo::{Encode, Game, GameSpec, Rules, with_game};
use azulejo_experiments::rules_file::read_game;
use clap::Args;

use crate::output::output;

/// List the games, their variants, and the numbers of the rules that can be changed
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  azulejo games\n  azulejo games --features azul")]
pub(super) struct GamesArgs {
    /// List what networks see of this game instead: the number and the name of each feature
    #[arg(long, value_name = "SPEC", value_parser = read_game)]
    features: Option<GameSpec>,
}

impl GamesArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = output();
        if let Some(game) = self.features {
            for (number, name) in with_game!(game, |_rules: &'static G::Rules| <G as Encode>::feature_names())
                .into_iter()
                .enumerate()
            {
                writeln!(out, "{number:>5} {name}")?;
            }
            return Ok(());
        }
        for game in GameSpec::all() {
            let (name, seats) =
                with_game!(game, |_rules: &'static G::Rules| (<G as Game>::NAME, <G as Game>::PLAYERS));
            let (game, fewest, most) = (game.to_string(), seats.start(), seats.end());
            writeln!(out, "{game:<28} {name}, {fewest} to {most} players")?;
        }
        for id in GameSpec::IDS {
            let game: GameSpec = id.parse().expect("an id is a spec");
            writeln!(
                out,
                "\nNumbers of {id} that rules=FILE and balance --set change, with range and default:"
            )?;
            with_game!(game, |rules: &'static G::Rules| list_keys(rules, &mut out))?;
        }
        Ok(())
    }
}

/// Lists the keys of rules, a line each: name, range and value.
fn list_keys<R: Rules>(rules: &R, out: &mut impl Write) -> io::Result<()> {
    let numbers = rules.numbers();
    for key in R::KEYS {
        let (values, now) = (key.values.to_string(), key.value(&numbers));
        writeln!(out, "  {:<22} {values:<22} {now}", key.name)?;
    }
    Ok(())
}
