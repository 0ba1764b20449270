//! What the values that searches found say of the share of the win: [`SearchValues`].

use azulejo::record::End;
use azulejo::{Game, MAX_PLAYERS, Record};

use super::random_moves::RandomMoves;

/// How the values that searches found enter the target for the share of the win.
///
/// A search's values are utilities from −1 to 1, one a seat: more than a win share where the lead in points
/// counts, and bolder or more timid than results are. So the seats' shares are taken to be softmax(s · u),
/// with the slope s at which the games' results are most likely (Platt 1999, for several seats).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SearchValues {
    /// The weight of the searches' values, 0 to 1; the rest is the game's result.
    pub weight: f32,
    /// The slope s, at least 0.
    pub slope: f32,
}

impl SearchValues {
    /// Nobody knows what they say, and they do not count.
    pub(crate) const IGNORED: SearchValues = SearchValues { weight: 0.0, slope: 0.0 };

    /// The target for each seat from the seats' results and the utilities that a search found.
    pub(crate) fn blend(&self, results: &[f32; MAX_PLAYERS], utilities: &[f32]) -> [f32; MAX_PLAYERS] {
        let mut blended = *results;
        for (target, share) in blended.iter_mut().zip(self.shares(utilities)).take(utilities.len()) {
            *target += self.weight * (share - *target);
        }
        blended
    }

    /// What a search's utilities say of each seat's share of the win; 0 beyond the seats.
    pub(crate) fn shares(&self, utilities: &[f32]) -> [f32; MAX_PLAYERS] {
        shares(f64::from(self.slope), utilities).map(|share| share as f32)
    }
}

/// Each seat's share of the win in a game; 0 beyond the seats.
pub(super) fn results(record: &Record) -> [f32; MAX_PLAYERS] {
    let mut results = [0.0; MAX_PLAYERS];
    for (result, wins) in results.iter_mut().zip(&record.wins) {
        *result = *wins as f32;
    }
    results
}

/// softmax(slope · u); 0 beyond the seats.
fn shares(slope: f64, utilities: &[f32]) -> [f64; MAX_PLAYERS] {
    let highest = utilities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares = [0.0; MAX_PLAYERS];
    for (share, utility) in shares.iter_mut().zip(utilities) {
        *share = (slope * f64::from(utility - highest)).exp();
    }
    let total: f64 = shares.iter().sum();
    shares.map(|share| share / total)
}

/// What searches found, beside what came of it: the slope is fitted to these.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchSamples(Vec<SearchSample>);

#[derive(Clone, Copy, Debug)]
struct SearchSample {
    players: usize,
    utilities: [f32; MAX_PLAYERS],
    results: [f32; MAX_PLAYERS],
}

impl SearchSamples {
    /// Adds the searches of a game that was played to its end, but those before a move that was drawn at random.
    ///
    /// # Errors
    /// If the record is for another game, or a move in it is not allowed.
    pub(crate) fn add<G: Game>(&mut self, record: &Record, rules: &'static G::Rules) -> Result<(), String> {
        let analyses = record.analysis.as_deref().unwrap_or_default();
        if record.end != End::Finished || analyses.is_empty() {
            return Ok(());
        }
        let history = record.history::<G>(rules).map_err(|error| error.to_string())?;
        let random = RandomMoves::of(record, &history);
        let analyses = analyses.iter().enumerate().filter(|(ply, _)| random.next(*ply).is_none());
        let analyses = analyses.filter_map(|(_, found)| found.as_ref());
        self.0.extend(analyses.filter(|found| found.values.len() == record.players).map(|found| {
            let mut utilities = [0.0; MAX_PLAYERS];
            utilities[..record.players].copy_from_slice(&found.values);
            SearchSample { players: record.players, utilities, results: results(record) }
        }));
        Ok(())
    }

