//! Help, versions and wrong usage.

use super::run::idforge;

#[test]
fn every_subcommand_has_help_with_examples() {
    for command in [
        &[][..],
        &["gen"],
        &["gen", "snowflake"],
        &["inspect"],
        &["layout"],
        &["range"],
        &["range", "snowflake"],
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
    for command in [&["inspect"][..], &["layout"], &["range"], &["gen"]] {
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
    assert!(tried >= 8, "{tried} examples");
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
