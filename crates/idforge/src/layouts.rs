//! The layout that a person names: a preset, or one of their own.

use std::str::FromStr;

use idcore::presets::{self, Preset};
use idcore::{Layout, ParseLayoutError};

/// A layout, and what to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedLayout {
    /// The preset's name, or the layout as text.
    pub(crate) name: String,
    /// What the preset is; none for a layout of one's own.
    pub(crate) about: Option<&'static str>,
    pub(crate) layout: Layout,
}

impl From<&Preset> for NamedLayout {
    fn from(preset: &Preset) -> Self {
        Self { name: preset.name.to_owned(), about: Some(preset.about), layout: preset.layout }
    }
}

impl FromStr for NamedLayout {
    type Err = ParseLayoutError;

    /// A layout that is a preset's gets the preset's name, however it was written.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let layout: Layout = text.parse()?;
        let preset = presets::ALL.iter().find(|preset| preset.layout == layout);
        Ok(preset.map_or_else(|| Self { name: layout.to_string(), about: None, layout }, Self::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_known_by_its_spec() {
        for preset in presets::ALL {
            let spec = preset.layout.to_string();
            assert_eq!(spec.parse::<NamedLayout>().expect("a layout's text is a layout").name, preset.name);
        }
        let own: NamedLayout = "epoch=1970-01-01T00:00:00Z,timestamp:41,sequence:22".parse().expect("a valid layout");
        assert_eq!(own.name, "epoch=0,tick=1ms,timestamp:41,sequence:22");
        assert_eq!(own.about, None);
    }
}
