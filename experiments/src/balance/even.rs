//! The handicap in points that makes the seats of two players even, found by play: [`find_even`].

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use azulejo::{Changes, GameSpec, MAX_PLAYERS};
use azulejo_agents::AgentSpec;
use serde::{Deserialize, Serialize};

use super::study::{OpenStudy, StudyPlayer, TableRun, Variant, slug};
use super::{BalanceError, SeatFindings, changed, label, seat_findings};
use crate::measures::mean;
use crate::report::cells::{number, percent, with_interval};
use crate::report::chart::{Bar, ChartLine, ChartPoint, Ticks, bars, curves};
use crate::report::{Chapter, Section, Table, brief};
use crate::schedule::{Rotation, Schedule};
use crate::stats::{Estimate, HandicapPoint, even_handicap, neighbors};

/// The largest handicap that rules allow.
const MOST: i64 = 100;
/// So often the values next to the estimate are played beside those of the bisection.
const MORE: usize = 4;

/// The handicap that makes two seats even.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvenFindings {
    /// The game spec.
    pub game: String,
    /// The agent at both seats.
    pub agent: String,
    /// The largest handicap with which seat 0 wins half or more, and the next one: `null` if none up to 100 points does.
    pub between: Option<[i64; 2]>,
    /// The handicap with which both win half, interpolated.
    #[serde(with = "mean")]
    pub handicap: Option<Estimate>,
    /// What was played, in the order of handicaps.
    pub rows: Vec<HandicapRow>,
}

/// Games in which seat 1 begins with so many points; seat 0 does where the number is below 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandicapRow {
    /// The points.
    pub handicap: i64,
    /// The number of games.
    pub games: u64,
    /// Seat 0's wins a game.
    #[serde(with = "mean")]
    pub win_share: Option<Estimate>,
    /// Its points less the other's, the handicap included.
    #[serde(with = "mean")]
    pub lead: Option<Estimate>,
}

impl HandicapRow {
    fn new(handicap: i64, found: &SeatFindings) -> Self {
        HandicapRow { handicap, games: found.games, win_share: found.win_shares[0], lead: found.leads[0] }
    }

    fn point(&self) -> Option<HandicapPoint> {
        let HandicapRow { handicap, games, .. } = *self;
        Some(HandicapPoint { handicap, games, share: self.win_share?.value })
    }
}

/// The points of some rows.
fn points(rows: &BTreeMap<i64, HandicapRow>) -> Vec<HandicapPoint> {
    rows.values().filter_map(HandicapRow::point).collect()
}

/// The values that were played, and how the next one is.
struct Trials<P> {
    rows: BTreeMap<i64, HandicapRow>,
    play: P,
}

impl<E, P: FnMut(i64) -> Result<HandicapRow, E>> Trials<P> {
    /// Seat 0's share at a handicap, which is played if it was not.
    fn share(&mut self, at: i64) -> Result<Option<Estimate>, E> {
        if let Entry::Vacant(place) = self.rows.entry(at) {
            place.insert((self.play)(at)?);
        }
        Ok(self.rows[&at].win_share)
    }

    /// Whether seat 0 wins half or more.
    fn wins_half(&mut self, at: i64) -> Result<bool, E> {
        Ok(self.share(at)?.is_none_or(|share| share.value >= 0.5))
    }

    /// Halves the values between two until they are neighbors; `None` if no handicap makes the other seat win more.
    fn bisect(&mut self) -> Result<Option<i64>, E> {
        let sign = if self.wins_half(0)? { 1 } else { -1 };
        let (mut inner, mut outer) = (0, 2);
        while self.wins_half(sign * outer)? == (sign > 0) {
            if outer == MOST {
                return Ok(None);
            }
            (inner, outer) = (outer, (2 * outer).min(MOST));
        }
        while outer - inner > 1 {
            let middle = i64::midpoint(inner, outer);
            let is_inner = self.wins_half(sign * middle)? == (sign > 0);
            if is_inner { inner = middle } else { outer = middle }
        }
        Ok(Some(sign * inner))
    }

