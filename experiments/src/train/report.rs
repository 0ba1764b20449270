//! The report of a training run: strength, losses, games.

use std::path::Path;

use azulejo_agents::bounded_file::read_text;

use super::diagnosis::diagnose;
use super::{Metrics, TrainConfig};
use crate::report::cells::{number, percent, whole, with_interval};
use crate::report::chart::{ChartLine, ChartPoint, lines};
use crate::report::{Report, Section, Table, unrepeated};
use crate::stats::Estimate;
use crate::summary::check::MAX_SUMMARY;

/// What is said where a measurement has games that were not played to their end.
const FORFEITED: &str = " Some games were forfeited, by the network : by the opponent; where most of them were, nothing was measured.";

/// What a training run has left in its directory.
#[derive(Clone, Debug)]
pub struct TrainReport {
    /// What was to be done.
    pub config: TrainConfig,
    /// What came out, stage by stage.
    pub(crate) metrics: Metrics,
}

impl TrainReport {
    /// Reads `train.toml` and `metrics.csv` in a run's directory.
    ///
    /// # Errors
    /// One line that names the file that is missing or cannot be read.
    pub fn read(directory: &Path) -> Result<Self, String> {
        let place = |name: &str| directory.join(name).display().to_string();
        let text = |name: &str| {
            let text = read_text(&directory.join(name), MAX_SUMMARY);
            text.map_err(|error| format!("{}: {error}", place(name)))
        };
        Self::parse(&text("train.toml")?, &text("metrics.csv")?)
            .map_err(|(name, problem)| format!("{}: {problem}", place(name)))
    }

    /// Reads the texts of a run's `train.toml` and `metrics.csv`.
    ///
    /// # Errors
    /// The name of the file that cannot be used, and what is wrong with it.
    pub fn parse(config: &str, metrics: &str) -> Result<Self, (&'static str, String)> {
        let config = TrainConfig::read(config).map_err(|problem| ("train.toml", problem))?;
        let metrics = Metrics::parse(metrics).map_err(|problem| ("metrics.csv", problem))?;
        Ok(TrainReport { config, metrics })
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
        let samples = " While learning: the mean over the steps. The others: the network at the end, on as many games that \
                       were learned from as were held out, drawn at random, ± half a 95 % interval over games.";
        sections.extend(heads.map(|(head, text)| self.loss(head, &format!("{text}{samples}"))));
        Report {
            title: format!("train: {}", tables.collect::<Vec<_>>().join(", ")),
            lead: self.lead(),
            notes: self.notes(),
            commands: vec!["azulejo train --config train.toml --out again".to_owned()],
            unrepeated: self.unrepeated(),
            sections,
            ..Report::default()
        }
    }

    /// What looks wrong in the run, and what to change; empty if nothing does.
    pub fn diagnosis(&self) -> Vec<String> {
        diagnose(&self.config, &self.metrics)
    }

    /// The agents that think for a time or are other programs: the teacher, the network that is measured, its opponents.
    fn unrepeated(&self) -> Vec<String> {
        let player = self.config.player("net.safetensors").ok().flatten().map(|player| player.to_string());
        let teacher = self.config.teacher.iter().map(|teacher| teacher.agent.as_str());
        let opponents = self.config.evaluation.iter().flat_map(|evaluation| &evaluation.opponents);
        unrepeated(teacher.chain(opponents.map(String::as_str)).chain(player.as_deref()))
    }

    /// How strong the network is, by the last games against each opponent.
    fn lead(&self) -> Vec<String> {
        let generations = self.metrics.column("generation");
        let players = self.config.tables.first().map_or(2, |table| table.players);
        let measured = |opponent: &&str| {
            let shares = self.metrics.shares_against(opponent);
            let (place, share) = shares.iter().enumerate().rev().find(|(_, share)| share.is_some())?;
            Some(format!(
                "After generation {} the network wins {} against {opponent}; even is {}.",
                whole(generations[place]),
                with_interval(*share, percent),
                percent(Some(1.0 / players as f64)),
            ))
        };
        let lead: Vec<String> = self.metrics.opponents().iter().filter_map(measured).collect();
        let mut lead =
            if lead.is_empty() { vec!["The network's strength was not measured.".to_owned()] } else { lead };
        lead.extend(self.diagnosis().into_iter().map(|found| format!("Looks wrong: {found}.")));
        lead
    }