    /// The values with this weight, and with the slope at which the results are most likely; ignored if there
    /// are none.
    pub(crate) fn weighted(&self, weight: f32) -> SearchValues {
        /// Of utilities that always tell the winner no slope is steep enough.
        const STEEPEST: f64 = 20.0;
        /// They narrow it down to a millionth.
        const HALVINGS: usize = 25;
        if self.0.is_empty() {
            return SearchValues::IGNORED;
        }
        // The likelihood is concave: it rises up to the slope and falls beyond.
        let rises_at = |slope: f64| self.0.iter().map(|sample| sample.derivative(slope)).sum::<f64>() > 0.0;
        let (mut low, mut high) = (0.0, STEEPEST);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if rises_at(middle) { low = middle } else { high = middle }
        }
        let slope = (low + high) / 2.0;
        SearchValues { weight, slope: slope as f32 }
    }
}

impl SearchSample {
    /// The derivative of the results' log-likelihood by the slope: the results' mean utility less that of the
    /// shares.
    fn derivative(&self, slope: f64) -> f64 {
        let utilities = &self.utilities[..self.players];
        let shares = shares(slope, utilities);
        let seats = shares.iter().zip(&self.results).zip(utilities);
        seats.map(|((share, result), utility)| (f64::from(*result) - share) * f64::from(*utility)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(all: &[(&[f32], usize, usize)]) -> SearchSamples {
        let samples = all.iter().flat_map(|&(utilities, winner, times)| {
            let mut sample = SearchSample {
                players: utilities.len(),
                utilities: [0.0; MAX_PLAYERS],
                results: [0.0; MAX_PLAYERS],
            };
            sample.utilities[..utilities.len()].copy_from_slice(utilities);
            sample.results[winner] = 1.0;
            std::iter::repeat_n(sample, times)
        });
        SearchSamples(samples.collect())
    }

    /// With two seats the fit is a logistic regression; one value alone is matched exactly.
    #[test]
    fn the_slope_matches_how_often_values_come_true() {
        let even = samples(&[(&[0.5, -0.5], 0, 3), (&[0.5, -0.5], 1, 1)]).weighted(1.0);
        assert!((f64::from(even.slope) - 3f64.ln()).abs() < 1e-5, "{even:?}");
        let target = even.blend(&[0.0, 1.0, 0.0, 0.0], &[0.5, -0.5]);
        assert!((target[0] - 0.75).abs() < 1e-5 && (target[1] - 0.25).abs() < 1e-5, "{target:?}");
        let half = SearchValues { weight: 0.5, ..even }.blend(&[0.0, 1.0, 0.0, 0.0], &[0.5, -0.5]);
        assert!((half[0] - 0.375).abs() < 1e-5 && half[2] == 0.0, "{half:?}");
    }

    /// The slope is where no other makes the results likelier.
    #[test]
    fn the_slope_is_the_likeliest_one_for_several_seats() {
        let some = samples(&[
            (&[0.6, -0.4, -0.2], 0, 5),
            (&[0.1, 0.3, -0.4], 0, 2),
            (&[-0.2, 0.1, 0.3, -0.2], 2, 3),
            (&[0.8, -0.8], 1, 1),
        ]);
        let fitted = f64::from(some.weighted(1.0).slope);
        let likelihood = |slope: f64| -> f64 {
            let of = |sample: &SearchSample| {
                let shares = shares(slope, &sample.utilities[..sample.players]);
                let winner = sample.results.iter().position(|result| *result == 1.0).unwrap();
                shares[winner].ln()
            };
            some.0.iter().map(of).sum()
        };
        assert!(fitted > 0.1 && fitted < 10.0, "{fitted}");
        for other in [0.9 * fitted, 1.1 * fitted] {
            assert!(likelihood(other) < likelihood(fitted), "{other} against {fitted}");
        }
    }

    #[test]
    fn extremes_have_a_slope() {
        assert!((samples(&[(&[1.0, -1.0], 0, 9)]).weighted(1.0).slope - 20.0).abs() < 1e-4);
        assert!(samples(&[(&[1.0, -1.0], 1, 9)]).weighted(1.0).slope < 1e-4);
        assert_eq!(SearchSamples::default().weighted(1.0), SearchValues::IGNORED);
    }
}
