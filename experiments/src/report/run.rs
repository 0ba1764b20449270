//! The report of a run: ratings, cross-table, scores, seats, where the points come from.

use std::fs;
use std::path::Path;

use super::chart::{Bar, Stack, bars, heat_map, histograms, stacks};
use super::{Report, Section, Table, brief, interval, number, percent};
use crate::manifest::{Command, Manifest};
use crate::measures::{GroupSummary, Mean, MeasuresSummary, Named};
use crate::stats::Bins;
use crate::summary::{AgentSummary, Summary};

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
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let wrong = |name: &str, problem: String| format!("{}: {problem}", directory.join(name).display());
        let manifest = toml::from_str(&text("manifest.toml")?)
            .map_err(|error| wrong("manifest.toml", error.message().to_owned()))?;
        let summary = serde_json::from_str(&text("summary.json")?)
            .map_err(|error| wrong("summary.json", error.to_string()))?;
        Ok(RunReport { manifest, summary })
    }

    /// Writes `report.html` and `report.md` into a run's directory.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, directory: &Path) -> std::io::Result<()> {
        let report = self.report();
        fs::write(directory.join("report.html"), report.to_html())?;
        fs::write(directory.join("report.md"), report.to_markdown())
    }

    /// The report.
    pub fn report(&self) -> Report {
        let summary = &self.summary;
        let Summary { game, players, games, .. } = summary;
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
            lead: lead(summary, *games),
            commands: vec![self.manifest.command_line()],
            sections,
        }
    }
}

fn lead(summary: &Summary, games: u64) -> Vec<String> {
    let mut lead = vec![format!(
        "{games} games ({} cut off, {} forfeited), seed {}. Intervals are 95 %.",
        summary.truncated, summary.forfeits, summary.seed
    )];
    if let Some(ratio) = summary.deals_ratio {
        let ends = interval(summary.deals_ratio_low, summary.deals_ratio_high, percent);
        lead.push(format!(
            "Games with the same deals for each rotation of the seats: the variance of results is {} ({ends}) of that of \
             games with deals of their own.",
            percent(Some(ratio))
        ));
    }
    if let Some(cycles) = &summary.cycles {
        lead.push(format!(
            "Cycles: {} of {} triples of agents are intransitive, {} of them beyond doubt.",
            cycles.intransitive, cycles.triples, cycles.certain
        ));
    }
    if let Some(test) = &summary.sprt {
        lead.push(format!(
            "Sequential test {0}0={1}, {0}1={2}: log likelihood ratio {3:.2}, bounds {4:.2} and {5:.2}.",
            test.scale, test.elo0, test.elo1, test.log_ratio, test.lower, test.upper
        ));
    }
    lead
}

/// The agents from the strongest to the weakest.
fn ranked(summary: &Summary) -> Vec<&AgentSummary> {
    let mut ranked: Vec<&AgentSummary> = summary.agents.iter().collect();
    let strength = |agent: &AgentSummary| agent.rating.or(agent.win_share).unwrap_or(f64::NEG_INFINITY);
    ranked.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    ranked
}

fn agents(summary: &Summary) -> Section {
    let header = ["agent", "rating", "95 %", "win share", "95 %", "points", "games"];
    let (mut table, mut found) = (Table::new(&header), Vec::new());
    let whole =
        |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{}", value.round() as i64));
    for agent in ranked(summary) {
        table.push([
            agent.spec.clone(),
            whole(agent.rating),
            interval(agent.rating_low, agent.rating_high, whole),
            percent(agent.win_share),
            interval(agent.win_share_low, agent.win_share_high, percent),
            number(agent.mean_score),
            agent.games.to_string(),
        ]);
        found.extend(agent.rating.map(|value| Bar {
            label: brief(&agent.spec).to_owned(),
            value,
            interval: agent.rating_low.zip(agent.rating_high),
        }));
    }
    let chart = (!found.is_empty()).then(|| bars("Ratings with intervals", "Elo points", &found, Some(0.0)));
    Section {
        heading: "Ratings".to_owned(),
        text: "Elo points: 400 are odds of 10 to 1. The mean, or the anchor, is 0.".to_owned(),
        chart,
        table,
    }
}

