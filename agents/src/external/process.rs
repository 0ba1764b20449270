//! A running program, spoken to line by line: [`Process`].
//!
//! Nothing here waits without a limit: threads of their own read what the program prints and write what it is
//! told, so that neither a program that is silent nor one that does not read can hold anybody up.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::mem;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use azulejo::shortened;

use super::error_log::ErrorLog;
use super::supervision::{is_supervised, supervised};
use crate::lines::{LineError, LineReader};
use crate::protocol::{MAX_LINE, ProtocolCommand};

/// How many printed lines may wait; then the program does.
const QUEUE: usize = 16;
/// How long a program may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(1);
/// How long a supervisor may take to end what is left, which would live on without it: longer than it takes to give up by itself.
const CLEARING: Duration = Duration::from_secs(25);
/// How long to wait for the exit status, or the last words, of a program that has closed its output.
const LINGER: Duration = Duration::from_millis(300);
/// The time between two looks at something that cannot be waited for.
const INTERVAL: Duration = Duration::from_millis(5);

/// The programs that run now: the leaders of their process groups.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all external programs for good: for a program that is about to exit without dropping its agents.
///
/// From now on no thread can start another one, or finds out that its own has ended: it waits instead, so
/// that no game is taken for lost in the last moment.
pub fn kill_all() {
    let running = running();
    let end = if is_supervised() { group::terminate } else { group::kill };
    running.iter().for_each(|&leader| end(leader));
    // The lock stays locked.
    mem::forget(running);
}

/// Why a program has not said anything.
#[derive(Debug)]
pub enum Silence {
    /// The deadline is over.
    Time,
    /// The caller's flag was set.
    Stop,
    /// The program has ended, or closed its output.
    Ended(String),
    /// What it said is no line of text of a reasonable length.
    Unreadable(LineError),
}

/// A running program. It is asked to `quit` when this is dropped, and killed if it does not.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// `None` once nothing more is to be written.
    input: Option<Sender<String>>,
    output: Receiver<Result<String, LineError>>,
    /// Gets the last line of the error output at its end.
    errors: Receiver<String>,
    life: Life,
}

/// Whether a program still has to be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Running,
    Ended(Option<ExitStatus>),
}

