//! The report that sets several runs side by side.

use super::cells::{number, percent, value, whole, with_interval};
use super::chart::{Bar, bars};
use super::{Report, RunReport, Section, Table, split_change, unrepeated};
use crate::stats::Estimate;
use crate::summary::{AgentSummary, Summary};

/// A report that sets several runs side by side, each with the name of its directory; a run with changed rules is
/// called by its change.
pub fn compare(runs: &[(String, RunReport)]) -> Report {
    let commands = runs.iter().map(|(_, run)| run.manifest.command_line()).collect();
    let runs: Vec<(String, RunReport)> =
        names(runs).into_iter().zip(runs.iter().map(|(_, run)| run.clone())).collect();
    let sections = vec![first_seats(&runs), agents(&runs)];
    let specs = runs.iter().flat_map(|(_, run)| &run.summary.agents).map(|agent| agent.spec.as_str());
    let (title, unrepeated) = ("Runs compared".to_owned(), unrepeated(specs));
    let notes = vec!["Intervals are 95 %.".to_owned()];
    Report { title, lead: answer(&runs), sections, notes, commands, unrepeated, ..Report::default() }
}

/// What tells the runs apart.
fn names(runs: &[(String, RunReport)]) -> Vec<String> {
    let changes: Vec<Option<String>> =
        runs.iter().map(|(_, run)| split_change(&run.summary.game).1).collect();
    let name = |((directory, _), change): (&(String, RunReport), &Option<String>)| match change {
        None => directory.clone(),
        Some(known) if changes.iter().filter(|change| *change == &Some(known.clone())).count() == 1 => {
            known.clone()
        }
        Some(known) => format!("{known} ({directory})"),
    };
    runs.iter().zip(&changes).map(name).collect()
}

/// Where going first brings most and where it brings least.
fn answer(runs: &[(String, RunReport)]) -> Vec<String> {
    let leads = runs.iter().filter_map(|(name, run)| Some((name, lead(&(name, &run.summary))?)));
    let mut leads: Vec<(&String, Estimate)> = leads.collect();
    leads.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let [(most, high), .., (least, low)] = &leads[..] else { return Vec::new() };
    let points = |it: Estimate| format!("{} points", with_interval(Some(it), number));
    let apart = high.low().zip(low.high()).is_some_and(|(high, low)| high > low);
    let certainty = if apart {
        "The intervals do not meet."
    } else {
        "The intervals meet: which of the two is larger is open."
    };
    vec![format!(
        "Seat 0 is ahead by most in {most}, {}, and by least in {least}, {}. {certainty}",
        points(*high),
        points(*low)
    )]
}

/// A run by its name.
type NamedRun<'a> = (&'a str, &'a Summary);

/// The first seat's points less the mean of the others'.
fn lead((_, summary): &NamedRun<'_>) -> Option<Estimate> {
    summary.measures.as_ref()?.seats.first()?.advantage
}

/// The mean points of all seats.
fn mean_points(summary: &Summary) -> Option<f64> {
    let points: Vec<f64> = summary.seats.iter().filter_map(|seat| seat.mean_score).collect();
    (!points.is_empty()).then(|| points.iter().sum::<f64>() / points.len() as f64)
}

/// The advantage of the first seat in all runs.
fn first_seats(runs: &[(String, RunReport)]) -> Section {
    let named = runs.iter().map(|(name, run)| (name.as_str(), &run.summary));
    let named: Vec<NamedRun<'_>> = named.filter(|(_, summary)| !summary.seats.is_empty()).collect();
    let close = |summary: &Summary| summary.measures.as_ref()?.figure("close end");
    let table = Table::of(&named)
        .text("run", |(name, _)| (*name).to_owned())
        .text("game", |(_, summary)| split_change(&summary.game).0.to_owned())
        .number("players", |(_, summary)| summary.players.to_string())
        .number("games", |(_, summary)| summary.games.to_string())
        .estimate("first seat's win share", percent, |(_, summary)| summary.seats[0].win_share)
        .estimate("its lead", number, lead)
        .number("points", |(_, summary)| number(mean_points(summary)))
        .number("rounds", |(_, summary)| number(summary.rounds))
        .number("close", |(_, summary)| value(close(summary), percent));
    let bar = |run: &NamedRun<'_>| Some(Bar { label: run.0.to_owned(), estimate: lead(run)? });
    let found: Vec<Bar> = named.iter().filter_map(bar).collect();
    Section {
        heading: "First seat".to_owned(),
        text: "The first seat's points less the mean of the others'.".to_owned(),
        chart: (!found.is_empty()).then(|| bars("First seat's lead", "points", &found, Some(0.0))),
        table: table.build(),
    }
}

/// The agents' win shares in all runs.
fn agents(runs: &[(String, RunReport)]) -> Section {
    let of_run = |(name, run): &(String, RunReport)| -> Vec<(AgentSummary, String)> {
        run.summary.agents.iter().map(|agent| (agent.clone(), name.clone())).collect()
    };
    let mut agents: Vec<(AgentSummary, String)> = runs.iter().flat_map(of_run).collect();
    agents.sort_by(|(a, run_a), (b, run_b)| (&a.spec, run_a).cmp(&(&b.spec, run_b)));
    let table = Table::of(&agents)
        .text("agent", |(agent, _)| agent.label().to_owned())
        .text("run", |(_, run)| run.clone())
        .estimate("win share", percent, |(agent, _)| agent.win_share)
        .number("points", |(agent, _)| number(agent.mean_score))
        .number("rating", |(agent, _)| value(agent.rating, whole));
    Section {
        heading: "Agents".to_owned(),
        text: "Ratings are comparable within a run.".to_owned(),
        chart: None,
        table: table.build(),
    }
}
