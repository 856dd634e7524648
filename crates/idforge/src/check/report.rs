//! What `check` found, as JSON and for people.

use serde::{Serialize, Serializer};

use super::duplicates::{Duplicate, Duplicates};
use super::format::Format;
use super::order::{Descent, KSorted, Late, Ordered};
use crate::calendar;
use crate::output::{BAD, BOLD, GOOD, Page, optional_id, styled};
use crate::quote::{counted, grouped};

/// Everything that was found in the input.
#[derive(Serialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub(crate) struct Report<'a, F: Format> {
    #[serde(serialize_with = "name")]
    pub(crate) format: &'a F,
    pub(crate) count: u64,
    #[serde(flatten)]
    pub(crate) duplicates: Duplicates<F::Id>,
    #[serde(serialize_with = "optional_id")]
    pub(crate) lowest: Option<F::Id>,
    #[serde(serialize_with = "optional_id")]
    pub(crate) highest: Option<F::Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ordered: Option<Ordered<F::Id>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) k_sorted: Option<KSorted<F::Id>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn name<F: Format, S: Serializer>(_: &&F, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(F::NAME)
}

impl<F: Format> Report<'_, F> {
    /// Whether anything is wrong with the ids.
    pub(crate) fn has_findings(&self) -> bool {
        self.duplicates.count > 0
            || self.ordered.as_ref().is_some_and(|ordered| ordered.violations > 0)
            || self.k_sorted.as_ref().is_some_and(|sorted| sorted.violations > 0)
    }

    /// For people: one line for each thing that was looked at, and each finding beneath it.
    pub(crate) fn text(&self) -> String {
        let mut page = Page::default();
        page.line(&styled(BOLD, &counted(self.count, F::NOUNS[0], F::NOUNS[1])));
        for (label, id) in [("lowest", self.lowest), ("highest", self.highest)] {
            if let Some(id) = id {
                page.line(&format!("{label:10}  {id}{}", self.time(id).unwrap_or_default()));
            }
        }
        let Duplicates { count, first } = &self.duplicates;
        let lines = first
            .iter()
            .map(|Duplicate { id, line, first_line }| format!("line {line}: {id}, as on line {first_line}"));
        findings(&mut page, "duplicates", *count, "none", lines);
        if let Some(Ordered { violations, first, .. }) = &self.ordered {
            let lines = first.iter().map(|Descent { line, id, before }| format!("line {line}: {id} after {before}"));
            findings(&mut page, "order", *violations, "no id is below the one before", lines);
        }
        if let Some(KSorted { k_ms, worst_ms, violations, first, .. }) = &self.k_sorted {
            let fine = format!("within {} ms; the worst is {} ms late", grouped(*k_ms), grouped(*worst_ms));
            let lines = first
                .iter()
                .map(|Late { line, id, by_ms }| format!("line {line}: {id} is {} ms late", grouped(*by_ms)));
            findings(&mut page, "k-sorted", *violations, &fine, lines);
        }
        page.into_text()
    }

    /// The time of an id behind two spaces, where it is known.
    fn time(&self, id: F::Id) -> Option<String> {
        let time = self.format.time(id).ok()??;
        Some(format!("  {}", calendar::utc(time)))
    }
}

/// How many lines have something, and the first of them; or in other words that none has.
fn findings(page: &mut Page, label: &str, count: u64, fine: &str, lines: impl Iterator<Item = String>) {
    let verdict = if count == 0 { styled(GOOD, fine) } else { styled(BAD, &counted(count, "line", "lines")) };
    page.line(&format!("{label:10}  {verdict}"));
    let mut shown = 0;
    for line in lines {
        shown += 1;
        page.line(&format!("{:10}  {line}", ""));
    }
    if count > shown {
        page.line(&format!("{:10}  and {} more", "", grouped(count - shown)));
    }
}
