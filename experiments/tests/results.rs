//! The runs under `results/` are those of the study files that the documentation names, and files of former
//! versions are read.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use azulejo::with_game;
use azulejo_agents::neural::read_about;
use azulejo_agents::rung::RungRating;
use azulejo_agents::shipped::{EvaluatedState, NetSettings};
use azulejo_agents::{AgentSpec, GameKnowledge};
use azulejo_experiments::Invocation;
use azulejo_experiments::balance::FamilyPage;
use azulejo_experiments::game_loop::{Fault, arena};
use azulejo_experiments::manifest::{Command, Manifest, Status};
use azulejo_experiments::record_file::Encoding;
use azulejo_experiments::rules_file::read_record;
use azulejo_experiments::run::{Run, Start, Watch, run};
use azulejo_experiments::study::{Study, StudyRun};
use azulejo_experiments::train::TrainConfig;
use rayon::prelude::*;

/// The studies of `experiments/configs` whose runs are kept, and whether some of them are still to be played.
const STUDIES: [(&str, bool); 7] = [
    ("equal-time", false),
    ("ladder", false),
    ("ratings", false),
    ("strength", false),
    ("strongest", false),
    ("yardstick", true),
    ("yardstick-carry", true),
];

fn root() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).to_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names in a directory of `results/`, in order.
fn kept_in(directory: &str) -> Vec<String> {
    let path = root().join("results").join(directory);
    let entries = fs::read_dir(&path).and_then(|entries| {
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    });
    let mut names: Vec<String> = entries.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    names.sort();
    names
}

/// The runs of a study file.
fn runs_of(study: &str) -> Vec<StudyRun> {
    let file = root().join(format!("experiments/configs/{study}.toml"));
    Study::read(&read(&file)).unwrap_or_else(|error| panic!("{}: {error}", file.display())).runs
}

#[test]
fn every_run_of_a_study_is_kept_as_its_file_says() {
    for (study, goes_on) in STUDIES {
        let kept_runs = kept_in(study);
        let mut names = Vec::new();
        for run in runs_of(study) {
            if goes_on && !kept_runs.iter().any(|kept| kept == run.name()) {
                continue;
            }
            let directory = root().join("results").join(study).join(run.name());
            let kept: Manifest = toml::from_str(&read(&directory.join("manifest.toml"))).unwrap();
            let (pairing, anchor) = (run.pairing().unwrap(), run.anchor.as_ref());
            let schedule = run.schedule().unwrap();
            let told = Manifest::new(Command::Tournament, &schedule, Encoding::Zstd, pairing, anchor);
            told.check_same(&kept).unwrap_or_else(|problem| panic!("{}: {problem}", directory.display()));
            assert_eq!(kept.status, Status::Finished, "{}", directory.display());
            names.push(run.name().to_owned());
        }
        assert_eq!(kept_runs, names, "runs of {study} that no file tells how to play");
    }
}

#[test]
fn the_yardstick_s_page_tells_what_its_matches_measured() {
    let mut measured = Vec::new();
    for study in ["yardstick", "yardstick-carry"] {
        for name in kept_in(study) {
            let row = yardstick_row(study, &name).unwrap_or_else(|| panic!("{study}/{name} lacks a figure"));
            measured.push(row);
        }
    }
    let page = read(&root().join("results/yardstick.md"));
    let told: Vec<&str> = page.lines().filter(|line| line.starts_with("| [")).collect();
    assert_eq!(told, measured, "rows of results/yardstick.md, and those of the matches by name");
}