    /// Goes from `middle` to one side until seat 0's share there is another one than half beyond doubt.
    fn reach(&mut self, middle: i64, side: i64) -> Result<(), E> {
        let mut distance = 4;
        loop {
            let at = (middle + side * distance).clamp(-MOST, MOST);
            let interval = self.share(at)?.and_then(|share| share.interval);
            let is_sure = interval.is_none_or(|it| if side > 0 { it.high < 0.5 } else { it.low > 0.5 });
            if is_sure || at.abs() == MOST {
                return Ok(());
            }
            distance *= 2;
        }
    }
}

/// Plays handicaps, by `play`, until two neighboring ones have the even share between them.
///
/// From none on the handicap of the seat that wins less grows, 2, 4, 8 and so on up to 100, until the other one wins less. Then the
/// values between are halved. Each step is decided by whether seat 0 won half of its games. How much a point is worth is seen
/// from further off: on either side, 4, 8, 16 and so on points away, a value is played at which the share is not half beyond
/// doubt. A wrong decision, which is likely only near the even share, does no harm: in the end the values next to the
/// interpolated handicap are played if they were not.
///
/// # Errors
/// The first one of `play`.
pub fn find_even<E>(
    play: impl FnMut(i64) -> Result<HandicapRow, E>,
) -> Result<BTreeMap<i64, HandicapRow>, E> {
    let mut trials = Trials { rows: BTreeMap::new(), play };
    let Some(middle) = trials.bisect()? else { return Ok(trials.rows) };
    trials.reach(middle, -1)?;
    trials.reach(middle, 1)?;
    for _ in 0..MORE {
        let Some(found) = even_handicap(&points(&trials.rows)) else { break };
        let below = (found.value.floor() as i64).clamp(-MOST, MOST - 1);
        if [below, below + 1].iter().all(|at| trials.rows.contains_key(at)) {
            break;
        }
        trials.share(below)?;
        trials.share(below + 1)?;
    }
    Ok(trials.rows)
}

impl EvenFindings {
    /// What rows come to.
    pub fn new(game: String, agent: String, rows: BTreeMap<i64, HandicapRow>) -> Self {
        let points = points(&rows);
        let handicap = even_handicap(&points);
        let around = handicap.map(|it| it.value.floor() as i64).map(|below| [below, below + 1]);
        let played = around.filter(|both| both.iter().all(|at| rows.contains_key(at)));
        EvenFindings {
            game,
            agent,
            between: played.or_else(|| neighbors(&points)),
            handicap,
            rows: rows.into_values().collect(),
        }
    }

    fn row(&self, handicap: i64) -> Option<&HandicapRow> {
        self.rows.iter().find(|row| row.handicap == handicap)
    }

    /// The answer in a sentence.
    pub(super) fn sentence(&self) -> String {
        let table = format!("{} ({})", label(&self.game, 2), brief(&self.agent));
        let (Some(handicap), Some(between)) = (self.handicap, self.between) else {
            return format!("At {table} no handicap that was played makes the seats even.");
        };
        let share = |at: i64| {
            let share = self.row(at).and_then(|row| row.win_share);
            format!("with {at} seat 0 wins {}", with_interval(share, percent))
        };
        format!(
            "At {table} {} points for seat 1 make the seats even: {}, {}.",
            with_interval(Some(handicap), number),
            share(between[0]),
            share(between[1])
        )
    }

    pub(super) fn section(&self) -> Section {
        let point = |row: &HandicapRow| {
            Some(ChartPoint { at: row.handicap as f64, estimate: row.win_share?.scaled(100.0) })
        };
        let line = ChartLine { label: String::new(), points: self.rows.iter().filter_map(point).collect() };
        let heading = format!("{}, {}: the even handicap", label(&self.game, 2), brief(&self.agent));
        let axes = ("points that seat 1 begins with", "% of wins of seat 0");
        let table = Table::of(&self.rows)
            .number("handicap of seat 1", |row| row.handicap.to_string())
            .number("games", |row| row.games.to_string())
            .estimate("wins of seat 0", percent, |row| row.win_share)
            .estimate("lead of seat 0", number, |row| row.lead);
        Section {
            chart: Some(curves(&heading, axes, Ticks::Numbers, &[line], Some(50.0))),
            text: format!("{} Below 0 seat 0 begins with the points.", self.sentence()),
            table: table.build(),
            heading,
        }
    }
}

