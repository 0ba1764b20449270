//! Makes a suite of a game: plays games between equal agents and keeps positions in which it matters what is played, until
//! there are enough. Their ends are solved; of the round before the last one every action is played to the end.
//!
//! ```sh
//! cargo run --release -p azulejo-experiments --example make_suite -- ends azul neural:sims=32 20261123 520 azul.jsonl
//! cargo run --release -p azulejo-experiments --example make_suite -- \
//!   round-before azul neural:sims=32 20261217 200 azul-round-before.jsonl
//! ```
//!
//! The arguments are the tier, the game's id, the agent, the seed, the number of positions and a file that positions are added
//! to, a line each. Stopped, it goes on with that file. In the end the suite is written beside it, compressed.

use std::collections::HashSet;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::{env, mem};

use azulejo::{Game, GameSpec, with_game};
use azulejo_experiments::suite::{RoundBeforeMaker, Suite, SuiteGames, SuiteMaker, SuitePosition};

/// The most nodes of a position that is solved, and the most positions of a game.
const NODES: u64 = 100_000;
const EACH: usize = 4;
/// How often each action is played to the end, and the most actions of such a position.
const DRAWS: usize = 64;
const ACTIONS: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [tier, game, agent, seed, most, path] = &arguments[..] else {
        return Err("expected a tier, a game, an agent, a seed, a number of positions and a file".into());
    };
    let id = |spec: GameSpec| with_game!(spec, |_rules: &'static G::Rules| <G as Game>::ID);
    let games: Vec<GameSpec> = GameSpec::all().into_iter().filter(|spec| id(*spec) == game).collect();
    let games = SuiteGames { games, agent: agent.parse()?, seed: seed.parse()? };
    let solved = SuiteMaker { games: games.clone(), nodes: NODES, each: EACH };
    let played_on = RoundBeforeMaker { games, draws: DRAWS, actions: ACTIONS };
    let make = |index: u64| match tier.as_str() {
        "ends" => solved.positions(index).map_err(Box::<dyn Error>::from),
        "round-before" => played_on.positions(index).map_err(Box::from),
        other => Err(format!("found the tier '{other}', expected ends or round-before").into()),
    };
    let (path, most): (&Path, usize) = (path.as_ref(), most.parse()?);
    let mut positions = complete_games(path);
    let mut seen: HashSet<String> = positions.iter().map(|it| it.state.to_string()).collect();
    let mut file = File::create(path)?;
    write_lines(&mut file, &positions)?;
    let mut index = positions.last().map_or(0, |last| last.source.index + 1);
    while positions.len() < most {
        let mut found = make(index)?;
        found.retain(|position| seen.insert(position.state.to_string()));
        found.truncate(most - positions.len());
        write_lines(&mut file, &found)?;
        positions.append(&mut found);
        index += 1;
    }
    let packed = Suite::packed(&positions)?;
    writeln!(io::stdout(), "{} positions of {index} games: {} bytes", positions.len(), packed.len())?;
    fs::write(path.with_extension("jsonl.zst"), packed)?;
    Ok(())
}

/// The positions of a file that was begun, without those of the last game, which may not be all there.
fn complete_games(path: &Path) -> Vec<SuitePosition> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut positions: Vec<SuitePosition> =
        text.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
    if let Some(last) = positions.last().map(|last| last.source.index) {
        let all = mem::take(&mut positions);
        positions = all.into_iter().filter(|it| it.source.index < last).collect();
    }
    positions
}

fn write_lines(file: &mut File, positions: &[SuitePosition]) -> Result<(), Box<dyn Error>> {
    for position in positions {
        writeln!(file, "{}", serde_json::to_string(position)?)?;
    }
    Ok(())
}
