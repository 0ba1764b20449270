//! Charts as SVG text that scales with the page and takes its colors for text and lines from it.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, Circle, DrawingArea, IntoDrawingArea, PathElement, Polygon,
    RGBColor, Rectangle, SVGBackend, Text,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBAColor, ShapeStyle, TextStyle};

use super::cells::shortened;
use crate::stats::{Bins, Estimate, Interval};

/// A chart with what its colors mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The picture, a single `svg` element.
    pub svg: String,
    /// Colors, as `#rrggbb`, with what they stand for.
    pub legend: Vec<(String, String)>,
}

/// An estimate of something that has a name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    /// What it is of.
    pub label: String,
    /// The estimate.
    pub estimate: Estimate,
}

/// A row of parts that add up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stack {
    /// What it is of.
    pub label: String,
    /// The parts, in the order of the legend; those below 0 extend to the left.
    pub parts: Vec<f64>,
}

/// The width of all charts: what a phone shows without making letters too small.
const WIDTH: u32 = 440;
/// The height of a row of bars or stacks.
const ROW: u32 = 26;
const LETTERS: f64 = 13.0;
/// Drawn where the page's text color is to be.
const INK: RGBColor = RGBColor(1, 1, 1);
/// Colors that can be told apart on white and on black.
const PALETTE: [RGBColor; 10] = [
    RGBColor(0x4e, 0x79, 0xa7),
    RGBColor(0xf2, 0x8e, 0x2b),
    RGBColor(0x59, 0xa1, 0x4f),
    RGBColor(0xe1, 0x57, 0x59),
    RGBColor(0x76, 0xb7, 0xb2),
    RGBColor(0xd4, 0xa9, 0x1e),
    RGBColor(0xb0, 0x7a, 0xa1),
    RGBColor(0x9c, 0x75, 0x5f),
    RGBColor(0xe5, 0x7d, 0x9c),
    RGBColor(0x8c, 0x8c, 0x8c),
];

type ChartArea<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Draws on an area of this height and returns the text of the picture.
fn picture(height: u32, about: &str, draw: impl FnOnce(&ChartArea<'_>) -> Drawn) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw(&area).and_then(|()| area.present()).expect("text can always be written to");
    }
    let size = format!("width=\"{WIDTH}\" height=\"{height}\" ");
    let labelled = format!("role=\"img\" aria-label=\"{}\" ", super::html::escape(about));
    let svg = svg.replacen(&size, &labelled, 1).replace("#010101", "currentColor");
    // Within a page the namespace is known.
    svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1).trim().to_owned()
}

fn letters(horizontal: HPos) -> TextStyle<'static> {
    ("sans-serif", LETTERS).into_font().color(&INK).pos(Pos::new(horizontal, VPos::Center))
}

fn color(number: usize) -> RGBColor {
    PALETTE[number % PALETTE.len()]
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Colors with what they stand for.
fn legend(labels: &[String]) -> Vec<(String, String)> {
    labels.iter().enumerate().map(|(number, label)| (hex(color(number)), label.clone())).collect()
}

/// The room that labels beside a chart take.
fn label_width(labels: &[&str]) -> u32 {
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).min(LABEL);
    (longest as f64 * LETTERS * 0.56) as u32 + 10
}

/// The most letters of a label beside a chart.
const LABEL: usize = 24;

/// Everything that is drawn of an estimate.
fn extent(estimate: Estimate) -> impl Iterator<Item = f64> {
    [Some(estimate.value), estimate.low(), estimate.high()].into_iter().flatten()
}

/// A range that holds all values with a little room.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    // However large the numbers are, the ends differ.
    let room = ((high - low) * 0.05).max(1e-3).max(low.abs().max(high.abs()) * 1e-9);
    if low > high { 0.0..1.0 } else { low - room..high + room }
}

/// An empty chart with rows that have labels, row 0 on top.
fn rows<'a, 'b>(
    area: &'a ChartArea<'b>,
    labels: &[&str],
    span: std::ops::Range<f64>,
    unit: &str,
) -> Result<Plane<'a, 'b>, DrawingAreaErrorKind<std::io::Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .margin_right(14)
        .x_label_area_size(38)
        .set_label_area_size(plotters::prelude::LabelAreaPosition::Left, label_width(labels))
        .build_cartesian_2d(span, labels.len().max(1) as f64..0.0)?;
    mesh(&mut chart, (unit, NUMBERS), None)?;
    for (row, label) in labels.iter().enumerate() {
        let (_, y) = chart.backend_coord(&(0.0, row as f64 + 0.5));
        let x = chart.plotting_area().get_pixel_range().0.start - 6;
        area.draw(&Text::new(shortened(label, LABEL), (x, y), letters(HPos::Right)))?;
    }
    Ok(chart)
}

