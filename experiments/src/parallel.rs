//! Many games at once, handed on in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use azulejo_agents::AgentSpecError;

use crate::game_loop::{Played, job_player};
use crate::plan::Plan;

/// How many finished games may wait for the one before them to end, for each thread.
const QUEUE: usize = 4;

/// Plays the games of a plan from index `first` on `threads` threads and gives them to `sink` in index order,
/// whatever order they end in.
///
/// Once `stop` is set no game begins any more; those that run are ended and handed on. Returns the index of the
/// first game that was not played.
///
/// # Errors
/// What `sink` returned, or an agent that cannot be built. Nothing follows an error.
pub fn play_in_order<E: From<AgentSpecError>>(
    plan: &Plan,
    first: u64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    mut sink: impl FnMut(Played) -> Result<(), E>,
) -> Result<u64, E> {
    let next = AtomicU64::new(first);
    let (sender, receiver) = mpsc::sync_channel(QUEUE * threads.get());
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || work(plan, next, stop, &sender));
        }
        drop(sender);
        let mut due = first;
        let mut early = BTreeMap::new();
        // An error drops the receiver, and the workers end at their next game.
        for (index, played) in receiver {
            early.insert(index, played);
            while let Some(played) = early.remove(&due) {
                sink(played?)?;
                due += 1;
            }
        }
        Ok(due)
    })
}

type Message = (u64, Result<Played, AgentSpecError>);

/// Plays one game after the other until none is left, the user stops the run, or nobody listens any more.
fn work(plan: &Plan, next: &AtomicU64, stop: &AtomicBool, sender: &SyncSender<Message>) {
    let mut player = job_player(plan);
    while !stop.load(Ordering::Relaxed) {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= plan.games {
            return;
        }
        let played = match &mut player {
            Ok(player) => player.play(&plan.job(index)),
            Err(error) => Err(error.clone()),
        };
        if sender.send((index, played)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Rotation;

    fn plan(agent: &str, games: u64) -> Plan {
        let table = ("azul".parse().unwrap(), 2);
        Plan::selfplay(table, &[agent.parse().unwrap()], games, 3, Rotation::Fixed).unwrap()
    }

    fn indices(plan: &Plan, first: u64, threads: usize, stop_after: u64) -> (Vec<u64>, u64) {
        let (stop, mut seen) = (AtomicBool::new(false), Vec::new());
        let threads = NonZeroUsize::new(threads).unwrap();
        let end = play_in_order(plan, first, threads, &stop, |played| {
            seen.push(played.record.index);
            stop.store(played.record.index + 1 >= stop_after, Ordering::Relaxed);
            Ok::<(), AgentSpecError>(())
        });
        (seen, end.unwrap())
    }

    #[test]
    fn games_come_in_order() {
        let plan = plan("random", 40);
        for threads in [1, 3] {
            assert_eq!(indices(&plan, 5, threads, 40), ((5..40).collect(), 40));
        }
    }

    #[test]
    fn a_stopped_run_has_no_gaps() {
        let plan = plan("random", 10_000);
        let (seen, end) = indices(&plan, 0, 3, 20);
        assert_eq!(seen, (0..end).collect::<Vec<_>>());
        assert!((20..10_000).contains(&end), "stopped after {end} games");
    }

    #[test]
    fn the_first_error_ends_the_run() {
        let (plan, stop) = (plan("greedy:weights=absent.toml", 10), AtomicBool::new(false));
        let result = play_in_order(&plan, 0, NonZeroUsize::MIN, &stop, |_| Ok::<(), AgentSpecError>(()));
        assert!(result.unwrap_err().to_string().contains("absent.toml"));
    }
}
