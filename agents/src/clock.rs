//! The time that a search may take and what it has taken: [`SearchClock`]; what an agent is allowed: [`Allowance`].

use std::time::{Duration, Instant};

use crate::agent::Limits;
use crate::parameters::Share;

/// The time for one choice; nothing where only simulations or nodes limit it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimeLimits {
    /// The longest time on the wall clock.
    pub time: Option<Duration>,
    /// The longest processor time of the thread that searches, of several of the first.
    pub cpu: Option<Duration>,
}

impl TimeLimits {
    /// Limits in milliseconds, as agents' parameters have them.
    pub(crate) fn from_millis(time: Option<u64>, cpu: Option<u64>) -> Self {
        TimeLimits { time: time.map(Duration::from_millis), cpu: cpu.map(Duration::from_millis) }
    }

    /// The limits that a caller sets.
    pub(crate) fn of(limits: &Limits<'_>) -> Self {
        TimeLimits { time: limits.time, cpu: limits.cpu }
    }

    /// Whether any time is limited.
    pub(crate) fn exist(&self) -> bool {
        self.time.is_some() || self.cpu.is_some()
    }
}

/// The time that a clock allows each of an agent's moves in a game: so much, and a share of what earlier ones have left of theirs. On
/// average moves take that much at most. It is Fischer's clock, an increment and no time to begin with, of which a move takes a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    each: Duration,
    carry: Share,
    /// What the moves of the game have left.
    left: Duration,
}

impl Allowance {
    /// So much time for each move, of which later ones may take such a share of what is left, at the beginning of a game.
    pub fn new(each: Duration, carry: Share) -> Self {
        Allowance { each, carry, left: Duration::ZERO }
    }

    /// The longest time for the next move.
    pub fn next_move(&self) -> Duration {
        self.each + self.carry.of(self.left)
    }

    /// Counts a move that took so long. One that took too long leaves nothing, and no debt.
    pub fn count_move(&mut self, taken: Duration) {
        self.left = (self.left + self.each).saturating_sub(taken);
    }

    fn new_game(&mut self) {
        self.left = Duration::ZERO;
    }
}

/// What either clock allows an agent's moves, if it limits them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeControl {
    time: Option<Allowance>,
    cpu: Option<Allowance>,
}

impl TimeControl {
    /// These limits on each move, with a share of what is left carried over.
    pub(crate) fn new(each: TimeLimits, carry: Share) -> Self {
        let allowance = |each: Option<Duration>| each.map(|each| Allowance::new(each, carry));
        TimeControl { time: allowance(each.time), cpu: allowance(each.cpu) }
    }

    /// Forgets what is left: a game begins.
    pub(crate) fn new_game(&mut self) {
        self.time.iter_mut().chain(&mut self.cpu).for_each(Allowance::new_game);
    }

    /// The time for the next move.
    pub(crate) fn next_move(&self) -> TimeLimits {
        let [time, cpu] = [self.time, self.cpu].map(|clock| clock.map(|clock| clock.next_move()));
        TimeLimits { time, cpu }
    }

    /// Counts a move that has taken what its clock says.
    pub(crate) fn count_move(&mut self, clock: &SearchClock) {
        if let Some(time) = &mut self.time {
            time.count_move(clock.elapsed());
        }
        if let Some(cpu) = &mut self.cpu {
            cpu.count_move(clock.cpu().unwrap_or_default());
        }
    }
}

/// The time between two looks of those who watch a search.
pub(crate) const WATCH_INTERVAL: Duration = Duration::from_millis(250);

/// A search's time, by both clocks. The processor's is that of one thread, and read by that thread alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchClock {
    limits: TimeLimits,
    began: Instant,
    /// The processor time that the thread had taken before; none where no time limits the search.
    cpu_before: Option<Duration>,
    /// The processor time that counts beside: what threads took that searched in its place before.
    cpu_beside: Duration,
}

impl SearchClock {
    /// A clock that starts now.
    pub(crate) fn start(limits: TimeLimits) -> Self {
        let cpu_before = limits.exist().then(thread_time);
        SearchClock { limits, began: Instant::now(), cpu_before, cpu_beside: Duration::ZERO }
    }

    /// The same clock for the present thread, which joins the search now, in place of one that has taken this much of its
    /// processor time.
    pub(crate) fn on_this_thread(self, cpu_beside: Duration) -> Self {
        SearchClock { cpu_before: self.cpu_before.map(|_| thread_time()), cpu_beside, ..self }
    }