/// So many numbers stand below a chart.
const NUMBERS: usize = 6;

/// Lines and numbers of the axes, about so many of the horizontal one; without a unit of the vertical one it has neither.
fn mesh(chart: &mut Plane<'_, '_>, (across, numbers): (&str, usize), upwards: Option<&str>) -> Drawn {
    let (text, line) = (("sans-serif", LETTERS).into_font().color(&INK), INK.mix(0.15));
    let mut mesh = chart.configure_mesh();
    mesh.x_labels(numbers).x_desc(across).axis_style(INK.mix(0.4)).bold_line_style(line);
    mesh.light_line_style(INK.mix(0.0)).label_style(text.clone()).axis_desc_style(text);
    match upwards {
        Some(unit) => mesh.y_labels(5).y_desc(unit),
        None => mesh.disable_y_mesh().disable_y_axis(),
    };
    mesh.x_label_formatter(&short).y_label_formatter(&short).draw()
}

/// A number with as many decimals as it needs, two at most.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn short(number: &f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Values with error bars, one below the other, and a line where `even` is.
pub(crate) fn bars(about: &str, unit: &str, bars: &[Bar], even: Option<f64>) -> Chart {
    let labels: Vec<&str> = bars.iter().map(|bar| bar.label.as_str()).collect();
    let span = range(bars.iter().flat_map(|bar| extent(bar.estimate)).chain(even));
    let svg = picture(60 + ROW * bars.len() as u32, about, |area| {
        let mut chart = rows(area, &labels, span, unit)?;
        let rows = bars.len() as f64;
        chart.draw_series(even.map(|at| PathElement::new([(at, 0.0), (at, rows)], INK.mix(0.6))))?;
        for (row, bar) in bars.iter().enumerate() {
            let (y, ink) = (row as f64 + 0.5, color(0));
            let Estimate { value, interval } = bar.estimate;
            let line = |Interval { low, high }| PathElement::new([(low, y), (high, y)], ink.stroke_width(2));
            chart.draw_series(interval.map(line))?;
            chart.draw_series([Circle::new((value, y), 4, ink.filled())])?;
        }
        Ok(())
    });
    Chart { svg, legend: Vec::new() }
}

/// A square of shares, row against column, from blue (0) over nothing (1/2, or `even`) to orange (1).
pub(crate) fn heat_map(about: &str, labels: &[String], shares: &[Vec<Option<f64>>], even: f64) -> Chart {
    let size = labels.len();
    let numbered: Vec<String> =
        labels.iter().enumerate().map(|(place, label)| format!("{label} {}", place + 1)).collect();
    let names: Vec<&str> = numbered.iter().map(String::as_str).collect();
    let left = label_width(&names);
    let side = ((WIDTH - left - 10) / size.max(1) as u32).min(44);
    let svg = picture(side * size as u32 + 28, about, |area| {
        let middle = |place: usize| (place as u32 * side + side / 2) as i32;
        for (row, name) in names.iter().enumerate() {
            let y = 22 + middle(row);
            area.draw(&Text::new(shortened(name, LABEL), (left as i32 - 6, y), letters(HPos::Right)))?;
            let x = left as i32 + middle(row);
            area.draw(&Text::new((row + 1).to_string(), (x, 10), letters(HPos::Center)))?;
        }
        for (row, line) in shares.iter().enumerate() {
            for (column, share) in line.iter().enumerate() {
                let Some(share) = *share else { continue };
                let corner = |row: usize, column: usize| {
                    (left as i32 + (column as u32 * side) as i32, 22 + (row as u32 * side) as i32)
                };
                let fill = heat(share, even).filled();
                area.draw(&Rectangle::new([corner(row, column), corner(row + 1, column + 1)], fill))?;
                let text = format!("{:.0}", 100.0 * share);
                let at = (left as i32 + middle(column), 22 + middle(row));
                area.draw(&Text::new(text, at, letters(HPos::Center)))?;
            }
        }
        Ok(())
    });
    Chart { svg, legend: Vec::new() }
}

