//! What looks wrong in a training run, in words that say what to change.

use super::TrainConfig;
use super::metrics::Metrics;
use crate::report::cells::percent;
use crate::stats::Estimate;

/// A position that is drawn so often is learned by heart.
const MANY_DRAWS: f64 = 4.0;

/// What looks wrong in a run, the gravest first; empty if nothing does.
pub(crate) fn diagnose(config: &TrainConfig, metrics: &Metrics) -> Vec<String> {
    let opponents = config.evaluation.iter().flat_map(|evaluation| &evaluation.opponents);
    let strength = opponents.filter_map(|opponent| {
        let shares = metrics.shares_against(opponent);
        fall(opponent, &metrics.column("generation"), &shares).or_else(|| standstill(opponent, &shares))
    });
    let learning = [by_heart(metrics), draws(config, metrics), config.warning()];
    strength.chain(learning.into_iter().flatten()).collect()
}

/// Says if the network was stronger at an earlier measurement than at the last one.
fn fall(opponent: &str, generations: &[Option<f64>], shares: &[Option<Estimate>]) -> Option<String> {
    let measured = || generations.iter().zip(shares).filter_map(|(at, share)| Some(((*at)?, (*share)?)));
    let best = measured().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let last = measured().next_back()?;
    (last.1.high()? < best.1.low()?).then(|| {
        format!(
            "strength fell: {} against {opponent} after generation {}, {} after generation {}. Its own games teach less than \
             they should: more simulations (selfplay.full), values less trusted (a smaller selfplay.scale, more of \
             selfplay.heuristic, rollout = \"round\"), more games a generation, or a smaller learning rate",
            percent(Some(best.1.value)),
            best.0,
            percent(Some(last.1.value)),
            last.0,
        )
    })
}

/// Says if no measurement is above the first one.
fn standstill(opponent: &str, shares: &[Option<Estimate>]) -> Option<String> {
    let measured: Vec<Estimate> = shares.iter().flatten().copied().collect();
    let (first, later) = measured.split_first()?;
    let grew = later.iter().any(|share| share.value > first.high().unwrap_or(first.value));
    (later.len() >= 2 && !grew && first.value < 0.9).then(|| {
        format!(
            "no gain shows against {opponent}: {} at the first measurement, and none of {} later ones is above its interval",
            percent(Some(first.value)),
            later.len()
        )
    })
}

/// Says if the results of games that were learned from are known better than those of others.
fn by_heart(metrics: &Metrics) -> Option<String> {
    let last = |which: &str| metrics.losses(&format!("wins_{which}")).last().copied().flatten();
    let (seen, unseen) = (last("seen")?, last("unseen")?);
    // Half intervals of both are at right angles: a difference beyond them is none of chance.
    let apart = unseen.value - seen.value;
    let doubt = seen.half_width()?.hypot(unseen.half_width()?);
    (apart > doubt && apart > 0.1 * seen.value).then(|| {
        format!(
            "results are learned by heart: the loss of the wins is {:.3} on seen and {:.3} on unseen games. More games, fewer \
             steps, or a learning.search_value nearer to 1",
            seen.value, unseen.value
        )
    })
}

/// Says if there are few games for the steps.
fn draws(config: &TrainConfig, metrics: &Metrics) -> Option<String> {
    let last = |name: &str| metrics.column(name).last().copied().flatten();
    let (steps, positions) = (last("steps")?, last("positions")?);
    let draws = steps * config.learning.batch as f64 / positions.max(1.0);
    (draws > MANY_DRAWS).then(|| {
        format!(
            "few games for the steps: each position was drawn {draws:.0} times on average, and {MANY_DRAWS} times is much. More \
             games a generation (selfplay.games, teacher.games) or fewer steps (learning.steps, teacher.steps)"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a run with these columns.
    fn diagnosis(steps: u64, columns: &str) -> Vec<String> {
        let config = TrainConfig::recipe("azul".to_owned(), 2);
        let share = "win share against greedy";
        let header = format!(
            "generation,steps,positions,{share},{share} low,{share} high,wins_seen,wins_seen_error,wins_unseen,wins_unseen_error"
        );
        let rows = columns.replace("STEPS", &steps.to_string());
        diagnose(&config, &Metrics::parse(&format!("{header}\n{rows}\n")).unwrap())
    }

    #[test]
    fn a_run_that_learns_is_not_found_fault_with() {
        let rows =
            "0,100,50000,0.3,0.25,0.35,0.6,0.01,0.61,0.02\n5,STEPS,100000,0.5,0.45,0.55,0.6,0.01,0.62,0.02";
        assert_eq!(diagnosis(500, rows), Vec::<String>::new());
        assert_eq!(diagnosis(500, "0,STEPS,50000,,,,,,,"), Vec::<String>::new(), "nothing is known yet");
    }

    #[test]
    fn each_fault_is_named_with_what_to_change() {
        let fell = "0,100,50000,0.25,0.20,0.31,,,,\n5,STEPS,90000,0.15,0.11,0.19,,,,";
        let [found] = &diagnosis(500, fell)[..] else { panic!("one fault") };
        assert!(
            found.starts_with("strength fell: 25.0 % against greedy after generation 0, 15.0 %"),
            "{found}"
        );
        let still =
            "0,1,9000,0.3,0.25,0.35,,,,\n5,2,20000,0.31,0.25,0.36,,,,\n10,STEPS,90000,0.33,0.28,0.38,,,,";
        let [found] = &diagnosis(500, still)[..] else { panic!("one fault") };
        assert!(found.starts_with("no gain shows against greedy: 30.0 % at the first"), "{found}");
        let by_heart = "0,STEPS,90000,,,,0.3,0.01,0.6,0.02";
        let [found] = &diagnosis(500, by_heart)[..] else { panic!("one fault") };
        assert!(found.contains("0.300 on seen and 0.600 on unseen games"), "{found}");
        let [found] = &diagnosis(5000, "0,STEPS,90000,,,,,,,")[..] else { panic!("one fault") };
        assert!(found.contains("each position was drawn 14 times"), "{found}");
    }
}