    /// The time on the wall clock since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// The thread's processor time since the start; `None` where no time limits the search.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        self.cpu_before.map(|before| thread_time().saturating_sub(before) + self.cpu_beside)
    }

    /// The share of the time that is used up, of whichever limit is nearer, and what the clock says of which looks are paced.
    /// A little of the time on the wall clock is kept back: a search still has to say what it has found, and others may have
    /// the processor when it is to end.
    fn read(&self) -> (f64, Duration) {
        let wall = self.limits.time.map(|limit| (self.elapsed(), limit - (limit / 100).min(RESERVE)));
        let cpu = self.limits.cpu.map(|limit| (self.cpu().unwrap_or_default(), limit));
        let share = |(used, limit): (Duration, Duration)| match used >= limit {
            true => 1.0,
            false => used.as_secs_f64() / limit.as_secs_f64(),
        };
        let used = [wall, cpu].into_iter().flatten().map(share).fold(0.0, f64::max);
        (used, cpu.or(wall).map_or(Duration::ZERO, |(used, _)| used))
    }
}

/// The most of a limit on the wall clock that is kept back, for limits of a second and more.
const RESERVE: Duration = Duration::from_millis(10);

/// When a search looks at its clock. Its steps take from less than a microsecond to half a millisecond, so it counts on as many
/// as would have taken about [`PACE`] at the last look, one at first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockLooks {
    /// The steps between two looks.
    interval: u64,
    most: u64,
    /// The number of steps at which to look again.
    next: u64,
    /// The steps and the time at the last look.
    last: (u64, Duration),
    /// The share of the time that was used up then.
    used: f64,
}

/// The time between two looks: long beside the time that a look takes, short beside a millisecond.
const PACE: Duration = Duration::from_micros(200);

impl ClockLooks {
    /// The first look comes after so many steps, the next one after at most `most` steps more; no clock is read where no
    /// time is limited.
    pub(crate) fn new(first: u64, most: u64) -> Self {
        ClockLooks { interval: 1, most, next: first, last: (0, Duration::ZERO), used: 0.0 }
    }

    /// Whether to look after so many steps.
    #[inline]
    pub(crate) fn is_due(&self, steps: u64) -> bool {
        steps >= self.next
    }

    /// Looks at the clock after so many steps; returns whether the time is used up.
    #[cold]
    pub(crate) fn look(&mut self, steps: u64, clock: &SearchClock) -> bool {
        if !clock.limits.exist() {
            self.next = steps.saturating_add(self.most);
            return false;
        }
        let (used, now) = clock.read();
        let made = steps.saturating_sub(self.last.0).max(1);
        let interval = now.saturating_sub(self.last.1).as_secs_f64() * self.interval as f64 / made as f64;
        if interval > PACE.as_secs_f64() {
            self.interval = (self.interval / 2).max(1);
        } else if interval < PACE.as_secs_f64() / 2.0 {
            self.interval = (self.interval * 2).min(self.most);
        }
        (self.next, self.last, self.used) = (steps.saturating_add(self.interval), (steps, now), used);
        used >= 1.0
    }

    /// The steps that fit into the rest of the time if they take as long as those before the last look; `None` where no time
    /// is limited, or before the first look.
    pub(crate) fn steps_left(&self) -> Option<u64> {
        (self.used > 0.0).then(|| (self.last.0 as f64 * (1.0 - self.used) / self.used) as u64)
    }
}

