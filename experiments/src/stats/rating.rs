//! Ratings by maximum likelihood: Luce's choice model of who comes first, which for two players is the model
//! of Bradley and Terry.

/// Elo points for each natural logarithm unit of strength: 400 points are odds of 10 to 1.
pub(crate) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Games with one line-up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contest {
    /// The agents that took part.
    pub members: Vec<Member>,
    /// The wins of each member, in the same order; a shared win counts in parts. They add up to the games.
    pub wins: Vec<f64>,
}

impl Contest {
    /// The contest as it would be if this agent had won every game, or none; unchanged where it takes no part.
    pub(crate) fn decided(mut self, agent: usize, won: bool) -> Self {
        let games: f64 = self.wins.iter().sum();
        let others = self.members.len() as f64 - 1.0;
        let Some(place) = self.members.iter().position(|member| member.agent == agent) else { return self };
        let own = self.wins[place];
        for (other, wins) in self.wins.iter_mut().enumerate() {
            *wins = match (other == place, won) {
                (true, true) => games,
                (true, false) | (false, true) => 0.0,
                (false, false) => *wins + own / others,
            };
        }
        self
    }
}

/// An agent in a contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Member {
    /// The agent's number.
    pub agent: usize,
    /// How many seats it holds.
    pub seats: f64,
    /// The seat that it sits at, where seats have strengths of their own; then it is the only one.
    pub seat: Option<usize>,
}

impl Member {
    /// The places of its strengths in a list of all agents' and then all seats'.
    fn places(self, agents: usize) -> impl Iterator<Item = usize> {
        [Some(self.agent), self.seat.map(|seat| agents + seat)].into_iter().flatten()
    }

    fn strength(self, strengths: &[f64], agents: usize) -> f64 {
        strengths[self.agent] + self.seat.map_or(0.0, |seat| strengths[agents + seat])
    }
}

/// An agent that holds so many seats, all of them alike.
impl From<(usize, f64)> for Member {
    fn from((agent, seats): (usize, f64)) -> Self {
        Member { agent, seats, seat: None }
    }
}

/// The log-strengths that make the results most likely, with mean 0.
///
/// In a contest the agents *i* with strengths γᵢ = exp βᵢ and mᵢ seats win with probability mᵢ γᵢ / Σⱼ mⱼ γⱼ.
/// The log-likelihood Σ wᵢ log pᵢ is concave in β and maximized by Newton's method with step halving. An
/// agent that won everything, or two groups of agents that never met, have no finite maximum; then the
/// iteration ends somewhere on the way.
///
/// `start` has one value per agent to begin from: zeros, or the solution of a similar problem.
pub(crate) fn rate(contests: &[Contest], start: &[f64]) -> Vec<f64> {
    fit(contests, start, start.len())
}

/// The same where seats have strengths too: γ = exp(βᵢ + δₛ) for agent *i* at seat *s*. `start` and the
/// result are the β of the agents, then the δ of the seats, either with mean 0.
pub(crate) fn rate_with_seats(contests: &[Contest], start: &[f64], agents: usize) -> Vec<f64> {
    fit(contests, start, agents)
}

fn fit(contests: &[Contest], start: &[f64], agents: usize) -> Vec<f64> {
    let mut strengths = start.to_vec();
    let mut chances = Vec::new();
    let mut likelihood = log_likelihood(contests, &strengths, agents, &mut chances);
    for _ in 0..MAX_STEPS {
        let (gradient, information) = derivatives(contests, &chances, strengths.len(), agents);
        let Some(step) = solve(information, gradient) else { break };
        let mut size = 1.0;
        let (next, better) = loop {
            let next: Vec<f64> = strengths.iter().zip(&step).map(|(at, by)| at + size * by).collect();
            let better = log_likelihood(contests, &next, agents, &mut chances);
            if better >= likelihood || size < SMALLEST_STEP {
                break (next, better);
            }
            size /= 2.0;
        };
        if better < likelihood {
            break;
        }
        (strengths, likelihood) = (next, better);
        if step.iter().all(|by| by.abs() < TOLERANCE) {
            break;
        }
    }
    let (agents, seats) = strengths.split_at_mut(agents);
    for group in [agents, seats] {
        let mean = group.iter().sum::<f64>() / group.len().max(1) as f64;
        group.iter_mut().for_each(|strength| *strength -= mean);
    }
    strengths
}