/// The handicaps of several games.
pub(super) fn chapter(even: &[EvenFindings]) -> Option<Chapter> {
    (!even.is_empty()).then(|| Chapter {
        heading: "Which handicap makes two seats even?".to_owned(),
        answers: even.iter().map(EvenFindings::sentence).collect(),
        sections: [handicaps(even)].into_iter().chain(even.iter().map(EvenFindings::section)).collect(),
    })
}

/// The handicaps of several games in one sentence.
pub(super) fn in_short(even: &[EvenFindings]) -> Option<String> {
    let points = |it: &EvenFindings| {
        let handicap = it.handicap.map(|handicap| with_interval(Some(handicap), number));
        format!("{} at {}", handicap.as_deref().unwrap_or("none that was played"), it.game)
    };
    let told: Vec<String> = even.iter().map(points).collect();
    (!told.is_empty())
        .then(|| format!("Points with which the second of two players is as well off: {}.", told.join(", ")))
}

fn handicaps(even: &[EvenFindings]) -> Section {
    let bar = |it: &EvenFindings| Some(Bar { label: label(&it.game, 2), estimate: it.handicap? });
    let found: Vec<Bar> = even.iter().filter_map(bar).collect();
    let between = |it: &EvenFindings| {
        it.between.map_or("-".to_owned(), |[below, above]| format!("{below} and {above}"))
    };
    let table = Table::of(even)
        .text("table", |it| label(&it.game, 2))
        .text("agent", |it| brief(&it.agent).to_owned())
        .estimate("points for seat 1", number, |it| it.handicap)
        .text("between", between);
    Section {
        heading: "The even handicap of each game".to_owned(),
        text: "The points that seat 1 must begin with for both to win half, draws counted half.".to_owned(),
        chart: Some(bars("The even handicap", "points for seat 1", &found, Some(0.0))),
        table: table.build(),
    }
}

/// The variant in which seat 1 begins with so many points, or seat 0 if there are fewer than none.
fn with_handicap(game: GameSpec, handicap: i64) -> Result<GameSpec, String> {
    if handicap == 0 {
        return Ok(game);
    }
    let mut points = [0; MAX_PLAYERS];
    points[usize::from(handicap > 0)] = handicap.abs();
    let changes: Changes = [("handicap".to_owned(), serde_json::json!(points))].into_iter().collect();
    changed(game, &changes)
}

/// The seed of the games at a handicap: of their own, so that the values that are compared err independently.
fn seed_of(seed: u64, handicap: i64) -> u64 {
    let step = 2 * handicap.unsigned_abs();
    seed.wrapping_add(if handicap < 0 { step - 1 } else { step })
}

/// The variants with a handicap, so that it can be asked who sees it.
pub(super) fn handicapped(games: &[GameSpec]) -> Result<Vec<Variant>, BalanceError> {
    let made = games.iter().map(|&game| {
        let changed = with_handicap(game, 1).map_err(BalanceError::Changes)?;
        Ok(Variant { base: Some(game), game: changed, swept: None })
    });
    made.collect()
}

impl StudyPlayer<'_, '_> {
    /// Finds the even handicap of a variant for each agent.
    pub(super) fn even(&mut self, variant: &Variant) -> Result<Vec<EvenFindings>, BalanceError> {
        let open: &OpenStudy<'_> = self.open;
        let table = open.table_directory(variant, 2);
        let agents = open.study.agents.iter();
        let found = agents.map(|agent| {
            let directory = table.join(slug(&agent.to_string()));
            let rows = find_even(|handicap| self.at_handicap((variant.game, agent), handicap, &directory))?;
            Ok(EvenFindings::new(variant.game.to_string(), agent.to_string(), rows))
        });
        found.collect()
    }

