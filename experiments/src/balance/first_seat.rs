//! Whether it is good to go first, in a page about several games.

use super::SeatFindings;
use super::report::{id, label};
use crate::report::cells::{number, percent, value, with_interval};
use crate::report::chart::{Bar, bars};
use crate::report::{Chapter, Section, Table, brief};
use crate::stats::{Estimate, Interval};

/// Seats and how close games are: of each table one agent.
pub(super) fn chapter(tables: &[SeatFindings]) -> Chapter {
    let is_told_together =
        |one: &SeatFindings, other: &SeatFindings| (&one.game, &one.agent) == (&other.game, &other.agent);
    Chapter {
        heading: "Is it good to go first?".to_owned(),
        answers: tables.chunk_by(is_told_together).map(answer).collect(),
        sections: vec![going_first(tables), courses(tables)],
    }
}

/// Whether seat 0 wins more than its share.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Good,
    Bad,
    Unknown,
}

impl Verdict {
    fn of(it: &SeatFindings) -> Self {
        match excess(it).and_then(|it| it.interval) {
            Some(Interval { low, .. }) if low > 0.0 => Verdict::Good,
            Some(Interval { high, .. }) if high < 0.0 => Verdict::Bad,
            _ => Verdict::Unknown,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Verdict::Good => "going first is good",
            Verdict::Bad => "going first is bad",
            Verdict::Unknown => "these games do not tell whether going first is good or bad",
        }
    }
}

/// Of the tables of one variant with one agent, whether going first is good, and what seat 0 wins.
fn answer(tables: &[SeatFindings]) -> String {
    let counts = |of: &dyn Fn(&SeatFindings) -> bool| {
        let players = tables.iter().filter(|it| of(it)).map(|it| it.players.to_string());
        players.collect::<Vec<_>>().join(", ")
    };
    let verdicts: Vec<String> = match Verdict::of(&tables[0]) {
        all if tables.iter().all(|it| Verdict::of(it) == all) => vec![all.words().to_owned()],
        _ => [Verdict::Good, Verdict::Bad, Verdict::Unknown]
            .into_iter()
            .map(|verdict| (verdict, counts(&|it| Verdict::of(it) == verdict)))
            .filter(|(_, players)| !players.is_empty())
            .map(|(verdict, players)| format!("for {players} players {}", verdict.words()))
            .collect(),
    };
    let wins: Vec<String> = tables.iter().map(wins_of).collect();
    let (game, agent) = (&tables[0].game, brief(&tables[0].agent));
    format!("{game}: {}. As {agent} plays, seat 0 wins {}.", verdicts.join("; "), wins.join(", "))
}

/// How far seat 0's share is from an even one.
fn excess(it: &SeatFindings) -> Option<Estimate> {
    let even = 1.0 / it.players as f64;
    let shift = |share: f64| 100.0 * (share - even);
    let share = it.win_shares[0]?;
    let interval = share.interval.map(|it| Interval { low: shift(it.low), high: shift(it.high) });
    Some(Estimate { value: shift(share.value), interval })
}

/// Of each game in a few words: what who goes first wins by the game's own rules, and how much of an advantage it is at all tables.
pub(super) fn in_short(foremost: &[SeatFindings]) -> Vec<String> {
    foremost.chunk_by(|one, other| id(&one.game) == id(&other.game)).map(game_in_short).collect()
}

fn game_in_short(tables: &[SeatFindings]) -> String {
    let name = id(&tables[0].game);
    let own: Vec<SeatFindings> = tables.iter().filter(|it| it.game == name).cloned().collect();
    let wins = own.chunk_by(|one, other| one.agent == other.agent).map(|own| {
        let (shares, agent) = (own.iter().map(wins_of), brief(&own[0].agent));
        format!("who goes first wins {} as {agent} plays", shares.collect::<Vec<_>>().join(", "))
    });
    let excess = |it: &SeatFindings| excess(it).unwrap_or(Estimate { value: 0.0, interval: None });
    let is_sure = |it: &&SeatFindings| excess(it).low().is_some_and(|low| low > 0.0);
    let compare = |a: &&SeatFindings, b: &&SeatFindings| excess(a).value.total_cmp(&excess(b).value);
    let shown = |it: &SeatFindings| {
        let (beyond, agent) = (with_interval(Some(excess(it)), number), brief(&it.agent));
        format!("{beyond} at {} ({agent})", label(&it.game, it.players))
    };
    let range = match (tables.iter().min_by(compare), tables.iter().max_by(compare)) {
        (Some(least), Some(most)) if tables.len() > 1 => format!("{} to {}", shown(least), shown(most)),
        (_, most) => most.map_or(String::new(), shown),
    };
    let (sure, all) = (tables.iter().filter(is_sure).count(), tables.len());
    let advantage = format!(
        "it is an advantage beyond doubt at {sure} of {all} tables, by percentage points beyond an even share {range}"
    );
    let told: Vec<String> = wins.chain([advantage]).collect();
    format!("{name}: {}.", told.join("; "))
}

