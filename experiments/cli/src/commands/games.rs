//! `azulejo games`

use std::io::{self, Write};

use azulejo::{Encode, Game, GameSpec, Rules, with_game};
use azulejo_experiments::rules_file::read_game;
use clap::Args;

use super::width::{WidthOption, Wrapping};
use crate::output::output;

/// List the games, their variants, what their options mean and the numbers of the rules that can be changed
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  azulejo games\n  azulejo games --features azul")]
pub(super) struct GamesArgs {
    /// List what networks see of this game instead: the number and the name of each feature
    #[arg(long, value_name = "SPEC", value_parser = read_game)]
    features: Option<GameSpec>,
    #[command(flatten)]
    width: WidthOption,
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
        let columns = self.width.columns();
        GameSpec::IDS.iter().try_for_each(|id| write_options(&mut out, id, columns))?;
        for id in GameSpec::IDS {
            let game: GameSpec = id.parse().expect("an id is a spec");
            writeln!(out, "\nnumbers of {id} that rules= and balance --set change: range, default")?;
            with_game!(game, |rules: &'static G::Rules| list_keys(rules, &mut out, columns))?;
        }
        Ok(())
    }
}

/// Lists the keys of rules: name, range and value.
fn list_keys<R: Rules>(rules: &R, out: &mut impl Write, columns: usize) -> io::Result<()> {
    let (numbers, wrapping) = (rules.numbers(), Wrapping { columns, indent: 48 });
    for key in R::KEYS {
        let (values, now) = (key.values.to_string(), key.value(&numbers).to_string());
        wrapping.write(out, &format!("  {:<22} {values:<22} ", key.name), &now.replace(',', ", "))?;
    }
    Ok(())
}

/// What may stand after a game's id, and what it means.
fn write_options(out: &mut impl Write, id: &str, columns: usize) -> anyhow::Result<()> {
    const CHANGED: (&str, &str) =
        ("rules=", "numbers of the rules that are changed: a TOML file, or last {\"KEY\":VALUE} itself");
    let wrapping = Wrapping { columns, indent: 14 };
    let game: GameSpec = id.parse()?;
    let options = with_game!(game, |_rules: &'static G::Rules| <<G as Game>::Rules as Rules>::OPTIONS);
    writeln!(out, "\noptions of {id}, after its id and a colon, separated by commas")?;
    for (option, about) in options.iter().chain([&CHANGED]) {
        wrapping.write(out, &format!("  {option:<12}"), about)?;
    }
    Ok(())
}