    fn at_handicap(
        &mut self,
        (game, agent): (GameSpec, &AgentSpec),
        handicap: i64,
        directory: &std::path::Path,
    ) -> Result<HandicapRow, BalanceError> {
        let study = self.open.study;
        let changed = with_handicap(game, handicap).map_err(BalanceError::Changes)?;
        let seed = seed_of(study.seed, handicap);
        let agents = std::slice::from_ref(agent);
        let schedule = Schedule::selfplay((changed, 2), agents, study.games, seed, Rotation::Fixed)?;
        let directory: PathBuf = directory.join(format!("handicap-{handicap}"));
        let report = self.play(&TableRun { game: changed, schedule, directory })?;
        let found = seat_findings(&report).ok_or_else(|| {
            BalanceError::Unpaired(format!("--even: no game of {changed} came to its end, expected some"))
        })?;
        Ok(HandicapRow::new(handicap, &found))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use azulejo::Generator;
    use rand_distr::{Distribution, Normal};

    use super::*;
    use crate::stats::Interval;

    /// Games whose leads are drawn around `even`, and which are not told apart from those of a real one.
    fn simulated(even: f64, games: u64, seed: u64) -> EvenFindings {
        let normal = Normal::new(even, 13.0).unwrap();
        let mut rng = Generator::new(seed);
        let rows = find_even(|handicap| {
            let result = |lead: f64| 0.5 + 0.5 * (lead.round() as i64 - handicap).signum() as f64;
            let wins: f64 = (0..games).map(|_| result(normal.sample(&mut rng))).sum();
            let value = wins / games as f64;
            let half = 0.98 / (games as f64).sqrt();
            let interval = Interval { low: value - half, high: value + half };
            let share = Some(Estimate { value, interval: Some(interval) });
            Ok::<_, Infallible>(HandicapRow { handicap, games, win_share: share, lead: None })
        });
        EvenFindings::new("azul".to_owned(), "neural:sims=32".to_owned(), rows.unwrap())
    }

    #[test]
    fn the_interval_of_a_bisection_holds_the_even_handicap_of_a_simulated_game() {
        for even in [-6.3, 0.4, 2.5, 9.0] {
            const STUDIES: u64 = 300;
            let found = (0..STUDIES).filter_map(|seed| simulated(even, 500, seed).handicap);
            let holds = |it: &Estimate| it.interval.is_some_and(|it| (it.low..=it.high).contains(&even));
            let held = found.filter(holds).count() as f64 / STUDIES as f64;
            assert!((0.91..=0.985).contains(&held), "{held} of the intervals hold {even}");
        }
    }

    #[test]
    fn it_ends_with_two_neighbors_around_the_estimate() {
        for even in [-40.2, -2.0, 0.0, 3.3, 20.9] {
            let found = simulated(even, 4000, 7);
            let (Some([below, above]), Some(handicap)) = (found.between, found.handicap) else {
                panic!("{found:?}")
            };
            assert_eq!(above, below + 1);
            assert!((below as f64..=above as f64).contains(&handicap.value), "{found:?}");
            assert!((handicap.value - even).abs() < 2.0 && found.rows.len() <= 24, "{found:?}");
            assert!(found.rows.is_sorted_by_key(|row| row.handicap));
        }
        let sentence = simulated(3.3, 4000, 7).sentence();
        assert!(
            sentence.starts_with("At azul 2 (neural:sims=32) 3.")
                && sentence.contains(": with 3 seat 0 wins "),
            "{sentence}"
        );
    }

    #[test]
    fn a_game_that_no_handicap_makes_even_is_told() {
        let found = simulated(400.0, 20, 1);
        assert_eq!((found.between, found.handicap), (None, None));
        assert!(found.sentence().contains("no handicap that was played"));
        assert_eq!(found.rows.last().map(|row| row.handicap), Some(MOST));
        assert!(found.section().table.rows().count() >= 7);
        assert_eq!(
            in_short(&[found]).unwrap(),
            "Points with which the second of two players is as well off: none that was played at azul."
        );
        assert_eq!(in_short(&[]), None);
    }

    #[test]
    fn handicaps_are_rules_and_have_seeds_of_their_own() {
        let game: GameSpec = "azul".parse().unwrap();
        assert_eq!(with_handicap(game, 0).unwrap(), game);
        assert!(with_handicap(game, 3).unwrap().to_string().contains("[0,3,0,0]"));
        assert!(with_handicap(game, -4).unwrap().to_string().contains("[4,0,0,0]"));
        let seeds: std::collections::HashSet<u64> = (-100..=100).map(|at| seed_of(7, at)).collect();
        assert_eq!((seeds.len(), seed_of(7, 0)), (201, 7));
    }
}
