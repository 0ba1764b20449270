//! What becomes of a game's strategies among themselves, in a report.

use super::report::label;
use super::{Standing, StrategyFindings};
use crate::report::cells::{number, percent, with_interval};
use crate::report::chart::{Bar, bars};
use crate::report::{Chapter, Section, Table, brief, split_change};

/// What strategies tell of the rules: the plans of searches first, as they see more.
pub(super) fn chapter(found: &[StrategyFindings]) -> Option<Chapter> {
    let (plans, weights): (Vec<_>, Vec<_>) = found.iter().cloned().partition(is_goal_study(found));
    let tables = plans.chunk_by(|one, other| table(one) == table(other));
    let answers = tables.map(plans_of_a_table).chain(best_strategy(&weights));
    let sections = [&plans, &weights].into_iter().flat_map(|found| strategy_sections(found));
    (!found.is_empty()).then(|| Chapter {
        heading: "Which plan wins?".to_owned(),
        answers: answers.collect(),
        sections: sections.collect(),
    })
}

fn table(it: &StrategyFindings) -> (&str, usize) {
    (&it.game, it.players)
}

/// Whether a strategy is of searches with goals, or the search without one that played with them.
fn is_goal_study(found: &[StrategyFindings]) -> impl Fn(&StrategyFindings) -> bool {
    let kind = |it: &StrategyFindings| it.agent.split(':').next().map(str::to_owned);
    move |it| found.iter().any(|other| is_bent(other) && (table(other), kind(other)) == (table(it), kind(it)))
}