fn pairs(summary: &Summary) -> Section {
    let header = ["pair", "win share of the first", "95 %", "likely stronger", "points", "games"];
    let mut table = Table::new(&header);
    for pair in &summary.pairs {
        let points = [pair.a_mean_score, pair.b_mean_score].map(number);
        table.push([
            format!("{} – {}", pair.a, pair.b),
            percent(pair.a_win_share),
            interval(pair.low, pair.high, percent),
            percent(pair.superiority),
            points.join(" : "),
            pair.games.to_string(),
        ]);
    }
    let agents = ranked(summary);
    let share = |a: &AgentSummary, b: &AgentSummary| {
        let pair = |a: &AgentSummary, b: &AgentSummary| {
            summary
                .pairs
                .iter()
                .find(|pair| pair.a == a.spec && pair.b == b.spec)
                .and_then(|pair| pair.a_win_share)
        };
        // With more players a game of two agents may go to a third: then nothing is known of the other one.
        pair(a, b).or_else(|| pair(b, a).filter(|_| summary.players == 2).map(|share| 1.0 - share))
    };
    let shares: Vec<Vec<Option<f64>>> =
        agents.iter().map(|a| agents.iter().map(|b| share(a, b)).collect()).collect();
    let labels: Vec<String> = agents.iter().map(|agent| brief(&agent.spec).to_owned()).collect();
    let even = 1.0 / summary.players as f64;
    Section {
        heading: "Cross-table".to_owned(),
        text: format!(
            "Win shares of the row against the column, in percent; even is {:.0}. \"Likely stronger\" is the probability that \
             the first agent of a pair is the stronger one.",
            100.0 * even
        ),
        chart: Some(heat_map("Win shares of row against column", &labels, &shares, even)),
        table,
    }
}

fn seats(summary: &Summary) -> Section {
    let header = ["seat", "win share", "95 %", "points", "Elo", "95 %"];
    let (mut table, mut found) = (Table::new(&header), Vec::new());
    for seat in &summary.seats {
        table.push([
            seat.seat.to_string(),
            percent(seat.win_share),
            interval(seat.low, seat.high, percent),
            number(seat.mean_score),
            number(seat.elo),
            interval(seat.elo_low, seat.elo_high, number),
        ]);
        found.extend(seat.win_share.map(|share| Bar {
            label: format!("seat {}", seat.seat),
            value: 100.0 * share,
            interval: seat.low.zip(seat.high).map(|(low, high)| (100.0 * low, 100.0 * high)),
        }));
    }
    let even = 100.0 / summary.players as f64;
    Section {
        heading: "Seats".to_owned(),
        text: "Seat 0 begins. Elo: what the seat adds to the rating of who sits there.".to_owned(),
        chart: Some(bars("Win share by seat with intervals", "win share, %", &found, Some(even))),
        table,
    }
}

/// The sections about scores, their sources, and the course of games.
fn measured(summary: &Summary, measures: &MeasuresSummary) -> Vec<Section> {
    let seats: Vec<(String, &GroupSummary)> =
        measures.seats.iter().enumerate().map(|(seat, group)| (format!("seat {seat}"), group)).collect();
    let specs = summary.agents.iter().map(|agent| brief(&agent.spec).to_owned());
    let agents: Vec<(String, &GroupSummary)> = specs.zip(&measures.agents).collect();
    let mut sections = vec![advantages(&seats)];
    if agents.len() > 1 {
        sections.push(scores("Points by agent", &agents));
        sections.push(sources("Where the points come from, by agent", &agents));
    }
    sections.push(scores("Points by seat", &seats));
    sections.push(sources("Where the points come from, by seat", &seats));
    sections.push(winners(&measures.winners));
    sections.push(distribution("Rounds", "rounds", &measures.rounds));
    sections.push(distribution("Winning margins", "points ahead of the best loser", &measures.margins));
    sections.push(figures(measures));
    sections
}

fn bar(label: &str, mean: Mean) -> Option<Bar> {
    Some(Bar { label: label.to_owned(), value: mean.mean?, interval: mean.low.zip(mean.high) })
}

fn mean_cells(mean: Mean) -> [String; 2] {
    [number(mean.mean), interval(mean.low, mean.high, number)]
}

fn advantages(seats: &[(String, &GroupSummary)]) -> Section {
    let mut table = Table::new(&["seat", "points more than the others", "95 %"]);
    let mut found = Vec::new();
    for (label, group) in seats {
        let [mean, ends] = mean_cells(group.advantage);
        table.push([label.clone(), mean, ends]);
        found.extend(bar(label, group.advantage));
    }
    Section {
        heading: "Seat advantage in points".to_owned(),
        text: "A seat's points less the mean of the others'.".to_owned(),
        chart: Some(bars("Seat advantage in points", "points", &found, Some(0.0))),
        table,
    }
}

fn scores(heading: &str, groups: &[(String, &GroupSummary)]) -> Section {
    let mut table = Table::new(&["", "mean", "95 %", "median", "standard deviation"]);
    for (label, group) in groups {
        let [mean, ends] = mean_cells(group.score);
        let median = group.median.map_or("-".to_owned(), |median| median.to_string());
        table.push([label.clone(), mean, ends, median, number(group.deviation)]);
    }
    let series: Vec<(String, &Bins)> =
        groups.iter().map(|(label, group)| (label.clone(), &group.scores)).collect();
    Section {
        heading: heading.to_owned(),
        text: String::new(),
        chart: Some(histograms(heading, "points at the end", &series)),
        table,
    }
}

