//! The report of a run: ratings, cross-table, scores, seats, where the points come from.

use std::path::Path;

use azulejo_agents::AgentSpec;
use azulejo_agents::bounded_file::read_text;

use super::answer::answer;
use super::cells::{interval, percent, value};
use super::chart::{Bar, bars, heat_map};
use super::measured::measured;
use super::{Report, Section, brief, tables, unrepeated};
use crate::agent_knowledge::AgentKnowledge;
use crate::manifest::Manifest;
use crate::summary::check::MAX_SUMMARY;
use crate::summary::{AgentSummary, SeatSummary, Summary};

/// What a finished run has left in its directory.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// What was played.
    pub manifest: Manifest,
    /// What came out.
    pub summary: Summary,
}

impl RunReport {
    /// Reads a run's directory.
    ///
    /// # Errors
    /// One line that names the file that is missing or cannot be read.
    pub fn read(directory: &Path) -> Result<Self, String> {
        let text = |name: &str| {
            let path = directory.join(name);
            read_text(&path, MAX_SUMMARY).map_err(|error| format!("{}: {error}", path.display()))
        };
        let wrong = |name: &str, problem: String| format!("{}: {problem}", directory.join(name).display());
        let manifest =
            Manifest::read(&text("manifest.toml")?).map_err(|problem| wrong("manifest.toml", problem))?;
        let summary =
            Summary::read(&text("summary.json")?).map_err(|problem| wrong("summary.json", problem))?;
        Ok(RunReport { manifest, summary })
    }

    /// Writes `report.html` and `report.md` into a run's directory.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, directory: &Path) -> std::io::Result<()> {
        self.report().write(directory)
    }

    /// The report.
    pub fn report(&self) -> Report {
        let summary = &self.summary;
        let Summary { game, players, .. } = summary;
        let mut sections = Vec::new();
        if summary.agents.len() > 1 {
            sections.push(agents(summary));
            sections.push(pairs(summary));
        }
        sections.push(seats(summary));
        if let Some(measures) = &summary.measures {
            sections.extend(measured(summary, measures));
        }
        Report {
            title: format!("{}: {game}, {players} players", self.manifest.command),
            lead: answer(summary),
            unrepeated: unrepeated(summary.agents.iter().map(|agent| agent.spec.as_str())),
            sections,
            notes: notes(summary),
            commands: vec![self.manifest.command_line()],
            ..Report::default()
        }
    }
}

/// How the games were played, and what is told of the measurement itself.
fn notes(summary: &Summary) -> Vec<String> {
    let mut notes = vec![format!(
        "{} games ({} cut off, {} forfeited), seed {}. Intervals are 95 %.",
        summary.games, summary.truncated, summary.forfeits, summary.seed
    )];
    let forfeiting = summary.agents.iter().filter(|agent| agent.forfeits > 0);
    notes.extend(
        forfeiting.map(|agent| {
            format!("{} forfeited {} of its {} games.", agent.spec, agent.forfeits, agent.games)
        }),
    );
    if summary.deals_ratio.is_some() {
        notes.push(format!(
            "Games with the same deals for each rotation of the seats: the variance of results is {} {} of that of \
             games with deals of their own.",
            value(summary.deals_ratio, percent),
            interval(summary.deals_ratio, percent)
        ));
    }
    if let Some(cycles) = &summary.cycles {
        notes.push(format!(
            "Cycles: {} of {} triples of agents are intransitive, {} of them beyond doubt.",
            cycles.intransitive, cycles.triples, cycles.certain
        ));
    }
    if let Some(test) = &summary.sprt {
        notes.push(format!(
            "Sequential test {0}0={1}, {0}1={2}: log likelihood ratio {3:.2}, bounds {4:.2} and {5:.2}.",
            test.scale, test.elo0, test.elo1, test.log_ratio, test.lower, test.upper
        ));
    }
    notes.extend(blind_spots(summary));
    notes
}

/// What the agents do not see of changed rules.
fn blind_spots(summary: &Summary) -> Vec<String> {
    let Ok(game) = summary.game.parse() else { return Vec::new() };
    let agents: Vec<AgentSpec> = summary.agents.iter().filter_map(|agent| agent.spec.parse().ok()).collect();
    let warnings = AgentKnowledge::of(game, &agents).into_iter().filter_map(|it| it.warning());
    warnings.map(|warning| format!("Mind that {warning}.")).collect()
}

fn agents(summary: &Summary) -> Section {
    let bar = |agent: &&AgentSummary| {
        agent.rating.map(|estimate| Bar { label: brief(agent.label()).to_owned(), estimate })
    };
    let found: Vec<Bar> = summary.ranked().iter().filter_map(bar).collect();
    let chart = (!found.is_empty()).then(|| bars("Ratings with intervals", "Elo points", &found, Some(0.0)));
    Section {
        heading: "Ratings".to_owned(),
        text: format!(
            "An even share of the win is {}. Ratings are Elo points: 400 are odds of 10 to 1. The mean, or the anchor, is 0.",
            percent(Some(1.0 / summary.players as f64))
        ),
        chart,
        table: tables::agents(summary),
    }
}

fn pairs(summary: &Summary) -> Section {
    let agents = summary.ranked();
    let row = |a: &&AgentSummary| agents.iter().map(|b| summary.share_between(a, b)).collect();
    let shares: Vec<Vec<Option<f64>>> = agents.iter().map(row).collect();
    let labels: Vec<String> = agents.iter().map(|agent| brief(agent.label()).to_owned()).collect();
    let even = 1.0 / summary.players as f64;
    Section {
        heading: "Cross-table".to_owned(),
        text: format!(
            "Win shares of the row against the column; even is {}. \"a is stronger\" is the probability of that.",
            percent(Some(even))
        ),
        chart: Some(heat_map("Win shares of row against column", &labels, &shares, even)),
        table: tables::pairs(summary),
    }
}

fn seats(summary: &Summary) -> Section {
    let bar = |seat: &SeatSummary| {
        let share = seat.win_share.filter(|share| share.interval.is_some())?;
        Some(Bar { label: format!("seat {}", seat.seat), estimate: share.scaled(100.0) })
    };
    let found: Vec<Bar> = summary.seats.iter().filter_map(bar).collect();
    let even = 100.0 / summary.players as f64;
    Section {
        heading: "Seats".to_owned(),
        text: "Seat 0 begins. Elo: what the seat adds to the rating of who sits there.".to_owned(),
        chart: Some(bars("Win share by seat with intervals", "win share, %", &found, Some(even))),
        table: tables::seats(&summary.seats),
    }
}