/// In one sentence, at which tables a search bent to a plan is as good as the search without one, or better.
pub(super) fn in_short(found: &[StrategyFindings]) -> Option<String> {
    let plans: Vec<StrategyFindings> = found.iter().filter(|it| is_goal_study(found)(it)).cloned().collect();
    let told = plans.chunk_by(|one, other| table(one) == table(other)).map(|found| {
        let named = |standing: Standing| {
            let named = found.iter().filter(|it| it.standing == standing && is_bent(it));
            named.map(|it| strategy(&it.agent)).collect::<Vec<_>>()
        };
        let (best, close) = (named(Standing::Best), named(Standing::Close));
        let is_alone_close = found.iter().any(|it| it.standing == Standing::Close && !is_bent(it));
        let verdict = match &best[..] {
            [] if close.is_empty() => "none is as good as points alone".to_owned(),
            [] => "none is better than points alone".to_owned(),
            best if is_alone_close => {
                format!("{} is rated first, but not beyond doubt before points alone", best.join(", "))
            }
            best => format!("{} is better than points alone", best.join(", ")),
        };
        let others =
            if close.is_empty() { String::new() } else { format!(" (as good: {})", close.join(", ")) };
        format!("at {} {verdict}{others}", label(&found[0].game, found[0].players))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("Plans of a strong search: {}.", told.join("; ")))
}

/// Whether a strategy is a search with a goal.
fn is_bent(it: &StrategyFindings) -> bool {
    it.agent.contains("goal=")
}

/// What becomes of the plans at a table, in a sentence.
fn plans_of_a_table(found: &[StrategyFindings]) -> String {
    let rating = |it: &&StrategyFindings| it.rating.map_or(f64::NEG_INFINITY, |rating| rating.value);
    let mut sorted: Vec<&StrategyFindings> = found.iter().collect();
    sorted.sort_by(|one, other| rating(other).total_cmp(&rating(one)));
    let told = |of: &dyn Fn(Standing) -> bool| {
        let named = sorted.iter().filter(|it| of(it.standing));
        let name =
            |it: &StrategyFindings| if is_bent(it) { strategy(&it.agent) } else { "no plan" }.to_owned();
        let named = named.map(|it| format!("{} {}", name(it), with_interval(it.rating, number)));
        named.collect::<Vec<_>>().join(", ")
    };
    let close = told(&|it| it == Standing::Close);
    let behind = told(&|it| matches!(it, Standing::Behind | Standing::Last));
    let part = |name: &str, told: String| if told.is_empty() { told } else { format!("; {name} {told}") };
    format!(
        "{}, Elo points within the table: best {}{}{}.",
        label(&found[0].game, found[0].players),
        told(&|it| it == Standing::Best),
        part("as good within the intervals", close),
        part("behind", behind)
    )
}

/// A section for each variant.
pub(super) fn strategy_sections(found: &[StrategyFindings]) -> Vec<Section> {
    found.chunk_by(|one, other| one.game == other.game).map(section).collect()
}

/// The strategy that is rated first at most tables.
pub(super) fn best_strategy(found: &[StrategyFindings]) -> Option<String> {
    let best: Vec<&str> =
        found.iter().filter(|it| it.standing == Standing::Best).map(|it| strategy(&it.agent)).collect();
    let times = |name: &str| best.iter().filter(|other| **other == name).count();
    let name = best.iter().rev().max_by_key(|name| times(name))?;
    Some(format!("Of the strategies {name} is rated first at {} of {} tables.", times(name), best.len()))
}

const WEIGHTS: &str = "Named strategies are the same evaluation with other weights, all against all; plain is the evaluation as it is.";
const GOALS: &str = "Strategies are the same search bent to a goal, which counts for it as so many points would, all against all, with \
                     the search as it is among them.";

fn section(all: &[StrategyFindings]) -> Section {
    let first = all[0].players;
    let table = Table::of(all)
        .text("table", |it| label(&it.game, it.players))
        .text("strategy", |it| strategy(&it.agent).to_owned())
        .estimate("rating", number, |it| it.rating)
        .estimate("win share", percent, |it| it.win_share)
        .number("points", |it| number(it.points))
        .text("standing", |it| format!("{:?}", it.standing).to_lowercase());
    let agents = all.iter().filter(|it| it.players == first).map(|it| it.agent.as_str());
    let in_order = agents.flat_map(|agent| all.iter().filter(move |it| it.agent == agent));
    let bar = |it: &StrategyFindings| {
        let label = format!("{} {}", strategy(&it.agent), it.players);
        it.rating.map(|estimate| Bar { label, estimate })
    };
    let found: Vec<Bar> = in_order.filter_map(bar).collect();
    Section {
        heading: match split_change(&all[0].game) {
            (variant, None) => format!("{variant}: strategies"),
            (variant, Some(change)) => format!("{variant} with {change}: strategies"),
        },
        text: format!(
            "{} Ratings are Elo points among the strategies of a table; a strategy is behind if its interval does not reach the best \
             one's, last if all others are rated above it.",
            if all.iter().any(is_bent) { GOALS } else { WEIGHTS }
        ),
        chart: Some(bars("Ratings of the strategies", "Elo points", &found, Some(0.0))),
        table: table.build(),
    }
}

/// The strategy's name in an agent's spec.
pub(super) fn strategy(agent: &str) -> &str {
    match agent.split_once("goal=") {
        Some((_, goal)) => goal.split(',').next().unwrap_or(goal),
        None if agent == "greedy" => "plain",
        None => brief(agent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Estimate, Interval};

    fn found(game: &str, agent: &str, rating: f64, standing: Standing) -> StrategyFindings {
        let interval = Some(Interval { low: rating - 10.0, high: rating + 10.0 });
        StrategyFindings {
            game: game.to_owned(),
            players: 2,
            agent: agent.to_owned(),
            win_share: None,
            rating: Some(Estimate { value: rating, interval }),
            points: Some(50.0),
            standing,
        }
    }

    #[test]
    fn plans_of_searches_are_told_before_weights() {
        let all = [
            found("azul", "greedy", 20.0, Standing::Best),
            found("azul", "greedy:strategy=columns", -20.0, Standing::Last),
            found("azul", "neural:sims=32,goal_weight=40", 30.0, Standing::Best),
            found("azul", "neural:sims=32,goal=rows,goal_weight=40", 15.0, Standing::Close),
            found("azul", "neural:sims=32,goal=columns,goal_weight=40", -45.0, Standing::Last),
        ];
        let chapter = chapter(&all).unwrap();
        assert_eq!(
            chapter.answers,
            [
                "azul 2, Elo points within the table: best no plan 30.0 [20.0, 40.0]; as good within the intervals rows 15.0 \
                 [5.0, 25.0]; behind columns -45.0 [-55.0, -35.0].",
                "Of the strategies plain is rated first at 1 of 1 tables."
            ]
        );
        let texts: Vec<&str> = chapter.sections.iter().map(|it| &it.text[..10]).collect();
        assert_eq!(texts, [&GOALS[..10], &WEIGHTS[..10]]);
        assert_eq!(super::chapter(&[]), None);
    }

    #[test]
    fn in_short_plans_are_set_beside_points_alone() {
        let plan = |game: &str, goal: &str, rating, standing| {
            found(game, &format!("neural:sims=32,goal={goal},goal_weight=40"), rating, standing)
        };
        let alone =
            |game: &str, rating, standing| found(game, "neural:sims=32,goal_weight=40", rating, standing);
        let all = [
            found("azul", "greedy", 20.0, Standing::Best),
            alone("azul", 30.0, Standing::Best),
            plan("azul", "rows", 15.0, Standing::Close),
            plan("azul", "columns", -45.0, Standing::Last),
            alone("queens-garden", 30.0, Standing::Best),
            plan("queens-garden", "wheel", -30.0, Standing::Last),
            plan("summer-pavilion", "stars", 30.0, Standing::Best),
            alone("summer-pavilion", 25.0, Standing::Close),
            plan("toy", "luck", 30.0, Standing::Best),
            alone("toy", -30.0, Standing::Last),
        ];
        assert_eq!(
            in_short(&all).unwrap(),
            "Plans of a strong search: at azul 2 none is better than points alone (as good: rows); at queens-garden 2 none is as good as \
             points alone; at summer-pavilion 2 stars is rated first, but not beyond doubt before points alone; at toy 2 luck is better \
             than points alone."
        );
        assert_eq!(in_short(&all[..1]), None);
    }
}
