//! `azulejo report`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error};
use azulejo_experiments::balance::{BalanceFindings, FamilyPage};
use azulejo_experiments::output_file::{OutputError, OutputFile};
use azulejo_experiments::report::{FILES, RunReport, compare};
use azulejo_experiments::train::TrainReport;
use clap::Args;

use super::directory::OutputDirectory;
use super::options::existing;
use crate::output::output;

/// Write the report of a run again, or set several runs side by side
///
/// Runs of selfplay, tournament, balance and train write report.html and report.md themselves. With several
/// directories of selfplay and tournament a report that compares them is written into --out.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  azulejo report results/tournament/mine
  azulejo report --family my-games results/balance/one results/balance/other
  azulejo report --out results/compared results/selfplay/one results/selfplay/other")]
pub(super) struct ReportArgs {
    /// The directories of finished or interrupted runs
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// The directory for the comparison of several runs, in which there must be no report
    /// [default: results/compared/<time>]
    #[arg(long, value_name = "DIR", group = "place")]
    out: Option<PathBuf>,
    /// Write one page of several studies of balance, PATH.md and PATH.html, and nothing else
    #[arg(long, value_name = "PATH", group = "place")]
    family: Option<PathBuf>,
    /// Replace a report in --out, unless it is that of one of the runs, or the page of --family
    #[arg(long, requires = "place")]
    force: bool,
}

impl ReportArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.family {
            return self.write_family(path);
        }
        let several = self.directories.len() > 1;
        let place =
            several.then(|| OutputDirectory::named_or_new(self.out.as_deref(), "compared")).transpose()?;
        if let Some(place) = &place {
            self.check_place(place.path())?;
        }
        let mut runs = Vec::new();
        for directory in &self.directories {
            let run = write(directory)?;
            writeln!(output(), "{}", directory.join("report.html").display())?;
            let name = directory.file_name().unwrap_or(directory.as_os_str());
            runs.extend(run.map(|run| (name.to_string_lossy().into_owned(), run)));
        }
        if let Some(out) = place.as_ref().map(OutputDirectory::path).filter(|_| runs.len() > 1) {
            std::fs::create_dir_all(out)
                .and_then(|()| compare(&runs).write(out))
                .with_context(|| out.display().to_string())?;
            writeln!(output(), "{}", out.join("report.html").display())?;
        }
        Ok(())
    }

    /// Writes the page of several studies.
    fn write_family(&self, path: &Path) -> anyhow::Result<()> {
        let page = FamilyPage::read(&self.directories).map_err(Error::msg)?;
        for file in FamilyPage::files(path) {
            let inputs = self.directories.iter().map(|directory| directory.join("summary.json"));
            OutputFile::new(&file, existing(self.force), inputs)?;
        }
        page.write(path).with_context(|| path.display().to_string())?;
        for file in FamilyPage::files(path) {
            writeln!(output(), "{}", file.display())?;
        }
        Ok(())
    }

    /// Checks that a comparison in this directory takes no other report's place.
    fn check_place(&self, out: &Path) -> Result<(), OutputError> {
        for name in FILES {
            let inputs = self.directories.iter().map(|directory| directory.join(name));
            OutputFile::new(&out.join(name), existing(self.force), inputs)?;
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