/// What seat 0 wins at a table, and what would be even.
fn wins_of(it: &SeatFindings) -> String {
    let even = percent(Some(1.0 / it.players as f64));
    format!("{} with {} players (even: {even})", with_interval(it.win_shares[0], percent), it.players)
}

fn going_first(foremost: &[SeatFindings]) -> Section {
    let bar = |it: &SeatFindings| Some(Bar { label: label(&it.game, it.players), estimate: excess(it)? });
    let found: Vec<Bar> = foremost.iter().filter_map(bar).collect();
    let others = |it: &SeatFindings| {
        it.win_shares[1..].iter().map(|share| value(*share, percent)).collect::<Vec<_>>().join(", ")
    };
    let table = Table::of(foremost)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned())
        .number("games", |it| it.games.to_string())
        .number("even", |it| percent(Some(1.0 / it.players as f64)))
        .estimate("wins of seat 0", percent, |it| it.win_shares[0])
        .number("of the others", others)
        .estimate("lead of seat 0", number, |it| it.leads[0]);
    Section {
        heading: "Wins and lead of the first seat".to_owned(),
        text: "By how many percentage points seat 0 wins more than its even share, with the agent of each table that played most games; its lead is its \
               points less the mean of the others'."
            .to_owned(),
        chart: Some(bars("Wins of seat 0 beyond an even share", "percentage points", &found, Some(0.0))),
        table: table.build(),
    }
}

/// Draws, close ends, comebacks.
fn courses(foremost: &[SeatFindings]) -> Section {
    let of = |it: &SeatFindings, name: &str| it.figures.iter().find(|figure| figure.name == name)?.mean;
    let table = Table::of(foremost)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned())
        .estimate("shared wins", percent, |it| of(it, "shared win"))
        .estimate("close ends", percent, |it| of(it, "close end"))
        .estimate("winner was behind", percent, |it| of(it, "winner was behind"))
        .estimate("lead changes", number, |it| of(it, "lead changes"))
        .estimate("rounds", number, |it| of(it, "rounds"));
    Section {
        heading: "How close are games?".to_owned(),
        text: "An end is close if the winner is at most 5 points ahead; who was behind was so at the end of some round but the last."
            .to_owned(),
        chart: None,
        table: table.build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(value: f64, half: f64) -> Option<Estimate> {
        Some(Estimate { value, interval: Some(Interval { low: value - half, high: value + half }) })
    }

    fn seats(players: usize, share: f64) -> SeatFindings {
        SeatFindings {
            game: "azul".to_owned(),
            players,
            agent: "neural:sims=32".to_owned(),
            games: 100,
            win_shares: vec![around(share, 0.01); players],
            leads: vec![around(2.0, 1.0); players],
            points: vec![around(50.0, 1.0); players],
            figures: Vec::new(),
            sources: Vec::new(),
        }
    }

    #[test]
    fn a_share_is_told_beyond_an_even_one() {
        let found = excess(&seats(2, 0.54)).unwrap();
        assert!((found.value - 4.0).abs() < 1e-9 && (found.half_width().unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_answer_begins_with_the_verdict_and_tells_whose_play_it_is_of() {
        assert_eq!(
            answer(&[seats(2, 0.54), seats(3, 0.36)]),
            "azul: going first is good. As neural:sims=32 plays, seat 0 wins 54.0 % [53.0 %, 55.0 %] with 2 players (even: 50.0 %), \
             36.0 % [35.0 %, 37.0 %] with 3 players (even: 33.3 %)."
        );
        let mixed = answer(&[seats(2, 0.54), seats(3, 0.33), seats(4, 0.2)]);
        assert!(
            mixed.starts_with(
                "azul: for 2 players going first is good; for 4 players going first is bad; for 3 players these games do not tell"
            ),
            "{mixed}"
        );
    }
}
