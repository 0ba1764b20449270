//! What came in during a search and waits for its end: [`Backlog`].

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How much may wait, in bytes; then the input is not read on.
const MOST: usize = 16 << 20;

/// A queue that holds back whoever fills it.
pub(super) struct Backlog<T> {
    waiting: VecDeque<(T, usize)>,
    room: Arc<Room>,
}

/// What the reader of the input and the queue have in common.
#[derive(Default)]
pub(super) struct Room {
    /// The length of all that waits, in bytes.
    taken: Mutex<usize>,
    freed: Condvar,
}

impl<T> Backlog<T> {
    pub(super) fn new() -> Self {
        Backlog { waiting: VecDeque::new(), room: Arc::default() }
    }

    pub(super) fn room(&self) -> Arc<Room> {
        self.room.clone()
    }

    /// Adds something of a length in bytes.
    pub(super) fn push(&mut self, it: T, length: usize) {
        *self.room.lock() += length;
        self.waiting.push_back((it, length));
    }

    /// Takes what has waited longest.
    pub(super) fn pop(&mut self) -> Option<T> {
        let (it, length) = self.waiting.pop_front()?;
        *self.room.lock() -= length;
        self.room.freed.notify_all();
        Some(it)
    }
}

impl Room {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for more.
    pub(super) fn wait(&self) {
        let full = |taken: &mut usize| *taken > MOST;
        drop(self.freed.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_full_queue_holds_the_reader_back_until_something_is_taken() {
        let mut backlog = Backlog::new();
        backlog.push("first", 1);
        backlog.push("second", MOST);
        let room = backlog.room();
        let reader = thread::spawn(move || room.wait());
        thread::sleep(Duration::from_millis(50));
        assert!(!reader.is_finished());
        assert_eq!(backlog.pop(), Some("first"));
        reader.join().unwrap();
        assert_eq!((backlog.pop(), backlog.pop()), (Some("second"), None));
    }
}
