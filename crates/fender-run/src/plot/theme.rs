//! Colours of plots, light and dark, that colour-blind eyes can tell apart.

/// Colours and text styles as CSS variables, light and dark. The hues follow Okabe and Ito (2008), darkened or lightened
/// until each has enough contrast with its background.
pub const STYLE: &str = "
:root{--paper:#ffffff;--card:#fbfbfc;--ink:#1c2430;--soft:#5b6675;--rule:#dde2e8;--good:#0a7d4f;--bad:#c2410c;
--c0:#0072b2;--c1:#d55e00;--c2:#00896a;--c3:#b5558c;--c4:#b98000;--c5:#3a9bd8;--c6:#6b7280;--c7:#7c5cbf}
@media(prefers-color-scheme:dark){:root{--paper:#12161c;--card:#181d25;--ink:#e6e9ee;--soft:#9aa5b4;--rule:#2c343f;
--good:#4ade9c;--bad:#ff8a5c;--c0:#56b4e9;--c1:#ff8a4c;--c2:#3ccb9d;--c3:#e79bcb;--c4:#f0b93a;--c5:#9fd6f7;--c6:#a8b0bb;--c7:#b79df0}}
.plot text{font:11px system-ui,sans-serif;fill:var(--soft)}.plot .title{font-size:13px;font-weight:600;fill:var(--ink)}
.plot .grid{stroke:var(--rule);stroke-width:1}.plot .axis{stroke:var(--soft);stroke-width:1}
.plot .line{fill:none;stroke-width:1.6;stroke-linejoin:round}
.plot .s0{stroke:var(--c0)}.plot .s1{stroke:var(--c1)}.plot .s2{stroke:var(--c2)}.plot .s3{stroke:var(--c3)}
.plot .s4{stroke:var(--c4)}.plot .s5{stroke:var(--c5)}.plot .s6{stroke:var(--c6)}.plot .s7{stroke:var(--c7)}
.plot .mark{fill:var(--paper);stroke-width:1.6}
";

/// Colours there are; more lines than this repeat them, with another pattern.
pub(super) const COLOURS: usize = 8;

/// Colours of a picture that does not ask the reader's browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    pub(super) paper: u32,
    pub(super) ink: u32,
    pub(super) soft: u32,
    pub(super) rule: u32,
    pub(super) series: [u32; COLOURS],
}

impl Theme {
    /// On white, for papers.
    pub const LIGHT: Self = Self {
        paper: 0xff_ffff,
        ink: 0x1c_2430,
        soft: 0x5b_6675,
        rule: 0xdd_e2e8,
        series: [0x00_72b2, 0xd5_5e00, 0x00_896a, 0xb5_558c, 0xb9_8000, 0x3a_9bd8, 0x6b_7280, 0x7c_5cbf],
    };
    /// On almost black, for slides.
    pub const DARK: Self = Self {
        paper: 0x12_161c,
        ink: 0xe6_e9ee,
        soft: 0x9a_a5b4,
        rule: 0x2c_343f,
        series: [0x56_b4e9, 0xff_8a4c, 0x3c_cb9d, 0xe7_9bcb, 0xf0_b93a, 0x9f_d6f7, 0xa8_b0bb, 0xb7_9df0],
    };
}

/// Colour of each line as a code of terminals with 256 colours, to be read on light and on dark.
pub(super) const ANSI: [u8; COLOURS] = [32, 208, 36, 169, 178, 75, 245, 98];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_files_have_the_same_colours() {
        let (light, dark) = STYLE.split_once("@media").unwrap();
        for (theme, style) in [(Theme::LIGHT, light), (Theme::DARK, dark)] {
            for (i, colour) in theme.series.iter().enumerate() {
                assert!(style.contains(&format!("--c{i}:#{colour:06x}")), "{i}");
            }
            for (name, colour) in
                [("paper", theme.paper), ("ink", theme.ink), ("soft", theme.soft), ("rule", theme.rule)]
            {
                assert!(style.contains(&format!("--{name}:#{colour:06x}")), "{name}");
            }
        }
    }
}