/// A match of today's `neural` against an older program, as a row of the page that tells of all of them; `None` if
/// its files lack a figure or somebody forfeited a game.
fn yardstick_row(study: &str, name: &str) -> Option<String> {
    let kept = root().join("results").join(study).join(name);
    let summary: serde_json::Value = serde_json::from_str(&read(&kept.join("summary.json"))).ok()?;
    let machine: toml::Table = toml::from_str(&read(&kept.join("machine.toml"))).ok()?;
    let manifest: toml::Table = toml::from_str(&read(&kept.join("manifest.toml"))).ok()?;
    let told = |agent: usize, key: &str| summary["agents"].get(agent)?.get(key)?.as_f64();
    let percent = |agent, key| Some(format!("{:.1}", 100.0 * told(agent, key)?));
    let sittings = machine.get("invocation")?.as_array()?;
    let mut commits: Vec<&str> =
        sittings.iter().map(|sitting| sitting.get("commit")?.as_str()).collect::<Option<_>>()?;
    commits.dedup();
    let cores: Vec<String> =
        sittings.iter().map(|sitting| Some(sitting.get("cores")?.to_string())).collect::<Option<_>>()?;
    let [share, low, high] = ["win_share", "win_share_low", "win_share_high"].map(|key| percent(0, key));
    let cells = [
        format!("[{name}]({study}/{name})"),
        summary["games"].to_string(),
        format!("{} % [{}, {}]", share?, low?, high?),
        format!("{} %", percent(1, "win_share")?),
        format!("{:.1}, {:.1}", told(0, "mean_ms")?, told(1, "mean_ms")?),
        format!("{:.0}", told(0, "longest_ms")?),
        with_thousands(told(0, "mean_nodes")?.round() as u64),
        summary["seed"].to_string(),
        manifest.get("provenance")?.get("play_version")?.to_string(),
        commits.iter().map(|commit| &commit[..7]).collect::<Vec<_>>().join(", "),
        cores.join("+"),
    ];
    (summary["forfeits"] == 0).then(|| format!("| {} |", cells.join(" | ")))
}

/// A number with commas between its thousands.
fn with_thousands(number: u64) -> String {
    match (number / 1000, number % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{},{rest:03}", with_thousands(thousands)),
    }
}

