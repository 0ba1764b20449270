//! The command line.

mod agents;
mod analyze;
mod balance;
mod bench;
mod blindness;
mod completions;
mod contention;
mod directory;
mod engine;
mod engine_names;
mod export;
mod games;
mod generations;
mod man;
mod options;
mod play;
mod progress;
mod recording;
mod replay;
mod report;
mod selfplay;
mod serve;
mod sharding;
mod signals;
mod solve;
mod state_input;
mod suite;
mod supervise;
mod tables;
mod tournament;
mod train;
mod tune;
mod width;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use crate::output::{note, output};
use crate::play::SeatingError;
use azulejo_experiments::summary::AllForfeited;
use azulejo_experiments::{COMMIT, ScheduleError};
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

/// The version, and in brackets the commit and the features that the program was built with, as far as they are known.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let torch = cfg!(feature = "torch").then_some("torch");
    let details: Vec<&str> = COMMIT.into_iter().chain(torch).collect();
    let version = env!("CARGO_PKG_VERSION");
    if details.is_empty() { version.to_owned() } else { format!("{version} ({})", details.join(", ")) }
});

/// Play, record, measure and compare bots for the Azul family of board games.
#[derive(Debug, Parser)]
#[command(name = "azulejo", version = VERSION.as_str(), max_term_width = 100, arg_required_else_help = true)]
#[command(
    after_help = "Example:\n  azulejo tournament --game azul --players 2 --games 400 --seed 1 random greedy"
)]
struct Cli {
    #[command(subcommand)]
    command: ProgramCommand,
}

#[derive(Debug, Subcommand)]
enum ProgramCommand {
    Games(games::GamesArgs),
    Agents(agents::AgentsArgs),
    Selfplay(selfplay::SelfplayArgs),
    Tournament(Box<tournament::TournamentArgs>),
    Balance(balance::BalanceArgs),
    Report(report::ReportArgs),
    Train(train::TrainArgs),
    Export(export::ExportArgs),
    Tune(tune::TuneArgs),
    Play(play::PlayArgs),
    Replay(replay::ReplayArgs),
    Analyze(analyze::AnalyzeArgs),
    Serve(serve::ServeArgs),
    Solve(solve::SolveArgs),
    Suite(suite::SuiteArgs),
    Engine(engine::EngineArgs),
    Bench(bench::BenchArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    #[command(hide = true)]
    RandomGames(bench::RandomGamesArgs),
    #[command(hide = true)]
    Supervise(supervise::SuperviseArgs),
}

impl ProgramCommand {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            ProgramCommand::Supervise(command) => return command.run(),
            ProgramCommand::Games(command) => command.run(),
            ProgramCommand::Agents(command) => command.run(),
            ProgramCommand::Selfplay(command) => command.run(),
            ProgramCommand::Tournament(command) => command.run(),
            ProgramCommand::Balance(command) => command.run(),
            ProgramCommand::Report(command) => command.run(),
            ProgramCommand::Train(command) => command.run(),
            ProgramCommand::Export(command) => command.run(),
            ProgramCommand::Tune(command) => command.run(),
            ProgramCommand::Play(command) => command.run(),
            ProgramCommand::Replay(command) => command.run(),
            ProgramCommand::Analyze(command) => command.run(),
            ProgramCommand::Serve(command) => command.run(),
            ProgramCommand::Solve(command) => command.run(),
            ProgramCommand::Suite(command) => command.run(),
            ProgramCommand::Engine(command) => command.run(),
            ProgramCommand::Bench(command) => command.run(),
            ProgramCommand::Completions(command) => command.run(),
            ProgramCommand::Man(command) => command.run(),
            ProgramCommand::RandomGames(command) => command.run(),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs the command that the program's arguments spell.
///
/// The exit status is 0 if it is done, also where nobody reads the output to its end, 1 if it failed, 2 if the arguments
/// are wrong and 3 if games were played but an agent forfeited all of its own; then one line on the error output says why.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    supervise::supervise_engines();
    let result = cli.command.run().and_then(|code| Ok(output().flush().map(|()| code)?));
    // Agents that were not dropped, such as one that still searches for `engine`.
    azulejo_agents::external::kill_all();
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            note(format!("error: {}", one_line(&format!("{error:#}"))));
            ExitCode::from(status(&error))
        }
    }
}

/// The exit status that says what kind of failure it was.
fn status(error: &anyhow::Error) -> u8 {
    match () {
        () if error.is::<ScheduleError>() || error.is::<SeatingError>() => 2,
        () if error.is::<AllForfeited>() => 3,
        () => 1,
    }
}

/// Shows help as it is, and a wrong argument in one line.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                note(format!("error: cannot write the output: {error}"));
                ExitCode::FAILURE
            }
            _ => ExitCode::SUCCESS,
        },
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            _ = error.print();
            ExitCode::from(2)
        }
        _ => {
            let text = error.render().to_string();
            let message = text.split("\n\nUsage:").next().unwrap_or(&text);
            let message = message.split("\n\nFor more information").next().unwrap_or(message);
            note(format!("{} (see --help)", one_line(message)));
            ExitCode::from(2)
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the reader of the output has closed it, as `head` does: no failure of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.map(io::Error::kind).any(|kind| kind == io::ErrorKind::BrokenPipe)
}
