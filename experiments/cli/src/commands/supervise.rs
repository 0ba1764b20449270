//! `azulejo supervise`: what stands between the program and each engine that it starts, see
//! [`supervise_by`](azulejo_agents::external::supervise_by).

use std::process::ExitCode;

use clap::Args;

/// Start a program, and end it with all that it has started once the input is closed or a signal asks for it
#[derive(Debug, Args)]
pub(super) struct SuperviseArgs {
    /// The program and its arguments
    #[arg(value_name = "WORD", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

impl SuperviseArgs {
    /// Returns the exit status of the program.
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        linux::supervise(&self.command).map(ExitCode::from)
    }
}

/// Lets this program supervise the engines that it starts, where the system can.
pub(super) fn supervise_engines() {
    #[cfg(target_os = "linux")]
    if let Some(this) = std::env::current_exe().ok().and_then(|path| path.to_str().map(str::to_owned)) {
        azulejo_agents::external::supervise_by(vec![this, "supervise".to_owned(), "--".to_owned()]);
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    pub(super) fn supervise(_command: &[String]) -> anyhow::Result<u8> {
        anyhow::bail!("not on this system")
    }
}

/// On Linux a process can become the parent of everything that its descendants leave behind.
#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::io::{Write, stderr, stdin};
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Command, ExitStatus, exit};
    use std::thread;
    use std::time::{Duration, Instant};

    use anyhow::Context;
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{
        Pid, Resource, Rlimit, Signal, getpid, kill_process, set_child_subreaper, setrlimit,
    };
    use rustix::stdio::{dup2_stderr, dup2_stdout};

    /// How long the program may take to end after its input was closed.
    const GRACE: Duration = Duration::from_secs(1);
    /// How long what is left is being killed: a process that waits for a disk ends late, and one that hangs there never.
    const KILLING: Duration = Duration::from_secs(20);
    /// The time between two looks at what is left.
    const INTERVAL: Duration = Duration::from_millis(1);
    /// The exit status where the program cannot be started.
    const UNSTARTED: u8 = 127;

    pub(super) fn supervise(command: &[String]) -> anyhow::Result<u8> {
        set_child_subreaper(Some(getpid())).context("cannot adopt processes")?;
        ctrlc::set_handler(|| end(None)).context("cannot handle signals")?;
        let nowhere = File::options().write(true).open("/dev/null").context("/dev/null")?;
        let (program, arguments) = command.split_first().context("no program")?;
        // In a group of its own: a program that kills its group must not end its supervisor before all else is ended.
        let mut child = match Command::new(program).args(arguments).process_group(0).spawn() {
            Ok(child) => child,
            Err(error) => {
                _ = writeln!(stderr(), "cannot start '{program}': {error}");
                return Ok(UNSTARTED);
            }
        };
        let watching = thread::Builder::new().spawn(end_with_input).context("cannot watch the input");
        // Who reads the output learns of its end when the program has closed it.
        let leaving = || dup2_stdout(&nowhere).and_then(|()| dup2_stderr(&nowhere));
        if let Err(error) = watching.and_then(|_| leaving().context("cannot close the output")) {
            _ = writeln!(stderr(), "{error:#}");
            end(None);
        }
        end(child.wait().ok())
    }

    /// Waits until nobody can write to the input any more, then for the program to end, and ends it.
    fn end_with_input() {
        let input = stdin();
        let mut watched = [PollFd::new(&input, PollFlags::empty())];
        while !watched[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            _ = poll(&mut watched, None);
        }
        thread::sleep(GRACE);
        end(None)
    }

    /// Ends everything that is left of the program and then this process as the program has ended.
    fn end(status: Option<ExitStatus>) -> ! {
        let deadline = Instant::now() + KILLING;
        // What a process leaves behind when it is killed becomes a child of this one. It may have begun after the list of
        // processes was read, while its parent had ended when it was looked at: so nothing is left only when nothing has
        // ended since the look before.
        let mut before = None;
        while Instant::now() < deadline {
            let children = children();
            let living = children.iter().filter(|(_, lives)| *lives);
            if living.map(|(child, _)| _ = kill_process(*child, Signal::KILL)).count() == 0
                && before.as_ref() == Some(&children)
            {
                break;
            }
            before = Some(children);
            thread::sleep(INTERVAL);
        }
        if let Some(signal) = status.and_then(|status| status.signal()) {
            end_by(signal);
        }
        exit(status.and_then(|status| status.code()).unwrap_or(1))
    }

    /// Ends this process by a signal, so that it is seen what has ended the program, but without a core of its own.
    fn end_by(signal: i32) -> ! {
        _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        if let Some(signal) = Signal::from_named_raw(signal) {
            _ = kill_process(getpid(), signal);
            thread::sleep(INTERVAL);
        }
        exit(128 + signal)
    }

    /// The children of this process, and whether they live: those that have ended are zombies, without a thread that is still
    /// to end, which would be the parent of what they leave behind.
    fn children() -> Vec<(Pid, bool)> {
        let this = getpid().as_raw_nonzero().get();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = processes.filter_map(|process| process.file_name().to_str()?.parse::<i32>().ok());
        let child = |pid: i32| {
            let about = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
            let about = String::from_utf8_lossy(&about);
            // The name before may hold anything; then come the state, the parent and, far behind, the number of threads.
            let mut fields = about.rsplit(") ").next().unwrap_or_default().split(' ');
            let (state, parent, threads) = (fields.next(), fields.next(), fields.nth(15));
            let is_child = parent.and_then(|parent| parent.parse().ok()) == Some(this);
            let lives = state != Some("Z") || threads.and_then(|threads| threads.parse().ok()) > Some(1);
            Some((Pid::from_raw(pid).filter(|_| is_child)?, lives))
        };
        pids.filter_map(child).collect()
    }
}