fn sources(heading: &str, groups: &[(String, &GroupSummary)]) -> Section {
    let used = |place: usize| {
        groups.iter().any(|(_, group)| group.sources[place].mean.mean.is_some_and(|mean| mean.abs() >= 0.005))
    };
    let all = groups.first().map_or(0, |(_, group)| group.sources.len());
    let places: Vec<usize> = (0..all).filter(|&place| used(place)).collect();
    let mut header = vec!["source"];
    header.extend(groups.iter().map(|(label, _)| label.as_str()));
    let mut table = Table::new(&header);
    for &place in &places {
        let name = groups[0].1.sources[place].name.clone();
        table.push(
            [name].into_iter().chain(groups.iter().map(|(_, group)| number(group.sources[place].mean.mean))),
        );
    }
    let parts: Vec<String> = places.iter().map(|&place| groups[0].1.sources[place].name.clone()).collect();
    let rows: Vec<Stack> = groups
        .iter()
        .map(|(label, group)| Stack {
            label: label.clone(),
            parts: places.iter().map(|&place| group.sources[place].mean.mean.unwrap_or(0.0)).collect(),
        })
        .collect();
    Section {
        heading: heading.to_owned(),
        text: "Mean points of each source; what takes points extends to the left.".to_owned(),
        chart: Some(stacks(heading, "points", &parts, &rows)),
        table,
    }
}

fn winners(sources: &[Named]) -> Section {
    let mut table = Table::new(&["source", "winner's points less the others'", "95 %"]);
    let mut found = Vec::new();
    for Named { name, mean } in
        sources.iter().filter(|it| it.mean.mean.is_some_and(|mean| mean.abs() >= 0.005))
    {
        let [value, ends] = mean_cells(*mean);
        table.push([name.clone(), value, ends]);
        found.extend(bar(name, *mean));
    }
    Section {
        heading: "What wins".to_owned(),
        text: "Where winners get more points than the others at their table.".to_owned(),
        chart: Some(bars("Winner's points less the others' by source", "points", &found, Some(0.0))),
        table,
    }
}

fn distribution(heading: &str, unit: &str, bins: &Bins) -> Section {
    let all = bins.counts.iter().sum::<u64>().max(1) as f64;
    let mut table = Table::new(&[unit, "games", "share"]);
    for (bin, &count) in bins.counts.iter().enumerate() {
        let first = bins.from + bin as i32 * bins.width;
        let last = first + bins.width - 1;
        let label = if first == last { first.to_string() } else { format!("{first} to {last}") };
        table.push([label, count.to_string(), percent(Some(count as f64 / all))]);
    }
    Section {
        heading: heading.to_owned(),
        text: String::new(),
        chart: Some(histograms(heading, unit, &[("games".to_owned(), bins)])),
        table,
    }
}

fn figures(measures: &MeasuresSummary) -> Section {
    let mut table = Table::new(&["a game's mean", "", "95 %"]);
    for Named { name, mean } in &measures.figures {
        let share = ["winner was behind", "close end", "shared win"].contains(&name.as_str());
        let show = if share { percent } else { number };
        table.push([name.clone(), show(mean.mean), interval(mean.low, mean.high, show)]);
    }
    Section {
        heading: "How games go".to_owned(),
        text: "Lead changes and deficits are counted at the ends of rounds. An end is close if the winner is at most 5 points \
               ahead."
            .to_owned(),
        chart: None,
        table,
    }
}

/// A report that sets several runs side by side.
pub fn compare(runs: &[(String, RunReport)]) -> Report {
    let header = [
        "run",
        "game",
        "players",
        "games",
        "first seat's win share",
        "95 %",
        "its lead",
        "95 %",
        "points",
        "rounds",
        "close",
    ];
    let (mut table, mut found) = (Table::new(&header), Vec::new());
    for (name, RunReport { summary, .. }) in runs {
        let Some(seat) = summary.seats.first() else { continue };
        let measures = summary.measures.as_ref();
        let first = measures.and_then(|measures| measures.seats.first());
        let lead = first.map_or(Mean::default(), |group| group.advantage);
        let points: Vec<f64> = summary.seats.iter().filter_map(|seat| seat.mean_score).collect();
        let mean = (!points.is_empty()).then(|| points.iter().sum::<f64>() / points.len() as f64);
        let [value, ends] = mean_cells(lead);
        table.push([
            name.clone(),
            summary.game.clone(),
            summary.players.to_string(),
            summary.games.to_string(),
            percent(seat.win_share),
            interval(seat.low, seat.high, percent),
            value,
            ends,
            number(mean),
            number(summary.rounds),
            percent(measures.and_then(|measures| measures.figure("close end").mean)),
        ]);
        found.extend(bar(name, lead));
    }
    let chart = (!found.is_empty()).then(|| bars("First seat's lead", "points", &found, Some(0.0)));
    let mut sections = vec![Section {
        heading: "First seat".to_owned(),
        text: "The first seat's points less the mean of the others'.".to_owned(),
        chart,
        table,
    }];
    sections.push(compared_agents(runs));
    let commands = runs.iter().map(|(_, run)| run.manifest.command_line()).collect();
    Report { title: "Runs compared".to_owned(), lead: Vec::new(), commands, sections }
}

