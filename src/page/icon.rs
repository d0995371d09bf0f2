//! Icons of controls, and marks of warp states, as SVG.

use yew::{Html, html};

use workbench::scene::Mark;

/// An icon of 16 px with strokes of 1.5 px.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Undo,
    Redo,
    Theme,
    Help,
    Table,
    Save,
    FullScreen,
    Back,
    On,
    NextIssue,
    Pause,
    Down,
    Up,
    Close,
    Plus,
    Minus,
    Range,
    Whole,
    SetUp,
    More,
    Chip,
    Code,
    Grid,
    Split,
    Recent,
    Open,
    Pen,
    Main,
    Share,
    Out,
    Trash,
    Pin,
    Freeze,
    Blank,
    Spot,
    Notes,
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Self::Undo => "M6 3 3 6l3 3M3 6h6a4 4 0 0 1 0 8H7",
            Self::Redo => "m10 3 3 3-3 3M13 6H7a4 4 0 0 0 0 8h2",
            Self::Theme => "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
            Self::Help => "M5.500 6a2.500 2.500 0 1 1 3.600 2.200C8.400 8.600 8 9 8 10M8 12.800v.2",
            Self::Table => "M2 3.500h12v9H2zM2 6.500h12M6 6.500v6",
            Self::Save => "M8 2v8M5 7l3 3 3-3M3 13.500h10",
            Self::FullScreen => "M2 6V3h4M14 6V3h-4M2 10v3h4M14 10v3h-4",
            Self::Back => "M9.500 4 5.500 8l4 4",
            Self::On => "m6.500 4 4 4-4 4",
            Self::NextIssue => "M3 4v8l5.500-4zM12 3v10",
            Self::Pause => "M5.500 3v10M10.500 3v10",
            Self::Down => "m4 6 4 4 4-4",
            Self::Up => "m4 10 4-4 4 4",
            Self::Close => "m4 4 8 8M12 4l-8 8",
            Self::Plus => "M8 3v10M3 8h10",
            Self::Minus => "M3 8h10",
            Self::Range => "M3 3v10M13 3v10M5.500 8h5M7 6.300 5.300 8 7 9.700M9 6.300 10.700 8 9 9.700",
            Self::Whole => "M2 4.500V3h12v1.500M2 11.500V13h12v-1.500M2 8h12M4 6 2 8l2 2M12 6l2 2-2 2",
            Self::SetUp => {
                "M2 4.500h7.200M12.800 4.500H14M2 11.500h1.200M6.800 11.500H14M11 2.700a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600M5 9.700a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600"
            }
            Self::Share => {
                "M12 2.500a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600M4 6.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600M12 9.900a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600M5.600 7.200l4.800-2.100M5.600 8.800l4.800 2.100"
            }
            Self::Out => "M6.500 3.500H3v9.500h9.500V9.500M9 2.500h4.500V7M13.500 2.500 7.500 8.500",
            Self::More => "M8 3v.2M8 8v.2M8 13v.2",
            Self::Chip => "M3 3h10v10H3zM6.500 3v10M9.500 3v10M3 10h10",
            Self::Code => "m5 4-4 4 4 4M11 4l4 4-4 4",
            Self::Grid => "M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z",
            Self::Split => "M2 3h12v10H2zM8 3v10",
            Self::Pen => "M3 13v-2.500L10.500 3 13 5.500 5.500 13z",
            Self::Main => "M4 14V2.500h8.500L10.500 5.500l2 3H4",
            Self::Trash => "M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500 5 13.500h6l.5-9",
            Self::Pin => "M5 2.500h6M6 2.500v4L4 9h8l-2-2.500v-4M8 9v5",
            Self::Freeze => "M8 2v12M2.800 5l10.400 6M13.200 5 2.800 11",
            Self::Blank => "M2 3.500h12v8H2zM5 14h6M2 3.500l12 8",
            Self::Spot => "M2 3h12v10H2zM8 5.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5",
            Self::Notes => "M2 3h8v7H2zM6 10v3h8V6h-4",
            Self::Open => "M2 13V3.500h4l1.500 2H14V13z",
            Self::Recent => "M8 2.5a5.5 5.5 0 1 1-5.2 3.700M2.500 3v3.500H6M8 5v3.200l2.200 1.500",
        }
    }

    /// The icon as SVG.
    pub(crate) fn html(self) -> Html {
        let filled = match self {
            Self::Theme => html! { <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" stroke="none"/> },
            _ => Html::default(),
        };
        let width = if self == Self::More { "2.2" } else { "1.5" };
        html! {
            <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" stroke-width={width}>
                <path d={self.path()}/>{ filled }
            </svg>
        }
    }
}

/// The play triangle, the only filled icon.
pub(crate) fn play() -> Html {
    html! {
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M2.5 1v12L12.5 7z" fill="currentColor"/>
        </svg>
    }
}

/// Warpscope's logo: four warp threads and one weft thread.
pub(crate) fn brand() -> Html {
    html! {
        <svg viewBox="0 0 22 22" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
            <path d="M4 1v20M11 1v6M11 15v6M18 1v20"/>
            <path d="M1 11h1.6M6 11h10M20 11h1.4" stroke="var(--st-issue)" stroke-width="2.6"/>
        </svg>
    }
}

/// The tile of a mark, `side` px square.
pub(crate) fn tile(mark: Mark, side: u32) -> Html {
    let color = format!("var(--st-{})", mark.id());
    let block = |x: f32, y: f32, w: f32, h: f32| {
        html! {
            <rect x={x.to_string()} y={y.to_string()} width={w.to_string()} height={h.to_string()} fill={color.clone()}/>
        }
    };
    let path = |d: &'static str, fill: String| html! { <path d={d} fill={fill}/> };
    let body = match mark {
        Mark::Issue => html! {
            <>{ block(0.0, 0.0, 12.0, 12.0) }{ path("M4.1 2.6 9.1 6 4.1 9.4z", "var(--on-issue)".into()) }</>
        },
        Mark::Eligible => html! {
            <>
                <path d="M.7.7h10.6v10.600H.7z" fill="none" stroke={color.clone()} stroke-width="1.4"/>
                { path("M4.3 3.1 8.6 6 4.3 8.900z", color.clone()) }
            </>
        },
        Mark::Wait => block(0.0, 5.0, 12.0, 2.0),
        Mark::Long => block(0.0, 3.4, 12.0, 5.2),
        Mark::Short => [0.0, 4.4, 8.8]
            .into_iter()
            .map(|x| block(x, 3.4, 3.2, 5.2))
            .collect(),
        Mark::Throttle => html! {
            <path d="M.5.5h11v11H.5zM0 6 6 0M0 12 12 0M6 12l6-6" fill="none" stroke={color.clone()} stroke-width="1.2"/>
        },
        Mark::Barrier => [0.0, 3.4, 6.8, 10.2]
            .into_iter()
            .map(|x| block(x, 0.0, 1.8, 12.0))
            .collect(),
        Mark::Branch => path("M0 12 6 1.2 12 12 6 7.4z", color.clone()),
        Mark::Other => [(0.0, 0.0), (4.5, 4.5), (9.0, 0.0), (0.0, 9.0), (9.0, 9.0)]
            .into_iter()
            .map(|(x, y)| block(x, y, 3.0, 3.0))
            .collect(),
        Mark::Idle => html! {
            <path d="M.5.5h11v11H.5z" fill="none" stroke="var(--line-2)" stroke-dasharray="1.5 2"/>
        },
    };
    let side = side.to_string();
    html! { <svg width={side.clone()} height={side} viewBox="0 0 12 12" aria-hidden="true">{ body }</svg> }
}
