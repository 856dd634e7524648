//! Help, versions and wrong usage.

use super::run::idforge;

#[test]
fn every_subcommand_has_help_with_examples() {
    for command in [
        &[][..],
        &["gen"],
        &["gen", "snowflake"],
        &["gen", "uuidv7"],
        &["gen", "uuidv4"],
        &["gen", "ulid"],
        &["inspect"],
        &["layout"],
        &["range"],
        &["range", "snowflake"],
        &["range", "uuidv7"],
        &["range", "ulid"],
        &["check"],
    ] {
        for help in ["--help", "-h"] {
            let text = idforge(&[command, &[help]].concat()).fine();
            assert!(text.contains("Examples:\n  idforge "), "{command:?}: {text}");
            assert!(text.contains("Usage: idforge"), "{command:?}: {text}");
        }
    }
}

#[test]
fn the_examples_of_the_help_work() {
    let mut tried = 0;
    let generators = ["snowflake", "uuidv7", "uuidv4", "ulid"].map(|format| ["gen", format]);
    let commands = [&["inspect"][..], &["layout"], &["range"], &["gen"]];
    for command in commands.into_iter().chain(generators.iter().map(|command| &command[..])) {
        let text = idforge(&[command, &["--help"]].concat()).fine();
        for example in text.lines().filter_map(|line| line.strip_prefix("  idforge ")) {
            // Pipes and ten million ids have tests of their own.
            if !example.contains('|') && !example.contains("10000000") {
                let run = idforge(&example.split(' ').collect::<Vec<_>>());
                assert_eq!(run.status, 0, "{example}: {run:#?}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 16, "{tried} examples");
}

#[test]
fn the_version_is_the_packages() {
    assert_eq!(idforge(&["--version"]).fine(), concat!("idforge ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn wrong_usage_is_status_2() {
    for args in [
        &["frobnicate"][..],
        &["gen"],
        &["gen", "uuid"],
        &["check", "--unknown"],
        &["layout", "twitter", "discord"],
        &[],
    ] {
        let run = idforge(args);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(!run.stderr.is_empty());
    }
}