    /// What the run did.
    fn notes(&self) -> Vec<String> {
        let last = |name: &str| whole(self.metrics.column(name).last().copied().flatten());
        let config = &self.config;
        let mut notes = vec![format!(
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
            notes.push(format!("Generation 0 imitates {}.", teacher.agent));
        }
        notes
    }

    /// A line of a chart over generations.
    fn line(&self, label: &str, values: impl IntoIterator<Item = Option<Estimate>>) -> ChartLine {
        let generations = self.metrics.column("generation");
        let point = |(at, estimate): (Option<f64>, _)| Some(ChartPoint { at: at?, estimate: estimate? });
        ChartLine {
            label: label.to_owned(),
            points: generations.into_iter().zip(values).filter_map(point).collect(),
        }
    }

    fn strength(&self) -> Section {
        let generations = self.metrics.column("generation");
        let (mut measured, mut found, mut is_forfeited) = (Vec::new(), Vec::new(), false);
        for opponent in self.metrics.opponents() {
            let (shares, [own, other]) =
                (self.metrics.shares_against(opponent), self.metrics.scores_against(opponent));
            found.push(self.line(opponent, shares.iter().map(|it| it.map(|share| share.scaled(100.0)))));
            let forfeits = self.metrics.forfeits_against(opponent);
            for (place, share) in shares.into_iter().enumerate() {
                let forfeits = forfeits.each_ref().map(|column| column[place]);
                let any = forfeits.iter().flatten().any(|count| *count > 0.0);
                if share.is_some() || any {
                    let scores = [own[place], other[place]];
                    measured.push((generations[place], opponent, share, scores, forfeits));
                    is_forfeited |= any;
                }
            }
        }
        let table = Table::of(&measured)
            .number("generation", |it| whole(it.0))
            .text("opponent", |it| it.1.to_owned())
            .estimate("win share", percent, |it| it.2)
            .number("±, points", |it| number(it.2.and_then(Estimate::half_width).map(|half| 100.0 * half)))
            .number("points", |it| it.3.map(number).join(" : "));
        let (table, told) = match is_forfeited {
            true => (table.number("forfeited", |it| it.4.map(whole).join(" : ")), FORFEITED),
            false => (table, ""),
        };
        let players = self.config.tables.first().map_or(2, |table| table.players);
        Section {
            heading: "Strength".to_owned(),
            text: format!(
                "Win share against each opponent with 95 % intervals, always on the same deals, {} games a time; even is {}.{told}",
                self.config.evaluation.as_ref().map_or(0, |evaluation| evaluation.games),
                percent(Some(1.0 / players as f64))
            ),
            chart: Some(lines(
                "Win share against each opponent",
                ("generation", "win share, %"),
                &found,
                Some(100.0 / players as f64),
            )),
            table: table.build(),
        }
    }

    fn loss(&self, head: &str, text: &str) -> Section {
        let steps = self.metrics.column("steps");
        let losses = ["loss", "seen", "unseen"].map(|which| self.metrics.losses(&format!("{head}_{which}")));
        let loss = |loss: Option<Estimate>| {
            loss.map_or("-".to_owned(), |loss| {
                let half = loss.half_width().map_or(String::new(), |half| format!(" ± {half:.4}"));
                format!("{:.4}{half}", loss.value)
            })
        };
        let labels = ["while learning", "seen games", "unseen games"];
        let generations: Vec<_> = self.metrics.column("generation").into_iter().enumerate().collect();
        let table = Table::of(&generations)
            .number("generation", |(_, generation)| whole(*generation))
            .number("steps", |(place, _)| whole(steps[*place]));
        let table = labels
            .iter()
            .zip(&losses)
            .fold(table, |table, (label, losses)| table.number(label, |(place, _)| loss(losses[*place])));
        let heading = format!("Loss: {head}");
        let found =
            labels.iter().zip(&losses).map(|(label, losses)| self.line(label, losses.iter().copied()));
        let found: Vec<ChartLine> = found.filter(|line| !line.points.is_empty()).collect();
        Section {
            chart: Some(lines(&heading, ("generation", "loss"), &found, None)),
            heading,
            text: text.to_owned(),
            table: table.build(),
        }
    }

    fn games(&self) -> Section {
        let names = ["generation", "games", "positions", "steps", "plies", "learning_rate"];
        let columns = names.map(|name| self.metrics.column(name));
        let rows: Vec<[Option<f64>; 6]> =
            (0..columns[0].len()).map(|place| columns.each_ref().map(|column| column[place])).collect();
        let table = names[..4]
            .iter()
            .enumerate()
            .fold(Table::of(&rows), |table, (place, name)| table.number(name, |row| whole(row[place])));
        let table = table
            .number("moves", |row| number(row[4]))
            .number("learning rate", |row| row[5].map_or("-".to_owned(), |rate| format!("{rate:.2e}")));
        let line = self.line("moves", alone(&columns[4]));
        Section {
            heading: "Games".to_owned(),
            text: "The mean number of moves of the games played by each network, and what there was so far to learn from."
                .to_owned(),
            chart: Some(lines("Moves a game", ("generation", "moves a game"), &[line], None)),
            table: table.build(),
        }
    }
}

/// Numbers that have no intervals.
fn alone(values: &[Option<f64>]) -> impl Iterator<Item = Option<Estimate>> {
    values.iter().map(|value| value.map(|value| Estimate { value, interval: None }))
}