/// The agents' win shares in all runs.
fn compared_agents(runs: &[(String, RunReport)]) -> Section {
    let mut table = Table::new(&["agent", "run", "win share", "95 %", "points", "rating"]);
    for (name, RunReport { summary, .. }) in runs {
        for agent in ranked(summary) {
            table.push([
                agent.spec.clone(),
                name.clone(),
                percent(agent.win_share),
                interval(agent.win_share_low, agent.win_share_high, percent),
                number(agent.mean_score),
                number(agent.rating),
            ]);
        }
    }
    table.rows.sort();
    Section {
        heading: "Agents".to_owned(),
        text: "Ratings are comparable within a run.".to_owned(),
        chart: None,
        table,
    }
}

impl Manifest {
    /// The number behind `--games`: for a tournament that of each pairing.
    fn games_asked(&self) -> u64 {
        let (agents, players) = (self.agents.len() as u64, self.players as u64);
        let choose = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
        let lineups = match self.command {
            Command::Selfplay => 1,
            Command::Tournament if self.settings.gauntlet.is_some() || self.settings.sprt.is_some() => {
                agents - 1
            }
            Command::Tournament if agents >= players => choose(agents, players),
            // Mixtures in which each agent sits at least once.
            Command::Tournament => choose(players - 1, agents - 1),
        };
        self.settings.games / lineups.max(1)
    }

    /// The command that plays the run again.
    pub fn command_line(&self) -> String {
        let settings = &self.settings;
        let mut words = vec!["azulejo".to_owned(), self.command.to_string()];
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        option("game", self.game.clone());
        option("players", self.players.to_string());
        option("games", self.games_asked().to_string());
        option("seed", self.seed.to_string());
        let given =
            [("gauntlet", &settings.gauntlet), ("anchor", &settings.anchor), ("sprt", &settings.sprt)];
        // A test seats the first agent against the second without being told.
        for (name, value) in
            given.into_iter().filter(|(name, _)| *name != "gauntlet" || settings.sprt.is_none())
        {
            value.iter().for_each(|value| option(name, value.clone()));
        }
        if settings.move_limit != azulejo::record::MOVE_LIMIT {
            option("move-limit", settings.move_limit.to_string());
        }
        let flags = [
            (settings.rotate && self.command == Command::Selfplay, "--rotate"),
            (settings.compress, "--compress"),
            (settings.analysis, "--analysis"),
        ];
        words.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag.to_owned()));
        words.extend(self.agents.iter().cloned());
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=:,./".contains(letter);
    if word.chars().all(plain) && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Pairing, Plan};
    use crate::record_file::Encoding;

    fn line(players: usize, agents: &[&str], gauntlet: Option<&str>) -> String {
        let agents: Vec<azulejo_agents::AgentSpec> =
            agents.iter().map(|agent| agent.parse().unwrap()).collect();
        let gauntlet = gauntlet.map(|agent| agent.parse().unwrap());
        let pairing = gauntlet.as_ref().map_or(Pairing::All, Pairing::Gauntlet);
        let table = ("azul", players);
        let plan = Plan::tournament(table, &agents, 12, 7, pairing).unwrap();
        Manifest::new(Command::Tournament, &plan, Encoding::Plain, gauntlet.as_ref(), None).command_line()
    }

    #[test]
    fn the_command_asks_for_as_many_games_as_before() {
        for (players, agents, gauntlet) in [
            (2, &["random", "greedy"][..], None),
            (2, &["random", "greedy", "mcts", "minimax"], None),
            (3, &["random", "greedy", "mcts", "minimax"], None),
            (4, &["random", "greedy", "mcts"], None),
            (4, &["random", "greedy"], None),
            (3, &["random", "greedy", "mcts"], Some("greedy")),
        ] {
            let line = line(players, agents, gauntlet);
            assert!(line.contains("--games 12 --seed 7"), "{line}");
            assert!(line.ends_with(&agents.join(" ")), "{line}");
            assert_eq!(line.contains("--gauntlet greedy"), gauntlet.is_some());
        }
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("greedy:weights=a/b.toml"), "greedy:weights=a/b.toml");
        assert_eq!(quoted("exec:cmd=it's x"), "'exec:cmd=it'\\''s x'");
    }
}
