//! The table for people and the record for machines.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    machine::Header,
    row::{Row, Unit},
};

/// A record: its head and all rows.
#[derive(Serialize)]
struct Record<'a> {
    header: &'a Header,
    rows: &'a [Row],
}

/// Writes the record as JSON.
///
/// # Errors
///
/// What `out` says.
pub(crate) fn json(out: &mut impl Write, header: &Header, rows: &[Row]) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Record { header, rows })?;
    writeln!(out)?;
    out.flush()
}

/// Writes the table: a line for each row, and one for each further rival below it.
///
/// # Errors
///
/// What `out` says.
pub(crate) fn table(out: &mut impl Write, header: &Header, rows: &[Row]) -> io::Result<()> {
    let machine = &header.machine;
    writeln!(
        out,
        "{}, {} cores, {}; commit {}; {}",
        machine.cpu, machine.cores, machine.system, header.commit, header.rustc
    )?;
    writeln!(
        out,
        "{}: medians of {} rounds of {} s; other processes kept {:.2} CPUs busy\n",
        header.command, header.rounds, header.seconds, header.others_cpus
    )?;
    let mut lines = vec![["name", "ours", "rival", "", "ratio", "goal", "met", "CPUs"].map(str::to_owned)];
    for row in rows {
        lines.extend(cells(row));
    }
    let mut widths = [0; 8];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    for line in lines {
        let mut text = String::new();
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            // Figures to the right, words to the left.
            let padded = match column {
                1 | 2 | 4 => format!("{cell:>width$}  "),
                _ => format!("{cell:<width$}  "),
            };
            text.push_str(&padded);
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    out.flush()
}

/// The cells of a row, and those of the rivals that were not the best.
fn cells(row: &Row) -> Vec<[String; 8]> {
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| figure(row.unit, value));
    let first = [
        row.name.clone(),
        figure(row.unit, row.ours),
        text(row.rival),
        row.rival_name.clone().unwrap_or_default(),
        row.ratio.map_or_else(String::new, times),
        goal(row),
        row.met.map_or("", |met| if met { "yes" } else { "no" }).to_owned(),
        cpus(row.ours_cpus, row.rival_cpus),
    ];
    let further = row.rivals.iter().skip(1).map(|rival| {
        let mut line = [const { String::new() }; 8];
        line[2] = figure(row.unit, rival.value);
        line[3].clone_from(&rival.name);
        line[7] = cpus(None, rival.cpus);
        line
    });
    std::iter::once(first).chain(further).collect()
}

fn goal(row: &Row) -> String {
    let Some(goal) = row.goal else {
        return String::new();
    };
    if row.goal_of == Some("ratio") {
        return times(goal);
    }
    let value = figure(row.unit, goal);
    row.goal_cpus.map_or_else(|| value.clone(), |cpus| format!("{value}, < {cpus} CPUs"))
}

fn cpus(ours: Option<f64>, rival: Option<f64>) -> String {
    let text = |cpus: Option<f64>| cpus.map_or_else(String::new, |cpus| format!("{cpus:.2}"));
    if ours.is_none() && rival.is_none() {
        return String::new();
    }
    format!("{:>4} / {:>4}", text(ours), text(rival))
}

fn times(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2} x") } else { format!("{ratio:.0} x") }
}

/// A figure with its unit, short.
fn figure(unit: Unit, value: f64) -> String {
    match unit {
        Unit::PerSecond => format!("{:.1} M/s", value / 1e6),
        Unit::Share => format!("{:.2} %", value * 100.0),
        Unit::Nanos if value >= 1e6 => format!("{:.2} ms", value / 1e6),
        Unit::Nanos if value >= 1e3 => format!("{:.1} µs", value / 1e3),
        Unit::Nanos => format!("{value:.0} ns"),
        Unit::Bytes => format!("{value:.0} B"),
        Unit::Allocations => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        machine::Machine,
        row::{Goal, Summary},
    };

    fn summary(name: &str, value: f64, cpus: f64) -> Summary {
        Summary { name: name.to_owned(), value, cpus: Some(cpus), of_wall: None, rounds: vec![value] }
    }

    fn sample() -> (Header, Vec<Row>) {
        let header = Header {
            machine: Machine { cpu: "Some CPU".to_owned(), cores: 2, system: "linux x86_64".to_owned() },
            commit: "0123456789ab".to_owned(),
            rustc: "rustc 1.95.0",
            command: "idbench --quick".to_owned(),
            rounds: 5,
            seconds: 0.15,
            others_cpus: 0.04,
        };
        let goal = Goal::Share { least: 0.995, cpus_below: 0.9 };
        let rivals = vec![summary("slow", 0.8, 1.5), summary("fast", 0.99, 2.0)];
        let capped = Row::new("twitter/next_id/8", Unit::Share, 8, goal, summary("idcore", 0.9991, 0.62), rivals);
        let wide = Row::new(
            "wide/next_id/1",
            Unit::PerSecond,
            1,
            Goal::Ratio(1.2),
            summary("idcore", 11e6, 1.0),
            vec![summary("other", 10e6, 1.0)],
        );
        (header, vec![capped, wide])
    }

    #[test]
    fn the_table_has_a_line_for_each_row_and_further_rival() {
        let (header, rows) = sample();
        let mut out = Vec::new();
        table(&mut out, &header, &rows).unwrap();
        let text = String::from_utf8(out).unwrap();
        let expected = "\
Some CPU, 2 cores, linux x86_64; commit 0123456789ab; rustc 1.95.0
idbench --quick: medians of 5 rounds of 0.15 s; other processes kept 0.04 CPUs busy

name                   ours     rival          ratio  goal                 met  CPUs
twitter/next_id/8   99.91 %   99.00 %  fast   1.01 x  99.50 %, < 0.9 CPUs  yes  0.62 / 2.00
                              80.00 %  slow                                          / 1.50
wide/next_id/1     11.0 M/s  10.0 M/s  other  1.10 x  1.20 x               no   1.00 / 1.00
";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_record_has_the_fields_that_others_read() {
        let (header, rows) = sample();
        let mut out = Vec::new();
        json(&mut out, &header, &rows).unwrap();
        let record: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(record["header"]["machine"]["cores"], 2);
        assert_eq!(record["header"]["commit"], "0123456789ab");
        let row = &record["rows"][0];
        assert_eq!(row["name"], "twitter/next_id/8");
        assert_eq!(row["unit"], "share of the cap");
        assert_eq!(row["ours"], 0.9991);
        assert_eq!(row["rival"], 0.99);
        assert_eq!(row["rival_name"], "fast");
        assert_eq!(row["goal"], 0.995);
        assert_eq!(row["met"], true);
        assert_eq!(row["ours_cpus"], 0.62);
        assert_eq!(row["rival_cpus"], 2.0);
        assert_eq!(row["threads"], 8);
        assert_eq!(record["rows"][1]["ratio"], 1.1);
        assert_eq!(record["rows"][1]["met"], false);
    }

    #[test]
    fn figures_are_short() {
        assert_eq!(figure(Unit::Nanos, 999.0), "999 ns");
        assert_eq!(figure(Unit::Nanos, 1_500.0), "1.5 µs");
        assert_eq!(figure(Unit::Nanos, 2_000_000.0), "2.00 ms");
        assert_eq!(times(9.994), "9.99 x");
        assert_eq!(times(31.4), "31 x");
    }
}