/// The change in log-strength below which the iteration ends; 10⁻⁹ is far less than a thousandth Elo point.
const TOLERANCE: f64 = 1e-9;
/// A bound on the iteration; Newton's method needs about ten steps.
const MAX_STEPS: usize = 200;
/// Smaller parts of a Newton step are not tried.
const SMALLEST_STEP: f64 = 1e-6;

/// Appends the probability of each member of a contest to win.
fn push_chances(contest: &Contest, strengths: &[f64], agents: usize, chances: &mut Vec<f64>) {
    let first = chances.len();
    chances.extend(contest.members.iter().map(|member| member.strength(strengths, agents)));
    let own = &mut chances[first..];
    let strongest = own.iter().copied().fold(f64::MIN, f64::max);
    for (chance, member) in own.iter_mut().zip(&contest.members) {
        *chance = member.seats * (*chance - strongest).exp();
    }
    let sum: f64 = own.iter().sum();
    own.iter_mut().for_each(|chance| *chance /= sum);
}

/// Leaves the probabilities of all members to win, contest by contest, in `chances`, in place of what was there.
fn log_likelihood(contests: &[Contest], strengths: &[f64], agents: usize, chances: &mut Vec<f64>) -> f64 {
    chances.clear();
    let of_contest = |contest: &Contest| -> f64 {
        let first = chances.len();
        push_chances(contest, strengths, agents, chances);
        let terms = contest.wins.iter().zip(&chances[first..]);
        terms.filter(|(wins, _)| **wins > 0.0).map(|(wins, chance)| wins * chance.ln()).sum()
    };
    contests.iter().map(of_contest).sum()
}

/// The gradient of the log-likelihood, and minus its Hessian made regular: the model only knows differences
/// among agents and differences among seats, so for either a matrix of ones, which pins the mean, is added.
/// `chances` are those that [`log_likelihood`] leaves, of `size` strengths.
fn derivatives(
    contests: &[Contest],
    mut chances: &[f64],
    size: usize,
    agents: usize,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let pin = |row, column| if (row < agents) == (column < agents) { 1.0 } else { 0.0 };
    let mut information: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| pin(row, column)).collect()).collect();
    let mut gradient = vec![0.0; size];
    for contest in contests {
        let games: f64 = contest.wins.iter().sum();
        let (own, others) = chances.split_at(contest.members.len());
        chances = others;
        for (row, one) in contest.members.iter().enumerate() {
            for a in one.places(agents) {
                gradient[a] += contest.wins[row] - games * own[row];
                for b in one.places(agents) {
                    information[a][b] += games * own[row];
                }
                for (column, other) in contest.members.iter().enumerate() {
                    for b in other.places(agents) {
                        information[a][b] -= games * own[row] * own[column];
                    }
                }
            }
        }
    }
    (gradient, information)
}

