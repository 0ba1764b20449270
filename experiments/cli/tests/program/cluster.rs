//! The recipes of `docs/cluster.md` run as they are written there, only with smaller numbers, by schedulers of our own that take parts
//! away and start them again; each comes to the bytes of one process.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::{TempDir, tempdir};

use crate::kills::contents;
use crate::runs::SMALL_TRAINING;
use crate::{succeed, text};

/// What stands in the recipes for what is quick enough for a test, and yet takes several times as long as a part is given before it is
/// taken away.
const SHORTER: [(&str, &str); 8] = [
    ("--games 10000", "--games 60"),
    ("mcts:sims=400", "mcts:sims=100"),
    ("1-40", "1-4"),
    ("seq 40", "seq 4"),
    ("}/40", "}/4"),
    ("))/40", "))/4"),
    ("completions: 40", "completions: 4"),
    ("seq 21", "seq 4"),
];

/// The schedulers, and what they share.
const STAND_INS: [(&str, &str); 5] = [
    ("sbatch", include_str!("cluster/sbatch")),
    ("parallel", include_str!("cluster/parallel")),
    ("kubectl", include_str!("cluster/kubectl")),
    ("ssh", include_str!("cluster/ssh")),
    ("tasks.sh", include_str!("cluster/tasks.sh")),
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn shortened(text: &str) -> String {
    SHORTER.iter().fold(text.to_owned(), |text, (long, short)| text.replace(long, short))
}

/// The recipes below a heading of the page.
fn recipes(heading: &str) -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/cluster.md")).unwrap();
    let below = page.split_once(&format!("\n### {heading}\n")).unwrap().1;
    // Lines of a script begin with one '#', headings here with two or three.
    let below = ["\n## ", "\n### "].iter().fold(below, |below, end| below.split(end).next().unwrap());
    below.split("\n```bash\n").skip(1).map(|block| shortened(block.split_once("```").unwrap().0)).collect()
}

/// A folder that all machines of a cluster reach.
struct Cluster {
    folder: TempDir,
}

impl Cluster {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for directory in ["schedulers", "scripts/cluster"] {
            fs::create_dir_all(path(directory)).unwrap();
        }
        for (name, script) in STAND_INS {
            let file = path("schedulers").join(name);
            fs::write(&file, script).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for name in ["scripts/cluster/parts.yaml", "scripts/cluster/whole.yaml"] {
            fs::write(path(name), shortened(&fs::read_to_string(root().join(name)).unwrap())).unwrap();
        }
        fs::write(path("run.toml"), SMALL_TRAINING).unwrap();
        fs::write(path("log"), "").unwrap();
        Cluster { folder }
    }

    /// Runs a recipe and returns what the schedulers tell of it.
    fn run(&self, recipe: &str) -> String {
        let folder = self.folder.path();
        let programs = Path::new(env!("CARGO_BIN_EXE_azulejo")).parent().unwrap();
        let (schedulers, path) = (folder.join("schedulers"), std::env::var("PATH").unwrap());
        let output = Command::new("sh")
            .args(["-euc", recipe])
            .current_dir(folder)
            .env("PATH", format!("{}:{}:{path}", schedulers.display(), programs.display()))
            .env("MOCK_LOG", folder.join("log"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let (said, log) = (String::from_utf8_lossy(&output.stderr), self.read("log"));
        assert!(output.status.success(), "{recipe}\n{said}\n{log}\n{}", self.read("log.output"));
        log
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }
}

/// What one process makes of a run.
fn one_process(words: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let place = tempdir().unwrap();
    fs::write(place.path().join("run.toml"), SMALL_TRAINING).unwrap();
    let (out, config) = (place.path().join("whole"), place.path().join("run.toml"));
    let words = words.replace("run.toml", text(&config));
    let words: Vec<&str> = words.split(' ').chain(["--quiet", "--out", text(&out)]).collect();
    succeed(&words);
    contents(&out)
}

/// Runs a recipe, in which parts are taken away, and compares what it comes to with what one process does.
fn compare(recipe: &str, directory: &str, expected: &BTreeMap<PathBuf, Vec<u8>>) {
    let cluster = Cluster::new();
    let log = cluster.run(recipe);
    assert!(log.contains("task 2 got ") && log.contains("task 1 done"), "{recipe}\n{log}");
    let mut found = contents(&cluster.folder.path().join(directory));
    let all = found.len();
    found.retain(|path, _| !path.starts_with("shards"));
    assert!(all - found.len() > 2, "{recipe}\n{log}");
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{recipe}");
    let other = found.iter().find(|(file, bytes)| expected[*file] != **bytes);
    assert!(other.is_none(), "{recipe}\n{} differs", other.unwrap().0.display());
}

#[test]
fn matches_on_many_machines_are_those_of_one() {
    let expected = one_process("tournament --games 60 --seed 7 greedy mcts:sims=100");
    for heading in ["Slurm", "Kubernetes", "GNU parallel", "ssh"] {
        compare(&recipes(heading)[0], "match", &expected);
    }
}

#[test]
fn training_on_many_machines_is_that_of_one() {
    let expected = one_process("train --config run.toml");
    for heading in ["Slurm", "GNU parallel"] {
        compare(&recipes(heading)[1], "run", &expected);
    }
}

/// No container is built here: what can be seen of the file is looked at.
#[test]
fn the_image_is_not_root_and_has_what_the_jobs_start() {
    let read = |name: &str| fs::read_to_string(root().join("scripts/cluster").join(name)).unwrap();
    let image = read("Dockerfile");
    let user = image.lines().rfind(|line| line.starts_with("USER ")).unwrap();
    assert_eq!(user, "USER 10001:10001");
    let oldest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let oldest = oldest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().to_owned();
    assert!(image.contains(&format!("FROM rust:{}-", oldest.trim_matches('"'))), "{oldest}");
    for job in ["parts.yaml", "whole.yaml"].map(read) {
        assert!(job.contains("runAsUser: 10001\n") && job.contains("image: azulejo\n"), "{job}");
        assert!(!job.contains('\t') && job.contains("exec azulejo tournament "), "{job}");
    }
}