#[test]
fn levels_have_the_ratings_of_the_pool_they_played_in() {
    for run in runs_of("ladder") {
        let ladder = with_game!(run.game, |_rules: &'static G::Rules| <G as GameKnowledge>::LADDER).unwrap();
        let kept = root().join("results/ladder").join(run.name());
        if !kept.exists() {
            assert!(ladder.iter().all(|rung| rung.rating.is_none()), "{} was not played", run.name());
            continue;
        }
        let summary: serde_json::Value = serde_json::from_str(&read(&kept.join("summary.json"))).unwrap();
        let agents = summary["agents"].as_array().unwrap();
        assert_eq!(agents.len(), ladder.len());
        for (agent, rung) in agents.iter().zip(ladder) {
            let told = |key: &str| agent[key].as_f64().unwrap().round() as i16;
            let measured =
                RungRating { rating: told("rating"), low: told("rating_low"), high: told("rating_high") };
            assert_eq!(rung.rating, Some(measured), "{}: {}", run.name(), agent["spec"]);
        }
    }
}

#[test]
fn every_training_run_was_made_as_its_file_says() {
    let mut told = Vec::new();
    for study in [
        "azul",
        "azul-critic",
        "azul-fourth",
        "azul-sixth",
        "azul-seventh",
        "azul-eighth",
        "azul-twelfth",
        "queens-garden",
        "queens-garden-critic",
        "queens-garden-fifth",
        "queens-garden-sixth",
        "summer-pavilion",
        "summer-pavilion-critic",
        "summer-pavilion-sixth",
        "summer-pavilion-seventh",
        "summer-pavilion-tenth",
    ] {
        let file = root().join(format!("experiments/configs/train-{study}.toml"));
        for (name, config) in TrainConfig::read_runs(&read(&file)).unwrap() {
            let name = name.unwrap_or_else(|| study.to_owned());
            let kept = root().join("results/training").join(&name).join("train.toml");
            let made = TrainConfig::read(&read(&kept)).unwrap();
            assert!(made.check_same(&config).is_ok(), "{}: {made:?}, expected {config:?}", kept.display());
            told.push(name);
        }
    }
    told.sort();
    assert_eq!(kept_in("training"), told, "training runs that no file tells how to make");
}

#[test]
fn every_match_that_the_documentation_names_can_be_played_again() {
    let pages = ["results/networks.md", "results/searches.md", "docs/agents.md"]
        .map(|page| read(&root().join(page)))
        .concat();
    for run in runs_of("choices") {
        run.schedule().unwrap_or_else(|problem| panic!("{}: {problem}", run.name()));
        let short = run.name().strip_prefix("queens-garden").unwrap_or(run.name());
        let named = [run.name(), short].iter().any(|name| pages.contains(&format!("`{name}`")));
        assert!(named, "{} is told nowhere", run.name());
    }
}

#[test]
fn the_family_s_page_is_that_of_the_committed_studies() {
    // Studies are named from there.
    std::env::set_current_dir(root()).unwrap();
    let page = "docs/balance-of-the-family";
    let [markdown, html] = FamilyPage::files(Path::new(page)).map(|file| read(&file));
    let (_, command) = markdown.split_once(&format!("`azulejo report --family {page} ")).unwrap();
    let directories = command.split('`').next().unwrap().split(' ').map(PathBuf::from);
    let again = tempfile::tempdir().unwrap();
    let path = again.path().join("page");
    FamilyPage::read(&directories.collect::<Vec<_>>()).unwrap().write(&path).unwrap();
    // A page tells where it was written to.
    let written = |file: &PathBuf| read(file).replace(path.to_str().unwrap(), page);
    let [new_markdown, new_html] = FamilyPage::files(&path).each_ref().map(written);
    assert!(markdown == new_markdown && html == new_html, "{page} is not up to date");
}

#[test]
fn a_record_a_configuration_and_a_network_of_former_versions_are_read() {
    let line = r#"{"format":"azulejo-game","version":1,"game":"azul","players":2,"agents":["neural:look=leaf,hand=0.5","random"],"seed":1,"index":0,"moves":["DBBYR/KKWW/BYRK/RRRR/BWWW","4R4"],"scores":[0,0],"wins":[0.5,0.5],"end":"truncated"}"#;
    let record = read_record(line).unwrap();
    record.verify().unwrap();
    let agent: AgentSpec = record.agents[0].parse().unwrap();
    assert_eq!(agent.to_string(), "neural:evaluate=leaf,heuristic=0.5");

    let kept = read(&root().join("results/training/queens-garden/train.toml"));
    let former = "[selfplay]\nlook = \"leaf\"\nhand = 0.5\n";
    let former =
        kept.replacen("[selfplay]\n", former, 1).replacen("[learning]\n", "[learning]\nsurprise = 0.0\n", 1);
    let selfplay = TrainConfig::read(&former).unwrap().selfplay.unwrap();
    assert_eq!((selfplay.evaluate, selfplay.heuristic), (Some(EvaluatedState::Leaf), Some(0.5)));

    let network = fs::read(root().join("agents/nets/azul/azul.safetensors")).unwrap();
    let settings = NetSettings {
        c: 0.9,
        prior: 1.8,
        evaluate: EvaluatedState::Leaf,
        heuristic: 0.5,
        critic: Some("azul-critic.safetensors".to_owned()),
        ..NetSettings::default()
    };
    assert_eq!(read_about(&network).unwrap().search, Some(settings));
}

/// Is told nothing.
struct Unwatched;

impl Watch for Unwatched {
    fn begin(&mut self, _games: u64) {}
    fn game(&mut self) {}
    fn fault(&mut self, _fault: &Fault) {}
    fn end(&mut self) {}
}

#[test]
fn every_summary_is_that_of_its_records() {
    // Agents name files of weights from there.
    std::env::set_current_dir(root()).unwrap();
    let runs = STUDIES.iter().flat_map(|(study, _)| {
        let directory = root().join("results").join(study);
        runs_of(study).into_iter().map(move |run| (directory.join(run.name()), run))
    });
    let kept: Vec<(PathBuf, StudyRun)> = runs.filter(|(directory, _)| directory.exists()).collect();
    kept.par_iter().for_each(|(kept, study_run)| {
        let again = tempfile::tempdir().unwrap();
        for file in ["manifest.toml", Encoding::Zstd.file_name()] {
            fs::copy(kept.join(file), again.path().join(file)).unwrap();
        }
        let (schedule, arena) = (study_run.schedule().unwrap(), arena(study_run.game));
        let (pairing, anchor) = (study_run.pairing().unwrap(), study_run.anchor.as_ref());
        let recalled = Run {
            arena: &*arena,
            schedule: &schedule,
            manifest: Manifest::new(Command::Tournament, &schedule, Encoding::Zstd, pairing, anchor),
            invocation: Invocation::now([]),
            anchor,
            sprt: study_run.sprt.as_ref(),
            directory: again.path(),
            encoding: Encoding::Zstd,
            threads: NonZeroUsize::MIN,
        };
        // Nothing is left to play: everything is counted anew.
        run(&recalled, Start::Resume, &AtomicBool::new(true), &mut Unwatched).unwrap();
        let found = read(&again.path().join("summary.json"));
        assert_eq!(found, read(&kept.join("summary.json")), "{}", kept.display());
    });
}
