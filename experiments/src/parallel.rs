//! Many games at once, handed on in order.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use azulejo_agents::AgentSpecError;
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use crate::game_loop::{Arena, Played};
use crate::schedule::Schedule;

/// How many games further than the first one that has not ended a thread may be: a bound on what waits in
/// memory.
const AHEAD: u64 = 4096;

/// More threads than the system starts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the system does not start {threads} threads: {problem}")]
pub struct ThreadsError {
    /// The threads that were asked for.
    pub threads: NonZeroUsize,
    /// What the system said.
    pub problem: String,
}

/// What must be free beside a thread that starts, in bytes: a thread without memory ends the process, where
/// the system that cannot start one says so. So much that allocators do not keep it when they get it back.
const SPARE: usize = 64 << 20;

/// Threads for games that run at once.
///
/// # Errors
/// If the system does not start so many; then none is left.
pub fn thread_pool(threads: NonZeroUsize) -> Result<ThreadPool, ThreadsError> {
    let (tell, started) = mpsc::channel();
    let start = |worker: ThreadBuilder| {
        let mut spare = Vec::<u8>::new();
        spare.try_reserve_exact(SPARE).map_err(|_| io::ErrorKind::OutOfMemory)?;
        drop(black_box(spare));
        thread::Builder::new().spawn(|| worker.run())?;
        // One at a time, so that what was free is not shared by several.
        started.recv().map_err(io::Error::other)
    };
    let tell = move |_| tell.send(()).expect("the builder listens until all have started");
    let pool = ThreadPoolBuilder::new().num_threads(threads.get()).start_handler(tell).spawn_handler(start);
    pool.build().map_err(|error| ThreadsError { threads, problem: error.to_string() })
}

/// Plays the games of a schedule in its arena from index `first` on the threads of a pool and hands them to
/// `sink` in index order, whatever order they end in.
///
/// `prepare` turns a game into what the sink takes, on the thread that played it. The sink is called by
/// whichever thread brings the game that is due, never by two at once, so it should do little. Once `stop` is
/// set no game begins any more; those that run are ended and handed on. If the sink breaks off, nothing is
/// handed on any more, so that where it ends does not depend on the number of threads. Returns the index of
/// the first game that was not handed on.
///
/// Each thread takes the next game in index order, so that few finished games wait for one before them: a
/// parallel iterator would deal out far ends of the range.
///
/// # Errors
/// What `sink` returned, or an agent that cannot be built. Nothing follows an error.
///
/// # Panics
/// If an agent or the sink panics.
pub fn play_in_order<T: Send, E: From<AgentSpecError> + Send>(
    (arena, schedule): (&dyn Arena, &Schedule),
    first: u64,
    pool: &ThreadPool,
    stop: &AtomicBool,
    prepare: impl Fn(Played) -> T + Sync,
    sink: impl FnMut(T) -> Result<ControlFlow<()>, E> + Send,
) -> Result<u64, E> {
    let next = AtomicU64::new(first);
    let line = ReorderBuffer::new(first, sink);
    pool.broadcast(|_| {
        let mut player = arena.player(schedule);
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= schedule.games {
                return;
            }
            let played = catch_unwind(AssertUnwindSafe(|| match &mut player {
                Ok(player) => player.play(&schedule.job(index)).map(&prepare),
                Err(error) => Err(error.clone()),
            }));
            let open = match played {
                Ok(Ok(played)) => line.bring(index, played),
                Ok(Err(error)) => line.close(Some(error.into())),
                // Closed, so that nobody waits for this game.
                Err(panic) => {
                    line.close(None);
                    resume_unwind(panic)
                }
            };
            if !open {
                return;
            }
        }
    });
    line.result()
}

/// Where finished games wait for the one before them.
struct ReorderBuffer<T, E, S> {
    queue: Mutex<Queue<T, E, S>>,
    /// The first game that has not ended changed, or the line was closed.
    moved: Condvar,
}

struct Queue<T, E, S> {
    /// The first game that has not ended.
    due: u64,
    /// Later games that have.
    early: BTreeMap<u64, T>,
    sink: S,
    /// Whether games are still taken.
    open: bool,
    error: Option<E>,
}