/// Solves a linear system with a symmetric positive definite matrix by Gauss's elimination; `None` if it is
/// singular.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for pivot in 0..size {
        if matrix[pivot][pivot] <= f64::EPSILON {
            return None;
        }
        let (above, below) = matrix.split_at_mut(pivot + 1);
        for (row, line) in below.iter_mut().enumerate() {
            let factor = line[pivot] / above[pivot][pivot];
            line.iter_mut().zip(&above[pivot]).for_each(|(value, upper)| *value -= factor * upper);
            right[pivot + 1 + row] -= factor * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use azulejo::Generator;
    use rand::RngExt;

    use super::*;

    fn members(list: &[(usize, f64)]) -> Vec<Member> {
        list.iter().map(|&member| member.into()).collect()
    }

    fn duel(a: usize, b: usize, wins_a: f64, wins_b: f64) -> Contest {
        Contest { members: members(&[(a, 1.0), (b, 1.0)]), wins: vec![wins_a, wins_b] }
    }

    fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
        let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < tolerance);
        assert!(close && found.len() == expected.len(), "{found:?}, expected {expected:?}");
    }

    /// American League East 1987 (Agresti, Categorical Data Analysis, 2nd edition, section 10.6): wins of the
    /// row over the column among Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
    const BASEBALL: [[f64; 7]; 7] = [
        [0., 7., 9., 7., 7., 9., 11.],
        [6., 0., 7., 5., 11., 9., 9.],
        [4., 6., 0., 7., 7., 8., 12.],
        [6., 8., 6., 0., 6., 7., 10.],
        [6., 2., 6., 7., 0., 7., 12.],
        [4., 4., 5., 6., 6., 0., 6.],
        [2., 4., 1., 3., 1., 7., 0.],
    ];

    #[test]
    fn two_players_reproduce_the_published_baseball_fit() {
        let pairs = (0..7).flat_map(|b| (0..b).map(move |a| (a, b)));
        let contests: Vec<Contest> = pairs.map(|(a, b)| duel(a, b, BASEBALL[a][b], BASEBALL[b][a])).collect();
        let found = rate(&contests, &[0.0; 7]);
        let over_baltimore: Vec<f64> = found.iter().map(|strength| strength - found[6]).collect();
        let published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
        assert_close(&over_baltimore, &published, 1e-4);
    }

    #[test]
    fn three_wins_of_four_are_191_points() {
        let found = rate(&[duel(0, 1, 3.0, 1.0)], &[0.0; 2]);
        assert_close(&[ELO * (found[0] - found[1])], &[400.0 * 3f64.log10()], 1e-6);
        assert_close(&[found[0] + found[1]], &[0.0], 1e-12);
    }

    #[test]
    fn a_shared_win_counts_half() {
        let halves = rate(&[duel(0, 1, 2.5, 1.5)], &[0.0; 2]);
        assert_close(&[halves[0] - halves[1]], &[(2.5f64 / 1.5).ln()], 1e-9);
    }

    #[test]
    fn a_contest_can_be_decided_otherwise() {
        let contest =
            Contest { members: members(&[(4, 1.0), (7, 1.0), (9, 1.0)]), wins: vec![2.0, 5.0, 1.0] };
        assert_eq!(contest.clone().decided(7, true).wins, [0.0, 8.0, 0.0]);
        assert_eq!(contest.clone().decided(7, false).wins, [4.5, 0.0, 3.5]);
        assert_eq!(contest.clone().decided(1, true), contest);
    }

    #[test]
    fn one_table_of_three_has_strengths_in_the_ratio_of_wins() {
        let contest =
            Contest { members: members(&[(0, 1.0), (1, 1.0), (2, 1.0)]), wins: vec![6.0, 3.0, 1.0] };
        let found = rate(&[contest], &[0.0; 3]);
        assert_close(&[found[0] - found[1], found[1] - found[2]], &[2f64.ln(), 3f64.ln()], 1e-9);
    }

    #[test]
    fn copies_at_one_table_share_their_wins() {
        // One against three copies of an equally strong one wins a quarter.
        let contest = Contest { members: members(&[(0, 1.0), (1, 3.0)]), wins: vec![25.0, 75.0] };
        assert_close(&rate(&[contest], &[0.0; 2]), &[0.0, 0.0], 1e-9);
    }

    #[test]
    fn three_agents_far_apart_converge() {
        let contests = [duel(0, 1, 1000.25, 0.25), duel(0, 2, 1000.25, 0.25), duel(1, 2, 500.0, 500.0)];
        let found = rate(&contests, &[0.0; 3]);
        assert_close(&[found[1] - found[2]], &[0.0], 1e-9);
        // By symmetry between 1 and 2.
        assert_close(&[found[0] - found[1]], &[(1000.25f64 / 0.25).ln()], 1e-6);
    }

    #[test]
    fn names_do_not_matter() {
        let table = |[a, b, c]: [usize; 3]| {
            [
                duel(a, b, 6.0, 4.0),
                Contest { members: members(&[(a, 1.0), (b, 1.0), (c, 2.0)]), wins: vec![5., 3., 4.] },
            ]
        };
        let first = rate(&table([0, 1, 2]), &[0.0; 3]);
        let second = rate(&table([2, 0, 1]), &[0.0; 3]);
        assert_close(&second, &[first[1], first[2], first[0]], 1e-9);
    }

    #[test]
    fn the_start_does_not_matter() {
        let contests = [duel(0, 1, 60.0, 40.0), duel(1, 2, 99.0, 1.0)];
        let cold = rate(&contests, &[0.0; 3]);
        assert_close(&rate(&contests, &[5.0, -9.0, 3.0]), &cold, 1e-8);
    }

    #[test]
    fn simulated_games_give_their_strengths_back() {
        let truth = [0.9, 0.1, -0.3, -0.7];
        let mut rng = Generator::new(11);
        let mut contests = Vec::new();
        for absent in 0..4 {
            let members: Vec<Member> =
                (0..4).filter(|&agent| agent != absent).map(|agent| (agent, 1.0).into()).collect();
            let mut contest = Contest { wins: vec![0.0; 3], members };
            let mut chances = Vec::new();
            push_chances(&contest, &truth, 4, &mut chances);
            for _ in 0..20_000 {
                let draw = rng.random::<f64>();
                let winner = if draw < chances[0] {
                    0
                } else if draw < chances[0] + chances[1] {
                    1
                } else {
                    2
                };
                contest.wins[winner] += 1.0;
            }
            contests.push(contest);
        }
        assert_close(&rate(&contests, &[0.0; 4]), &truth, 0.03);
    }

    #[test]
    fn home_advantage_of_the_published_baseball_fit() {
        // The same season by the place of the games, with the fit of Agresti (section 10.6.2): wins of the
        // row at home over the column, and of the column away.
        let home = [
            [0, 4, 4, 4, 6, 4, 6],
            [3, 0, 4, 4, 6, 6, 4],
            [2, 4, 0, 2, 4, 4, 6],
            [3, 5, 2, 0, 4, 4, 6],
            [5, 2, 3, 4, 0, 5, 6],
            [2, 3, 3, 4, 4, 0, 2],
            [2, 1, 1, 2, 1, 3, 0],
        ];
        let away = [
            [0, 3, 2, 3, 1, 2, 0],
            [3, 0, 2, 3, 0, 1, 3],
            [5, 3, 0, 4, 3, 2, 0],
            [3, 1, 5, 0, 3, 2, 1],
            [1, 5, 3, 2, 0, 2, 0],
            [5, 3, 4, 3, 2, 0, 4],
            [5, 5, 6, 4, 6, 4, 0],
        ];
        let at = |agent, seat| Member { agent, seats: 1.0, seat: Some(seat) };
        let pairs = (0..7).flat_map(|host| (0..7).map(move |guest| (host, guest)));
        let contests: Vec<Contest> = pairs
            .filter(|(host, guest)| host != guest)
            .map(|(host, guest)| Contest {
                members: vec![at(host, 0), at(guest, 1)],
                wins: vec![f64::from(home[host][guest]), f64::from(away[host][guest])],
            })
            .collect();
        let found = rate_with_seats(&contests, &[0.0; 9], 7);
        assert_close(&[found[7] - found[8]], &[0.302], 5e-4);
        let all: f64 = found[..7].iter().map(|strength| strength.exp()).sum();
        let shares: Vec<f64> = found[..7].iter().map(|strength| strength.exp() / all).collect();
        assert_close(&shares, &[0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044], 5e-4);
    }

    #[test]
    fn seats_have_their_strength_whoever_sits_there() {
        // Agents of strengths 1 and -1 at seats of strengths 0.25 and -0.25, both ways.
        let share = |difference: f64| 1000.0 / (1.0 + (-difference).exp());
        let contest = |first: usize, wins: f64| {
            let at = |agent, seat| Member { agent, seats: 1.0, seat: Some(seat) };
            Contest { members: vec![at(first, 0), at(1 - first, 1)], wins: vec![wins, 1000.0 - wins] }
        };
        let contests = [contest(0, share(2.5)), contest(1, share(-1.5))];
        assert_close(&rate_with_seats(&contests, &[0.0; 4], 2), &[1.0, -1.0, 0.25, -0.25], 1e-6);
    }
}