impl Process {
    /// Starts a program with arguments, in a process group of its own, so that Ctrl-C at the terminal is not
    /// for it, supervised if this program [can](super::supervise_by). What it writes on its error output is added to the log.
    ///
    /// # Errors
    /// If the system cannot start it, or the threads that talk to it.
    ///
    /// # Panics
    /// If the command is empty.
    pub fn start(command: &[String], log: Option<File>) -> io::Result<Self> {
        let mut command = supervised(command)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        group::lead(&mut command);
        let mut child = {
            // Locked first, so that `kill_all` misses nothing that starts meanwhile.
            let mut running = running();
            let child = command.spawn()?;
            running.insert(child.id());
            child
        };
        let pipes = "was asked for as a pipe";
        let (commands, input) = mpsc::channel();
        let (lines, output) = mpsc::sync_channel(QUEUE);
        let (last_words, errors) = mpsc::channel();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdin, stdout, stderr) = (stdin.expect(pipes), stdout.expect(pipes), stderr.expect(pipes));
        let log = log.map(|file| ErrorLog::new(file, child.id()));
        // From here on the program is ended when this is dropped, also where the system starts no thread.
        let process = Process { child, input: Some(commands), output, errors, life: Life::Running };
        on_thread(move || write_lines(stdin, &input))?;
        on_thread(move || read_lines(stdout, &lines))?;
        on_thread(move || read_errors(stderr, &last_words, log))?;
        Ok(process)
    }

    /// Tells the program a line. It need not be alive: the next [`hear`](Process::hear) finds that out.
    pub fn say(&mut self, line: impl fmt::Display) {
        if let Some(input) = &self.input {
            // The writer is gone only if the program has closed its input.
            _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line that the program prints, before the deadline and while the flag, if there is one, is not
    /// set.
    ///
    /// # Errors
    /// Why there is none.
    pub fn hear(&mut self, deadline: Instant, stop: Option<&AtomicBool>) -> Result<String, Silence> {
        loop {
            // Asked first: of a program that prints without a pause there is always a next line.
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Silence::Stop);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Silence::Time);
            }
            match self.output.recv_timeout(if stop.is_some() { left.min(INTERVAL) } else { left }) {
                Ok(line) => return line.map_err(Silence::Unreadable),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(self.obituary())),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the program ends by itself before the deadline; what it still prints is lost.
    pub fn ends_before(&mut self, deadline: Instant) -> bool {
        loop {
            match self.hear(deadline, None) {
                Err(Silence::Ended(_)) => return true,
                Err(Silence::Time | Silence::Stop) => return false,
                Ok(_) | Err(Silence::Unreadable(_)) => {}
            }
        }
    }

    /// Ends the program at once, with everything that it has started in its process group.
    pub fn kill(&mut self) {
        if self.life == Life::Running {
            // No longer listed before its number may serve another process.
            running().remove(&self.child.id());
            if is_supervised() {
                self.let_supervisor_end();
            }
            group::kill(self.child.id());
            _ = self.child.kill();
            self.life = Life::Ended(self.child.wait().ok());
            self.input = None;
        }
    }

    /// Lets the supervisor end everything that the program has started.
    fn let_supervisor_end(&mut self) {
        group::terminate(self.child.id());
        let deadline = Instant::now() + CLEARING;
        while !group::has_ended(&mut self.child) && Instant::now() < deadline {
            thread::sleep(INTERVAL / 5);
        }
    }

    /// How the program ended, with the last line of its error output.
    fn obituary(&mut self) -> String {
        let deadline = Instant::now() + LINGER;
        while !group::has_ended(&mut self.child) && Instant::now() < deadline {
            thread::sleep(INTERVAL);
        }
        let by_itself = group::has_ended(&mut self.child);
        self.kill();
        let end = match self.life {
            Life::Ended(Some(status)) if by_itself => status.to_string(),
            _ => "it closed its output".to_owned(),
        };
        match self.errors.recv_timeout(LINGER) {
            Ok(line) if !line.is_empty() => format!("{end}; {line}"),
            _ => end,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.life == Life::Running {
            self.say(ProtocolCommand::Quit);
            // The end of its input, which some programs wait for.
            self.input = None;
            self.ends_before(Instant::now() + GRACE);
        }
        self.kill();
    }
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    // An error means that nobody reads any more.
    _ = lines.iter().try_for_each(|line| input.write_all(line.as_bytes()));
}

fn read_lines(output: ChildStdout, lines: &SyncSender<Result<String, LineError>>) {
    let mut reader = LineReader::new(BufReader::new(output), MAX_LINE);
    while let Some(line) = reader.read() {
        if lines.send(line.map(|(text, _)| text)).is_err() {
            return;
        }
    }
}

/// Runs what reads or writes for a program on a thread of its own.
fn on_thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

fn read_errors(output: ChildStderr, last_words: &Sender<String>, mut log: Option<ErrorLog>) {
    let mut reader = LineReader::new(BufReader::new(output), MAX_LINE);
    let mut last = String::new();
    while let Some(line) = reader.read() {
        let line = line.map(|(text, _)| text);
        if let Some(log) = &mut log {
            log.add(line.as_deref().unwrap_or("(a line that is too long or not UTF-8)"));
        }
        if let Ok(text) = line
            && !text.trim().is_empty()
        {
            last = shortened(text.trim());
        }
    }
    // Nobody may want to know.
    _ = last_words.send(last);
}

/// Process groups, so that a program's own children end with it.
#[cfg(unix)]
mod group {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

    /// Lets the process lead a group of its own.
    pub(super) fn lead(command: &mut Command) {
        command.process_group(0);
    }

    /// Asks the leader of a group to end itself.
    pub(super) fn terminate(leader: u32) {
        if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            _ = kill_process(leader, Signal::TERM);
        }
    }

    /// Kills the group of a leader that has not been waited for.
    pub(super) fn kill(leader: u32) {
        if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            // Nothing is left to kill if it has just ended.
            _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// Whether the process has ended; its number stays its own until it is waited for.
    pub(super) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
    }
}

/// Without process groups only the program itself is ended.
#[cfg(not(unix))]
mod group {
    use std::process::{Child, Command};

    pub(super) fn lead(_command: &mut Command) {}

    pub(super) fn terminate(_leader: u32) {}

    pub(super) fn kill(_leader: u32) {}

    pub(super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }
}
