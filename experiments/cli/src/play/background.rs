//! Agents that think on a thread of their own, so that the screen stays responsive.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;

use azulejo::History;
use azulejo_agents::Decision;
use azulejo_experiments::game_loop::FaultReason;

use super::session::PlayError;
use super::table_agents::{TableAgents, TableRole};
use crate::display::GameDisplay;

/// One question, with the game so far.
struct AgentRequest<G: GameDisplay> {
    role: TableRole,
    history: History<G>,
    stop: Arc<AtomicBool>,
}

/// An agent's answer.
pub(super) type AgentReply<G> = (TableRole, Result<Decision<G>, FaultReason>);

/// The thread with the agents. It answers one question at a time.
pub(super) struct Background<G: GameDisplay> {
    questions: Sender<AgentRequest<G>>,
    answers: Receiver<AgentReply<G>>,
    /// The question that is being thought about; none if the thread is idle.
    running: Option<Running>,
}

struct Running {
    stop: Arc<AtomicBool>,
    relevance: Relevance,
}

/// Whether an answer is still wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relevance {
    Wanted,
    Dropped,
}

impl<G: GameDisplay> Background<G> {
    /// Starts the thread. It ends when this value is dropped.
    ///
    /// # Errors
    /// If the system starts none.
    pub(super) fn start(mut agents: TableAgents<G>) -> io::Result<Self> {
        let (questions, incoming) = mpsc::channel::<AgentRequest<G>>();
        let (outgoing, answers) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            for question in incoming {
                let answer = agents.ask(question.role, &question.history, &question.stop);
                if outgoing.send((question.role, answer)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Background { questions, answers, running: None })
    }

    /// Whether a question is being thought about, wanted or not.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Asks a question; only while the thread is idle.
    pub(super) fn ask(&mut self, role: TableRole, history: &History<G>) {
        debug_assert!(!self.is_busy());
        let stop = Arc::new(AtomicBool::new(false));
        let question = AgentRequest { role, history: history.clone(), stop: stop.clone() };
        self.running = Some(Running { stop, relevance: Relevance::Wanted });
        // A thread that has ended is noticed when its answer is asked for.
        _ = self.questions.send(question);
    }

    /// Ends the present thinking early; its answer is not wanted any more.
    pub(super) fn cancel(&mut self) {
        if let Some(running) = &mut self.running {
            running.stop.store(true, Ordering::Relaxed);
            running.relevance = Relevance::Dropped;
        }
    }

    /// The answer, if there is one that is still wanted.
    ///
    /// # Errors
    /// If the thread has ended: an agent panicked.
    pub(super) fn answer(&mut self) -> Result<Option<AgentReply<G>>, PlayError> {
        match self.answers.try_recv() {
            Ok(answer) => {
                let running = self.running.take();
                let wanted = running.is_some_and(|running| running.relevance == Relevance::Wanted);
                Ok(wanted.then_some(answer))
            }
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(PlayError::Breakdown),
        }
    }
}

impl<G: GameDisplay> Drop for Background<G> {
    fn drop(&mut self) {
        self.cancel();
    }
}
