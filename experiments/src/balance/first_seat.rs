//! Whether it is good to go first, in a page about several games.

use super::SeatFindings;
use super::report::{id, label, names};
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
        sections: games(tables).map(going_first).chain([courses(tables)]).collect(),
    }
}

/// The tables of each game.
fn games(tables: &[SeatFindings]) -> impl Iterator<Item = &[SeatFindings]> {
    tables.chunk_by(|one, other| id(&one.game) == id(&other.game))
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
    let wins = tables.iter().map(|it| {
        let even = percent(Some(1.0 / it.players as f64));
        format!("{} with {} players (even: {even})", with_interval(it.win_shares[0], percent), it.players)
    });
    let wins: Vec<String> = wins.collect();
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

/// In short: what who goes first wins by each game's own rules, at how many tables it is an advantage, and which tables are the most and
/// the least even.
pub(super) fn in_short(foremost: &[SeatFindings]) -> Vec<String> {
    games(foremost).map(game_in_short).chain(evenness(foremost)).collect()
}

fn game_in_short(tables: &[SeatFindings]) -> String {
    let name = id(&tables[0].game);
    let own: Vec<&SeatFindings> = tables.iter().filter(|it| it.game == name).collect();
    let wins = own.chunk_by(|one, other| one.agent == other.agent).map(|own| {
        let wins = own
            .iter()
            .map(|it| format!("{} with {} players", with_interval(it.win_shares[0], percent), it.players));
        let even = own.iter().map(|it| percent(Some(1.0 / it.players as f64)));
        let [wins, even] = [wins.collect::<Vec<_>>(), even.collect()].map(|it| it.join(", "));
        format!("Who goes first wins {wins} (even: {even}), as {} plays. ", brief(&own[0].agent))
    });
    let (wins, all) = (wins.collect::<String>(), tables.len());
    let is_sure = |beyond: &Estimate| beyond.value > 0.0 && beyond.differs_among(all);
    let sure = tables.iter().filter_map(excess).filter(is_sure).count();
    format!("{name}: {wins}At {sure} of {all} tables, all boards and rules, it is an advantage beyond doubt.")
}

/// The tables at which seat 0's share is least and most far from an even one.
fn evenness(foremost: &[SeatFindings]) -> Option<String> {
    let known: Vec<(&SeatFindings, Estimate)> =
        foremost.iter().filter_map(|it| Some((it, excess(it)?))).collect();
    let far = |it: &&(&SeatFindings, Estimate)| it.1.value.abs();
    let compare = |a: &&(&SeatFindings, Estimate), b: &&(&SeatFindings, Estimate)| far(a).total_cmp(&far(b));
    let (least, most) = (known.iter().min_by(compare)?, known.iter().max_by(compare)?);
    let shown = |(it, excess): &(&SeatFindings, Estimate)| {
        let beyond = with_interval(Some(*excess), number);
        format!("{} ({beyond} percentage points beyond an even share)", label(&it.game, it.players))
    };
    (known.len() > 1)
        .then(|| format!("Going first matters least at {}, most at {}.", shown(least), shown(most)))
}

/// The tables of one game.
fn going_first(tables: &[SeatFindings]) -> Section {
    let bar = |(label, it): (String, &SeatFindings)| Some(Bar { label, estimate: excess(it)? });
    let found: Vec<Bar> = names(tables).into_iter().zip(tables).filter_map(bar).collect();
    let others = |it: &SeatFindings| {
        it.win_shares[1..].iter().map(|share| value(*share, percent)).collect::<Vec<_>>().join(", ")
    };
    let table = Table::of(tables)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned())
        .number("games", |it| it.games.to_string())
        .number("even", |it| percent(Some(1.0 / it.players as f64)))
        .estimate("wins of seat 0", percent, |it| it.win_shares[0])
        .number("of the others", others)
        .estimate("lead of seat 0", number, |it| it.leads[0]);
    Section {
        heading: format!("{}: wins and lead of the first seat", id(&tables[0].game)),
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
    fn in_short_games_are_told_by_their_own_rules_and_tables_are_compared() {
        let gray = SeatFindings { game: "azul:gray".to_owned(), ..seats(2, 0.5) };
        let greedy = SeatFindings { game: "toy".to_owned(), agent: "greedy".to_owned(), ..seats(2, 0.56) };
        let told = in_short(&[seats(2, 0.54), seats(3, 0.36), gray, greedy]);
        assert_eq!(
            told,
            [
                "azul: Who goes first wins 54.0 % [53.0 %, 55.0 %] with 2 players, 36.0 % [35.0 %, 37.0 %] with 3 players (even: 50.0 %, \
                 33.3 %), as neural:sims=32 plays. At 2 of 3 tables, all boards and rules, it is an advantage beyond doubt.",
                "toy: Who goes first wins 56.0 % [55.0 %, 57.0 %] with 2 players (even: 50.0 %), as greedy plays. At 1 of 1 tables, all boards \
                 and rules, it is an advantage beyond doubt.",
                "Going first matters least at azul:gray 2 (0.0 [-1.0, 1.0] percentage points beyond an even share), most at toy 2 (6.0 \
                 [5.0, 7.0] percentage points beyond an even share)."
            ]
        );
        assert_eq!(in_short(&[]), Vec::<String>::new());
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