fn heat(share: f64, even: f64) -> RGBAColor {
    let (ink, strength) = if share >= even {
        (color(1), (share - even) / (1.0 - even))
    } else {
        (color(0), (even - share) / even)
    };
    ink.mix(0.08 + 0.8 * strength.clamp(0.0, 1.0))
}

/// Distributions as lines in steps: for each label the counts, shown as shares of all.
pub(crate) fn histograms(about: &str, unit: &str, series: &[(String, &Bins)]) -> Chart {
    let outlines: Vec<Vec<(f64, f64)>> = series.iter().map(|(_, bins)| outline(bins)).collect();
    let across = range(outlines.iter().flatten().map(|point| point.0));
    let most = outlines.iter().flatten().map(|point| point.1).fold(0.01, f64::max);
    let svg = picture(240, about, |area| {
        let mut chart = plane(area, across, 0.0..most * 1.05)?;
        mesh(&mut chart, (unit, NUMBERS), Some("% of games"))?;
        for (number, points) in outlines.into_iter().enumerate() {
            chart.draw_series([PathElement::new(points, color(number).stroke_width(2))])?;
        }
        Ok(())
    });
    let labels: Vec<String> = series.iter().map(|(label, _)| label.clone()).collect();
    Chart { svg, legend: legend(&labels) }
}

fn plane<'a, 'b>(
    area: &'a ChartArea<'b>,
    across: std::ops::Range<f64>,
    upwards: std::ops::Range<f64>,
) -> Result<Plane<'a, 'b>, DrawingAreaErrorKind<std::io::Error>> {
    ChartBuilder::on(area)
        .margin(6)
        .margin_right(14)
        .x_label_area_size(38)
        .set_label_area_size(plotters::prelude::LabelAreaPosition::Left, 52)
        .build_cartesian_2d(across, upwards)
}

/// The corners of a distribution's steps, in percent.
fn outline(bins: &Bins) -> Vec<(f64, f64)> {
    let all = bins.counts.iter().sum::<u64>().max(1) as f64;
    let edge = |bin: usize| f64::from(bins.from + bin as i32 * bins.width);
    let steps = bins.counts.iter().enumerate().flat_map(|(bin, &count)| {
        let height = 100.0 * count as f64 / all;
        [(edge(bin), height), (edge(bin + 1), height)]
    });
    let ends = [(edge(0), 0.0), (edge(bins.counts.len()), 0.0)];
    [ends[0]].into_iter().chain(steps).chain([ends[1]]).collect()
}

/// Rows of parts that add up, one below the other.
pub(crate) fn stacks(about: &str, unit: &str, parts: &[String], stacks: &[Stack]) -> Chart {
    let labels: Vec<&str> = stacks.iter().map(|stack| stack.label.as_str()).collect();
    let sum = |stack: &Stack, sign: f64| -> f64 {
        stack.parts.iter().map(|part| (part * sign).max(0.0)).sum::<f64>() * sign
    };
    let span = range(stacks.iter().flat_map(|stack| [sum(stack, 1.0), sum(stack, -1.0), 0.0]));
    let svg = picture(60 + ROW * stacks.len() as u32, about, |area| {
        let mut chart = rows(area, &labels, span, unit)?;
        for (row, stack) in stacks.iter().enumerate() {
            let (mut right, mut left) = (0.0, 0.0);
            for (number, &part) in stack.parts.iter().enumerate() {
                let end = if part >= 0.0 { &mut right } else { &mut left };
                let corners = [(*end, row as f64 + 0.15), (*end + part, row as f64 + 0.85)];
                *end += part;
                let style: ShapeStyle = shade(number).filled();
                chart.draw_series([Rectangle::new(corners, style)])?;
            }
        }
        Ok(())
    });
    let colors = parts.iter().enumerate().map(|(number, part)| (shade_hex(number), part.clone()));
    Chart { svg, legend: colors.collect() }
}

/// As [`color`], but darker when the palette begins again.
fn shade(number: usize) -> RGBColor {
    let RGBColor(red, green, blue) = color(number);
    let dark = |part: u8| if number < PALETTE.len() { part } else { part / 2 + 10 };
    RGBColor(dark(red), dark(green), dark(blue))
}

fn shade_hex(number: usize) -> String {
    hex(shade(number))
}

/// Values over steps, one line of several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChartLine {
    /// What it is of.
    pub label: String,
    /// The values from left to right.
    pub points: Vec<ChartPoint>,
}