impl<T, E, S: FnMut(T) -> Result<ControlFlow<()>, E>> ReorderBuffer<T, E, S> {
    fn new(due: u64, sink: S) -> Self {
        let queue = Queue { due, early: BTreeMap::new(), sink, open: true, error: None };
        ReorderBuffer { queue: Mutex::new(queue), moved: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<T, E, S>> {
        // Poisoned by a sink that panicked: the line is closed then.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a game and hands on all that are due, after waiting if it is far ahead. Returns whether more are
    /// taken.
    fn bring(&self, index: u64, played: T) -> bool {
        let far = |queue: &mut Queue<T, E, S>| queue.open && index - queue.due >= AHEAD;
        let mut queue = self.moved.wait_while(self.lock(), far).unwrap_or_else(PoisonError::into_inner);
        queue.early.insert(index, played);
        if queue.hand_on() {
            self.moved.notify_all();
        }
        queue.open
    }

    /// Takes no more games. Returns `false`, as [`bring`](ReorderBuffer::bring) does from now on.
    fn close(&self, error: Option<E>) -> bool {
        let mut queue = self.lock();
        if queue.open {
            (queue.open, queue.error) = (false, error);
        }
        self.moved.notify_all();
        false
    }

    fn result(self) -> Result<u64, E> {
        let queue = self.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        queue.error.map_or(Ok(queue.due), Err)
    }
}

impl<T, E, S: FnMut(T) -> Result<ControlFlow<()>, E>> Queue<T, E, S> {
    /// Gives the sink the games that are due. Returns whether anything changed.
    fn hand_on(&mut self) -> bool {
        let before = self.due;
        while self.open
            && let Some(played) = self.early.remove(&self.due)
        {
            // Open again only once the sink has returned.
            self.open = false;
            match (self.sink)(played) {
                Ok(flow) => (self.open, self.due) = (flow.is_continue(), self.due + 1),
                Err(error) => self.error = Some(error),
            }
        }
        self.due != before || !self.open
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_loop::arena;
    use crate::schedule::Rotation;

    fn azul() -> Box<dyn Arena> {
        arena("azul".parse().unwrap())
    }

    fn pool(threads: usize) -> ThreadPool {
        thread_pool(NonZeroUsize::new(threads).unwrap()).unwrap()
    }

    fn schedule(agent: &str, games: u64) -> Schedule {
        let table = ("azul", 2);
        Schedule::selfplay(table, &[agent.parse().unwrap()], games, 3, Rotation::Fixed).unwrap()
    }

    fn indices(schedule: &Schedule, first: u64, threads: usize, stop_after: u64) -> (Vec<u64>, u64) {
        let (stop, mut seen) = (AtomicBool::new(false), Vec::new());
        let end = play_in_order(
            (&*azul(), schedule),
            first,
            &pool(threads),
            &stop,
            |played| played.record.index,
            |index| {
                seen.push(index);
                stop.store(index + 1 >= stop_after, Ordering::Relaxed);
                go_on()
            },
        );
        (seen, end.unwrap())
    }

    fn go_on() -> Result<ControlFlow<()>, AgentSpecError> {
        Ok(ControlFlow::Continue(()))
    }

    #[test]
    fn a_sink_that_breaks_off_gets_nothing_more() {
        let (schedule, stop) = (schedule("random", 10_000), AtomicBool::new(false));
        for threads in [1, 3] {
            let (pool, mut taken) = (pool(threads), 0);
            let sink = |index| {
                taken += 1;
                let flow = if index == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
                Ok::<_, AgentSpecError>(flow)
            };
            let end =
                play_in_order((&*azul(), &schedule), 0, &pool, &stop, |played| played.record.index, sink)
                    .unwrap();
            assert_eq!((end, taken), (21, 21));
        }
    }

    #[test]
    fn games_come_in_order() {
        let schedule = schedule("random", 40);
        for threads in [1, 3] {
            assert_eq!(indices(&schedule, 5, threads, 40), ((5..40).collect(), 40));
        }
    }

    #[test]
    fn a_stopped_run_has_no_gaps() {
        let schedule = schedule("random", 10_000);
        let (seen, end) = indices(&schedule, 0, 3, 20);
        assert_eq!(seen, (0..end).collect::<Vec<_>>());
        assert!((20..10_000).contains(&end), "stopped after {end} games");
    }

    #[test]
    fn the_first_error_ends_the_run() {
        let (schedule, stop) = (schedule("greedy:weights=absent.toml", 10), AtomicBool::new(false));
        let result = play_in_order((&*azul(), &schedule), 0, &pool(1), &stop, drop, |()| go_on());
        assert!(result.unwrap_err().to_string().contains("absent.toml"));
    }

    #[test]
    fn an_error_of_the_sink_ends_the_run() {
        let (schedule, stop) = (schedule("random", 10_000), AtomicBool::new(false));
        let full = AgentSpecError::Name { name: "full".to_owned(), known: String::new() };
        let mut taken = 0;
        let sink = |index| {
            taken += 1;
            if index == 20 { Err(full.clone()) } else { go_on() }
        };
        let result =
            play_in_order((&*azul(), &schedule), 0, &pool(3), &stop, |played| played.record.index, sink);
        assert_eq!((result, taken), (Err(full), 21));
    }

    #[test]
    #[should_panic(expected = "a broken agent")]
    fn a_panic_ends_the_run() {
        let (schedule, stop) = (schedule("random", 100_000), AtomicBool::new(false));
        let prepare = |played: Played| assert!(played.record.index != 20, "a broken agent");
        let _ = play_in_order((&*azul(), &schedule), 0, &pool(3), &stop, prepare, |()| go_on());
    }
}
