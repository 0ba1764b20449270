//! Pairs of agents against each other, and the cycles among them.

use azulejo::Generator;

use super::CycleSummary;
use crate::standings::{BlockSums, PlayedBlocks, Standings, WinShare};
use crate::stats::{Estimate, HalfBlocks, Interval, Resamples, Stratum, Triads};

/// What is known of the pairs of agents that have met.
pub(super) struct PairEstimates {
    /// The pairs, in order.
    pub pairs: Vec<[usize; 2]>,
    /// The first one's win share in each pair.
    pub shares: Vec<Option<Estimate>>,
    /// How likely it is that the first one is the stronger.
    pub superiorities: Vec<Option<f64>>,
    /// Which of the two has the larger share; `None` if neither has.
    first_is_better: Vec<Option<bool>>,
    /// The interval of the share of intransitive triples.
    cycles: Option<Interval>,
}

impl PairEstimates {
    pub(super) fn new(
        agents: usize,
        standings: &Standings,
        strata: &[Stratum<BlockSums>],
        generator: Generator,
    ) -> Self {
        let totals = standings.totals();
        let all = (0..agents).flat_map(|a| (a + 1..agents).map(move |b| [a, b]));
        let pairs: Vec<[usize; 2]> = all.filter(|pair| standings.games_of(pair).0 > 0).collect();
        let of_both: Vec<[WinShare; 2]> =
            pairs.iter().map(|&[a, b]| [standings.share_of(&[a, b]), standings.share_of(&[b, a])]).collect();
        let played: Vec<[PlayedBlocks; 2]> =
            of_both.iter().map(|both| both.each_ref().map(|share| share.played(strata, &totals))).collect();
        let resamples = Resamples::draw(strata, generator, |totals, rng| {
            let pair = |([a, b], played): (&[WinShare; 2], &[PlayedBlocks; 2])| {
                let halves = HalfBlocks::draw(played[0].blocks, rng);
                let first = a.with_half_blocks(totals, &played[0], halves);
                [first, b.with_half_blocks(totals, &played[1], halves.swapped())]
            };
            let mut drawn: Vec<Option<f64>> = of_both.iter().zip(&played).flat_map(pair).collect();
            drawn.push(triads(agents, &pairs, &better(&drawn)).share());
            drawn
        });
        let found: Vec<Option<f64>> = of_both.iter().flatten().map(|share| share.value(&totals)).collect();
        let intervals = resamples.intervals();
        let varies: Vec<bool> = played.iter().map(|[first, _]| first.vary()).collect();
        let each = || varies.iter().enumerate().map(|(pair, &varies)| (2 * pair, varies));
        let superiority = |first| resamples.superiority(first, first + 1);
        let interval = |first: usize| intervals[first].map(|interval| played[first / 2][0].open(interval));
        PairEstimates {
            shares: each()
                .map(|(first, varies)| Estimate::where_it_varies(found[first], interval(first), varies))
                .collect(),
            superiorities: each().map(|(first, varies)| superiority(first).filter(|_| varies)).collect(),
            first_is_better: better(&found),
            cycles: intervals.last().copied().flatten(),
            pairs,
        }
    }

    /// The cycles among so many agents; `None` without triples that have all met.
    pub(super) fn cycles(&self, agents: usize) -> Option<CycleSummary> {
        let found = triads(agents, &self.pairs, &self.first_is_better);
        let sure = |(better, superiority): (&Option<bool>, &Option<f64>)| {
            better.filter(|_| superiority.is_some_and(|it| !(0.05..0.95).contains(&it)))
        };
        let certain: Vec<Option<bool>> =
            self.first_is_better.iter().zip(&self.superiorities).map(sure).collect();
        found.share().map(|share| CycleSummary {
            triples: found.all,
            intransitive: found.circular,
            certain: triads(agents, &self.pairs, &certain).circular,
            share: Some(Estimate::widened(share, self.cycles)),
        })
    }
}

/// For each pair of shares whether the first one is larger.
fn better(shares: &[Option<f64>]) -> Vec<Option<bool>> {
    let pairs = shares.chunks_exact(2).map(|pair| Some((pair[0]?, pair[1]?)));
    pairs.map(|pair| pair.filter(|(a, b)| a != b).map(|(a, b)| a > b)).collect()
}

/// The triples of agents whose pairs are listed, in order; `better` says whether the first of a pair is.
fn triads(agents: usize, pairs: &[[usize; 2]], better: &[Option<bool>]) -> Triads {
    let number = |a: usize, b: usize| pairs.binary_search(&[a.min(b), a.max(b)]).ok();
    Triads::count(
        agents,
        |a, b| number(a, b).is_some(),
        |a, b| number(a, b).and_then(|pair| better[pair]) == Some(a < b),
    )
}