/// A value of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChartPoint {
    /// Where it stands from left to right.
    pub at: f64,
    /// The value.
    pub estimate: Estimate,
}

/// Values over steps, with their intervals, and a line where `even` is.
pub(crate) fn lines(
    about: &str,
    (across, upwards): (&str, &str),
    lines: &[ChartLine],
    even: Option<f64>,
) -> Chart {
    let points = || lines.iter().flat_map(|line| &line.points);
    let heights = range(points().flat_map(|point| extent(point.estimate)).chain(even));
    // A single step has no width of its own.
    let std::ops::Range { start, end } = range(points().map(|point| point.at));
    let svg = picture(260, about, |area| {
        let mut chart = plane(area, start - 0.5..end + 0.5, heights)?;
        mesh(&mut chart, (across, NUMBERS), Some(upwards))?;
        chart.draw_series(
            even.map(|at| PathElement::new([(start - 0.5, at), (end + 0.5, at)], INK.mix(0.6))),
        )?;
        for (number, ChartLine { points, .. }) in lines.iter().enumerate() {
            let ink = color(number);
            let soft = ink.mix(0.5).stroke_width(2);
            for &ChartPoint { at, estimate: Estimate { value, interval } } in points {
                let line = |Interval { low, high }| PathElement::new([(at, low), (at, high)], soft);
                chart.draw_series(interval.map(line))?;
                chart.draw_series([Circle::new((at, value), 2, ink.filled())])?;
            }
            let path: Vec<(f64, f64)> = points.iter().map(|point| (point.at, point.estimate.value)).collect();
            chart.draw_series([PathElement::new(path, ink.stroke_width(2))])?;
        }
        Ok(())
    });
    let labels: Vec<String> = lines.iter().map(|line| line.label.clone()).collect();
    Chart { svg, legend: if labels.len() > 1 { legend(&labels) } else { Vec::new() } }
}

/// What stands below a curve's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ticks<'a> {
    /// Numbers.
    Numbers,
    /// These names, of the places 0, 1, 2 and so on.
    Names(&'a [String]),
}

/// Values over something that grows, with their intervals as bands, and a line where `even` is.
pub(crate) fn curves(
    about: &str,
    (across, upwards): (&str, &str),
    ticks: Ticks<'_>,
    curves: &[ChartLine],
    even: Option<f64>,
) -> Chart {
    let points = || curves.iter().flat_map(|line| &line.points);
    let heights = range(points().flat_map(|point| extent(point.estimate)).chain(even));
    let span = range(points().map(|point| point.at));
    let numbers = if ticks == Ticks::Numbers { NUMBERS } else { 0 };
    let svg = picture(280, about, |area| {
        let mut chart = plane(area, span.clone(), heights)?;
        mesh(&mut chart, (across, numbers), Some(upwards))?;
        chart
            .draw_series(even.map(|at| PathElement::new([(span.start, at), (span.end, at)], INK.mix(0.6))))?;
        for (number, line) in curves.iter().enumerate() {
            chart.draw_series([Polygon::new(band(&line.points), color(number).mix(0.18).filled())])?;
        }
        for (number, line) in curves.iter().enumerate() {
            let ink = color(number);
            let path: Vec<(f64, f64)> = line.points.iter().map(|it| (it.at, it.estimate.value)).collect();
            chart.draw_series(path.iter().map(|&at| Circle::new(at, 3, ink.filled())))?;
            chart.draw_series([PathElement::new(path, ink.stroke_width(2))])?;
        }
        if let Ticks::Names(names) = ticks {
            name_ticks(area, &chart, names)?;
        }
        Ok(())
    });
    let labels: Vec<String> = curves.iter().map(|line| line.label.clone()).collect();
    Chart { svg, legend: if labels.len() > 1 { legend(&labels) } else { Vec::new() } }
}

/// The outline of a line's intervals: their low ends to the right, their high ends back.
fn band(points: &[ChartPoint]) -> Vec<(f64, f64)> {
    let end = |of: fn(Estimate) -> Option<f64>| {
        points.iter().map(move |it| (it.at, of(it.estimate).unwrap_or(it.estimate.value)))
    };
    end(Estimate::low).chain(end(Estimate::high).rev()).collect()
}

