//! The report of a training run: strength, losses, games.

use std::fs;
use std::path::Path;

use super::{Metrics, TrainConfig};
use crate::report::chart::{Line, Point, lines};
use crate::report::{Report, Section, Table, interval, number, percent};

/// What a training run has left in its directory.
#[derive(Clone, Debug)]
pub struct TrainReport {
    /// What was to be done.
    pub config: TrainConfig,
    /// What came out, stage by stage.
    pub metrics: Metrics,
}

impl TrainReport {
    /// Reads `train.toml` and `metrics.csv` in a run's directory.
    ///
    /// # Errors
    /// One line that names the file that is missing or cannot be read.
    pub fn read(directory: &Path) -> Result<Self, String> {
        let wrong = |name: &str, problem: String| format!("{}: {problem}", directory.join(name).display());
        let text = fs::read_to_string(directory.join("train.toml"))
            .map_err(|error| wrong("train.toml", error.to_string()))?;
        let config = TrainConfig::read(&text).map_err(|problem| wrong("train.toml", problem))?;
        let metrics =
            Metrics::read(&directory.join("metrics.csv")).map_err(|problem| wrong("metrics.csv", problem))?;
        Ok(TrainReport { config, metrics })
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
        let tables = self.config.tables.iter().map(|table| format!("{} {}", table.game, table.players));
        let mut sections = vec![self.games()];
        if !self.metrics.opponents().is_empty() {
            sections.insert(0, self.strength());
        }
        let heads = [
            ("policy", "Cross-entropy of the searches' policy and the network's, in nats."),
            ("wins", "Cross-entropy of the shares of the win and the network's, in nats."),
            ("scores", "Squared error of the points still to come, in units of 30 points."),
        ];
        sections.extend(heads.map(|(head, text)| self.loss(head, text)));
        Report {
            title: format!("train: {}", tables.collect::<Vec<_>>().join(", ")),
            lead: self.lead(),
            commands: vec!["azulejo train --config train.toml --out again".to_owned()],
            sections,
        }
    }

    fn lead(&self) -> Vec<String> {
        let last = |name: &str| whole(self.metrics.column(name).last().copied().flatten());
        let config = &self.config;
        let mut lead = vec![format!(
            "Generation {} of {}: {} games, {} positions, {} steps of {}; a network of width {} with {} blocks; seed {}.",
            last("generation"),
            config.generations,
            last("games"),
            last("positions"),
            last("steps"),
            config.learning.batch,
            config.network.width,
            config.network.blocks,
            config.seed,
        )];
        if let Some(teacher) = &config.teacher {
            lead.push(format!("Generation 0 imitates {}.", teacher.agent));
        }
        lead
    }

    /// A line of a chart over generations.
    fn line(&self, label: &str, values: &[Option<f64>], ends: Option<[&[Option<f64>]; 2]>) -> Line {
        let generations = self.metrics.column("generation");
        let places = (0..values.len()).filter_map(|place| {
            let interval = ends.and_then(|[low, high]| low[place].zip(high[place]));
            Some(Point { at: generations[place]?, value: values[place]?, interval })
        });
        Line { label: label.to_owned(), points: places.collect() }
    }

    fn strength(&self) -> Section {
        let generations = self.metrics.column("generation");
        let mut table = Table::new(&["generation", "opponent", "win share", "95 %", "points"]);
        let mut found = Vec::new();
        for opponent in self.metrics.opponents() {
            let [share, low, high, own, other] = self.metrics.against(opponent);
            for place in (0..share.len()).filter(|&place| share[place].is_some()) {
                table.push([
                    whole(generations[place]),
                    opponent.to_owned(),
                    percent(share[place]),
                    interval(low[place], high[place], percent),
                    [own[place], other[place]].map(number).join(" : "),
                ]);
            }
            let shares = [share, low, high].map(|shares| -> Vec<Option<f64>> {
                shares.into_iter().map(|share| share.map(|share| 100.0 * share)).collect()
            });
            found.push(self.line(opponent, &shares[0], Some([&shares[1], &shares[2]])));
        }
        let players = self.config.tables.first().map_or(2, |table| table.players);
        Section {
            heading: "Strength".to_owned(),
            text: format!(
                "Win share against each opponent with 95 % intervals, always on the same deals, {} games a time; even is {:.0} %.",
                self.config.evaluation.as_ref().map_or(0, |evaluation| evaluation.games),
                100.0 / players as f64
            ),
            chart: Some(lines(
                "Win share against each opponent",
                ("generation", "win share, %"),
                &found,
                Some(100.0 / players as f64),
            )),
            table,
        }
    }

    fn loss(&self, head: &str, text: &str) -> Section {
        let steps = self.metrics.column("steps");
        let losses = ["loss", "unseen"].map(|which| self.metrics.column(&format!("{head}_{which}")));
        let mut table = Table::new(&["generation", "steps", "mean loss", "on unseen games"]);
        for (place, generation) in self.metrics.column("generation").into_iter().enumerate() {
            let [learned, unseen] = losses
                .each_ref()
                .map(|losses| losses[place].map_or("-".to_owned(), |loss| format!("{loss:.4}")));
            table.push([whole(generation), whole(steps[place]), learned, unseen]);
        }
        let heading = format!("Loss: {head}");
        let labels = ["games learned from", "unseen games"];
        let found = labels.iter().zip(&losses).map(|(label, losses)| self.line(label, losses, None));
        let found: Vec<Line> = found.filter(|line| !line.points.is_empty()).collect();
        Section {
            chart: Some(lines(&heading, ("generation", "loss"), &found, None)),
            heading,
            text: text.to_owned(),
            table,
        }
    }

    fn games(&self) -> Section {
        let names = ["generation", "games", "positions", "steps", "plies", "learning_rate"];
        let columns = names.map(|name| self.metrics.column(name));
        let mut table = Table::new(&["generation", "games", "positions", "steps", "moves", "learning rate"]);
        let rows = (0..columns[0].len()).map(|place| columns.each_ref().map(|column| column[place]));
        for [generation, games, positions, steps, moves, rate] in rows {
            let rate = rate.map_or("-".to_owned(), |rate| format!("{rate:.2e}"));
            let counts = [generation, games, positions, steps].map(whole);
            table.push(counts.into_iter().chain([number(moves), rate]));
        }
        let line = self.line("moves", &columns[4], None);
        Section {
            heading: "Games".to_owned(),
            text: "The mean number of moves of the games played by each network, and what there was so far to learn from."
                .to_owned(),
            chart: Some(lines("Moves a game", ("generation", "moves a game"), &[line], None)),
            table,
        }
    }
}

fn whole(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.0}"))
}