/// The processor time that the present thread has taken so far.
#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The same where the system has no such clock: the time on the wall clock.
#[cfg(not(unix))]
pub(crate) fn thread_time() -> Duration {
    use std::sync::LazyLock;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use azulejo::azul::{Azul, AzulRules};
    use azulejo::queens_garden::QueensGarden;
    use azulejo::summer_pavilion::SummerPavilion;
    use azulejo::{Game, Generator, Move, Turn};

    use super::*;
    use crate::parameters::ParameterValue;
    use crate::{AgentSpec, Playable};

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Keeps the processor busy for so long, by its own clock.
    fn work(time: Duration) {
        let start = thread_time();
        while thread_time() - start < time {
            std::hint::black_box((0..100).sum::<u64>());
        }
    }

    #[test]
    fn without_limits_of_time_no_clock_runs() {
        let clock = SearchClock::start(TimeLimits::default());
        let mut looks = ClockLooks::new(2, 16);
        assert_eq!((clock.cpu(), clock.on_this_thread(Duration::ZERO).cpu()), (None, None));
        assert!(!looks.is_due(1) && looks.is_due(2) && !looks.look(2, &clock));
        assert!(!looks.is_due(17) && looks.is_due(18));
    }

    #[test]
    #[cfg(unix)]
    fn sleep_takes_time_but_no_processor() {
        let clock = SearchClock::start(TimeLimits::from_millis(None, Some(20)));
        let mut looks = ClockLooks::new(1, 16);
        std::thread::sleep(millis(30));
        assert!(clock.elapsed() >= millis(30) && clock.cpu() < Some(millis(20)) && !looks.look(1, &clock));
        work(millis(20));
        assert!(clock.cpu() >= Some(millis(20)) && looks.look(2, &clock));
        let wall = SearchClock::start(TimeLimits::from_millis(Some(5), Some(1000)));
        std::thread::sleep(millis(5));
        assert!(looks.look(3, &wall), "whichever ends first");
    }

    #[test]
    #[cfg(unix)]
    fn each_thread_has_a_clock_of_its_own() {
        let clock = SearchClock::start(TimeLimits::from_millis(None, Some(10)));
        work(millis(10));
        let other = std::thread::scope(|scope| {
            scope.spawn(|| clock.on_this_thread(Duration::ZERO).cpu()).join().unwrap()
        });
        assert!(clock.cpu() >= Some(millis(10)) && other < Some(millis(5)), "{other:?}");
    }

    #[test]
    #[cfg(unix)]
    fn the_steps_that_are_left_follow_from_those_that_were_made() {
        let clock = SearchClock::start(TimeLimits::from_millis(None, Some(40)));
        let mut looks = ClockLooks::new(1, 16);
        assert_eq!(looks.steps_left(), None);
        work(millis(10));
        looks.look(100, &clock);
        let left = looks.steps_left().expect("a time is limited");
        assert!((200..=300).contains(&left), "{left} after a quarter of the time");
        work(millis(30));
        assert!(looks.look(400, &clock) && looks.steps_left() == Some(0));
    }

    #[test]
    fn without_a_carry_what_is_left_is_lost() {
        let each = TimeLimits::from_millis(Some(30), Some(20));
        let mut control = TimeControl::new(each, Share::NONE);
        control.count_move(&SearchClock::start(each));
        assert_eq!(control.next_move(), each);
    }

    #[test]
    fn what_moves_leave_is_carried_over_in_parts() {
        let mut allowance = Allowance::new(millis(40), Share::read("0.5").unwrap());
        let mut next_after = |taken: u64| {
            allowance.count_move(millis(taken));
            allowance.next_move()
        };
        // What is left: 30, 30, 15, nothing, as there are no debts, and 40 milliseconds.
        assert_eq!(
            [10, 40, 55, 70, 0].map(&mut next_after),
            [55_000, 55_000, 47_500, 40_000, 60_000].map(Duration::from_micros)
        );
    }

    #[test]
    #[cfg(unix)]
    fn either_clock_is_counted_by_itself_and_a_game_begins_with_nothing() {
        let each = TimeLimits::from_millis(Some(40), Some(40));
        let mut control = TimeControl::new(each, Share::read("1").unwrap());
        let clock = SearchClock::start(control.next_move());
        std::thread::sleep(millis(40));
        control.count_move(&clock);
        let next = control.next_move();
        assert!(next.time == Some(millis(40)) && next.cpu > Some(millis(70)), "{next:?}");
        control.new_game();
        assert_eq!(control.next_move(), each);
    }

    /// The processor time of each of an agent's moves in a game with itself.
    fn times<G: Playable>(variant: &str, spec: &str, limits: &Limits<'_>) -> Vec<Duration> {
        let rules = azulejo::rules_of::<G>(variant).expect("a variant");
        let mut agent = spec.parse::<AgentSpec>().expect("a spec").build::<G>().expect("an agent");
        let (mut state, mut rng, mut legal) = (G::new(rules, 2), Generator::new(5), Vec::new());
        let mut times = Vec::new();
        agent.new_game(1);
        while state.turn() != Turn::Over {
            let next = match state.turn() {
                Turn::Player(_) => {
                    let before = thread_time();
                    let action = agent.choose(&state, limits).expect("a choice").action;
                    times.push(thread_time() - before);
                    Move::Action(action)
                }
                _ => Move::draw(&state, &mut rng, &mut legal),
            };
            next.apply(&mut state);
            agent.observe(&next);
        }
        times
    }

    #[test]
    #[cfg(unix)]
    fn agents_that_carry_time_over_take_more_for_some_moves_and_not_more_on_average() {
        let each = millis(8);
        for spec in ["mcts:cpu=8,carry=0.5", "neural:cpu=8,carry=0.5", "minimax:cpu=8,carry=0.5"] {
            let times = times::<Azul>("azul", spec, &Limits::default());
            let longer = times.iter().filter(|&&time| time > each + each / 5).count();
            let all: Duration = times.iter().sum();
            assert!(longer >= 3 && all <= (each + millis(1)) * times.len() as u32, "{spec}: {times:?}");
        }
        // A caller's limits take the place of all that.
        let limits = Limits { cpu: Some(each), ..Limits::default() };
        let times = times::<Azul>("azul", "mcts:cpu=50,carry=1", &limits);
        assert!(times.iter().filter(|&&time| time > 2 * each).count() <= 1, "{times:?}");
    }

    #[test]
    fn looks_are_paced_by_what_steps_take() {
        let clock = SearchClock::start(TimeLimits::from_millis(None, Some(60_000)));
        let mut looks = ClockLooks::new(1, 64);
        let mut steps = 0;
        let mut look_after = |each: Duration| {
            steps += looks.interval;
            work(each * looks.interval as u32);
            assert!(looks.is_due(steps) && !looks.look(steps, &clock));
            looks.interval
        };
        let quick: Vec<u64> = (0..12).map(|_| look_after(Duration::ZERO)).collect();
        assert_eq!((quick[0], quick[11]), (2, 64), "{quick:?}");
        let slow: Vec<u64> = (0..12).map(|_| look_after(Duration::from_micros(50))).collect();
        assert!(slow[11] <= 4, "steps of 50 µs: {slow:?}");
    }

    /// The most processor time beyond 5 ms that an agent takes for a choice, over states from a game's start to its end.
    /// What else the machine does can make one choice slow, not three of the same.
    fn overshoot<G: Playable>(variant: &str, players: usize, spec: &str) -> Duration {
        let rules = azulejo::rules_of::<G>(variant).expect("a variant");
        let mut agent = spec.parse::<AgentSpec>().expect("a spec").build::<G>().expect("an agent");
        let (mut state, mut rng, mut legal) = (G::new(rules, players), Generator::new(3), Vec::new());
        let (mut most, mut plies) = (Duration::ZERO, 0);
        while state.turn() != Turn::Over {
            if plies % 16 == 1 && matches!(state.turn(), Turn::Player(_)) {
                let beyond = (0..3).map(|_| {
                    let before = thread_time();
                    agent.choose(&state, &Limits::default()).expect("a choice");
                    (thread_time() - before).saturating_sub(millis(5))
                });
                most = most.max(beyond.min().unwrap_or_default());
            }
            Move::draw(&state, &mut rng, &mut legal).apply(&mut state);
            plies += 1;
        }
        most
    }

    #[test]
    #[cfg(unix)]
    fn a_choice_ends_within_a_millisecond_of_its_time() {
        let found = [
            overshoot::<SummerPavilion>("summer-pavilion", 4, "minimax:cpu=5"),
            overshoot::<SummerPavilion>("summer-pavilion:gray", 4, "minimax:cpu=5"),
            overshoot::<SummerPavilion>("summer-pavilion:gray", 4, "minimax:cpu=5,search=maxn"),
            overshoot::<SummerPavilion>("summer-pavilion:gray", 4, "mcts:cpu=5"),
            overshoot::<QueensGarden>("queens-garden", 4, "minimax:cpu=5"),
            overshoot::<QueensGarden>("queens-garden", 4, "mcts:cpu=5"),
        ];
        assert!(found.iter().all(|beyond| *beyond < millis(1)), "{found:?}");
    }

    #[test]
    fn what_was_spent_is_told_where_a_time_limits_the_search() {
        let state = {
            let mut state = Azul::new(azulejo::intern(AzulRules::default()), 2);
            Move::draw(&state, &mut Generator::new(1), &mut Vec::new()).apply(&mut state);
            state
        };
        // Who is asked for candidates uses all of the time.
        let limits = Limits { candidates: 1, ..Limits::default() };
        let search = |spec: &str| {
            let mut agent = spec.parse::<AgentSpec>().expect("a spec").build::<Azul>().expect("an agent");
            agent.choose(&state, &limits).expect("a choice").search.expect("a search")
        };
        for spec in ["mcts:sims=20", "minimax:nodes=20", "neural:sims=4"] {
            let search = search(spec);
            let analysis = search.analysis();
            assert_eq!((search.cpu, analysis.nodes, analysis.cpu_ms, analysis.ms), (None, None, None, None));
        }
        for spec in [
            "mcts:cpu=5",
            "mcts:time=5,sims=90",
            "minimax:cpu=5,time=9",
            "neural:cpu=5",
            "mcts:cpu=5,threads=2",
        ] {
            let search = search(spec);
            let analysis = search.analysis();
            assert_eq!(analysis.nodes, Some(search.nodes), "{spec}");
            assert!(analysis.cpu_ms > Some(0.0) && analysis.ms > Some(0.0), "{spec}: {analysis:?}");
        }
        let threads = search("mcts:cpu=10,threads=2").cpu;
        assert!(threads >= Some(millis(10)), "that of the thread that walks, and more: {threads:?}");
    }
}