/// Writes names below the places 0, 1, 2 and so on, as much of them as there is room for.
fn name_ticks(area: &ChartArea<'_>, chart: &Plane<'_, '_>, names: &[String]) -> Drawn {
    let (pixels, below) = chart.plotting_area().get_pixel_range();
    let room = f64::from(pixels.end - pixels.start) / names.len().max(1) as f64;
    let most = ((room / (LETTERS * 0.56)) as usize).max(2);
    for (place, name) in names.iter().enumerate() {
        let (x, _) = chart.backend_coord(&(place as f64, 0.0));
        area.draw(&Text::new(shortened(name, most), (x, below.end + 12), letters(HPos::Center)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(counts: &[u64]) -> Bins {
        Bins { from: -5, width: 5, counts: counts.to_vec() }
    }

    fn line(label: &str, points: &[(f64, f64)]) -> ChartLine {
        let interval = |value| Some(Interval { low: value - 0.5, high: value + 1.0 });
        let point = |&(at, value)| ChartPoint { at, estimate: Estimate { value, interval: interval(value) } };
        ChartLine { label: label.to_owned(), points: points.iter().map(point).collect() }
    }

    #[test]
    fn charts_scale_and_take_the_colors_of_the_page() {
        let estimate = Estimate { value: 3.0, interval: Some(Interval { low: 1.0, high: 4.0 }) };
        let bar = Bar { label: "a & b".to_owned(), estimate };
        let stack = Stack { label: "seat 0".to_owned(), parts: vec![4.0, -2.0, 1.0] };
        let parts: Vec<String> = (0..12).map(|part| format!("part {part}")).collect();
        for chart in [
            bars("of <bars>", "points", std::slice::from_ref(&bar), Some(0.0)),
            bars("none", "points", &[], None),
            heat_map("heat", &parts, &vec![vec![Some(0.3); 12]; 12], 0.5),
            histograms(
                "scores",
                "points",
                &[("one".to_owned(), &bins(&[1, 5, 2])), ("two".to_owned(), &bins(&[]))],
            ),
            stacks("sources", "points", &parts, &[stack]),
            lines("learning", ("step", "gain"), &[line("a", &[(0.0, 1.0), (1.0, 3.0)])], Some(2.0)),
            lines("one step", ("step", "gain"), &[line("a", &[(0.0, 1.0)]), line("b", &[])], None),
            curves(
                "of what",
                ("bonus", "%"),
                Ticks::Numbers,
                &[line("a", &[(0.0, 1.0), (9.0, 3.0)])],
                Some(2.0),
            ),
            curves(
                "effort",
                ("agents", "%"),
                Ticks::Names(&parts[..2]),
                &[line("a", &[(0.0, 1.0), (1.0, 3.0)])],
                None,
            ),
            curves("nothing", ("agents", "%"), Ticks::Names(&[]), &[line("a", &[])], None),
        ] {
            let svg = &chart.svg;
            assert!(svg.starts_with("<svg role=\"img\" aria-label=") && svg.ends_with("</svg>"), "{svg}");
            assert!(svg.contains("viewBox=") && !svg.contains("#010101") && !svg.contains("NaN"), "{svg}");
            assert!(svg.matches("<svg").count() == 1 && !svg.contains("<bars>"), "{svg}");
        }
    }

    #[test]
    fn a_band_goes_around_the_intervals() {
        let line = line("a", &[(0.0, 1.0), (2.0, 3.0)]);
        assert_eq!(band(&line.points), [(0.0, 0.5), (2.0, 2.5), (2.0, 4.0), (0.0, 2.0)]);
        let names = ["greedy".to_owned(), "32".to_owned()];
        let chart = curves("effort", ("agents", "%"), Ticks::Names(&names), &[line], None);
        assert!(chart.svg.contains("<polygon") && chart.svg.contains("greedy"), "{}", chart.svg);
    }

    #[test]
    fn steps_add_up_to_all_games() {
        assert_eq!(
            outline(&bins(&[1, 3])),
            [(-5.0, 0.0), (-5.0, 25.0), (0.0, 25.0), (0.0, 75.0), (5.0, 75.0), (5.0, 0.0)]
        );
        assert_eq!(
            (short(&-0.0), short(&0.25), short(&40.0)),
            ("0".to_owned(), "0.25".to_owned(), "40".to_owned())
        );
        let label = shortened("greedy:strategy=center-avoiding", LABEL);
        assert!(label.starts_with('…') && label.ends_with("center-avoiding"), "{label}");
        assert_eq!(label.chars().count(), LABEL);
    }
}
