//! `azulejo report`

use std::path::{Path, PathBuf};

use anyhow::{Context, Error};
use azulejo_experiments::balance::BalanceFindings;
use azulejo_experiments::report::{RunReport, compare};
use azulejo_experiments::train::TrainReport;
use clap::Args;

/// Write the report of a run again, or set several runs side by side
///
/// Runs of selfplay, tournament, balance and train write report.html and report.md themselves. With several
/// directories of selfplay and tournament a report that compares them is written into --out.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo report results/tournament/mine
  azulejo report --out results/compared results/selfplay/one results/selfplay/other")]
pub(super) struct ReportArgs {
    /// The directories of finished or interrupted runs
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// The directory for the comparison of several runs
    #[arg(long, value_name = "DIR", default_value = "results/compared")]
    out: PathBuf,
}

impl ReportArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut runs = Vec::new();
        for directory in &self.directories {
            let run = write(directory)?;
            println!("{}", directory.join("report.html").display());
            let name = directory.file_name().unwrap_or(directory.as_os_str());
            runs.extend(run.map(|run| (name.to_string_lossy().into_owned(), run)));
        }
        if runs.len() > 1 {
            let (report, out) = (compare(&runs), &self.out);
            let written = std::fs::create_dir_all(out)
                .and_then(|()| std::fs::write(out.join("report.html"), report.to_html()))
                .and_then(|()| std::fs::write(out.join("report.md"), report.to_markdown()));
            written.with_context(|| out.display().to_string())?;
            println!("{}", out.join("report.html").display());
        }
        Ok(())
    }
}

/// Writes the report of a directory again; returns the run if games between agents were played there.
fn write(directory: &Path) -> anyhow::Result<Option<RunReport>> {
    let place = || directory.display().to_string();
    let has = |name: &str| directory.join(name).exists();
    if has("train.toml") {
        TrainReport::read(directory).map_err(Error::msg)?.write(directory).with_context(place)?;
    } else if has("summary.json") && !has("manifest.toml") {
        BalanceFindings::read(directory).map_err(Error::msg)?.write(directory).with_context(place)?;
    } else {
        let run = RunReport::read(directory).map_err(Error::msg)?;
        run.write(directory).with_context(place)?;
        return Ok(Some(run));
    }
    Ok(None)
}
