//! `--plot`: measurements over time, as SVG or PNG.

use super::measure::Sample;
use crate::error::CliError;
use crate::io::rgb;
use crate::report::summary;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use plotters::backend::{PixelFormat, RGBPixel};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};
use std::fmt::Display;
use std::path::Path;

/// Width and height of the plot in pixels.
const SIZE: (u32, u32) = (1200, 900);

/// Width of the curves with their axes, in pixels. Legends are on the right of them.
const CURVES: u32 = 980;

/// Distance between lines of a legend, in pixels.
const LINE: usize = 18;

/// Maximum number of points of a curve, about two per pixel. For a longer clip, means of successive
/// frames are drawn.
const POINTS: usize = 2000;

/// The file format of the plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Svg,
    Png,
}

impl Kind {
    /// The format of a file, by the extension of its name.
    pub fn of(path: &Path) -> Result<Kind, CliError> {
        match path.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Kind::Svg),
            Some("png") => Ok(Kind::Png),
            _ => Err(CliError::usage(format_args!("--plot {}: the name must end with .svg or .png", path.display()))),
        }
    }
}

/// The plot as a file. `rate` is the frame rate of the clip as a fraction.
pub fn draw(kind: Kind, samples: &[Sample], rate: Option<(u32, u32)>) -> Result<Vec<u8>, CliError> {
    match kind {
        Kind::Svg => {
            let mut text = String::new();
            panels(&SVGBackend::with_string(&mut text, SIZE).into_drawing_area(), samples, rate)?;
            Ok(text.into_bytes())
        }
        Kind::Png => {
            let mut pixels = vec![0; SIZE.0 as usize * SIZE.1 as usize * RGBPixel::PIXEL_SIZE];
            panels(&BitmapWithFont(BitMapBackend::with_buffer(&mut pixels, SIZE)).into_drawing_area(), samples, rate)?;
            let mut png = Vec::new();
            rgb::encode(&pixels, (SIZE.0 as usize, SIZE.1 as usize), rgb::BitDepth::Eight, &mut png)?;
            Ok(png)
        }
    }
}

fn failed(error: impl Display) -> CliError {
    CliError::runtime(format_args!("cannot draw the plot: {error}"))
}

/// A curve of a panel: its name, its colour, and its value for a frame.
type Line<'a> = (&'a str, RGBColor, &'a dyn Fn(&Sample) -> Option<f64>);

const RED: RGBColor = RGBColor(200, 30, 30);
const BLUE: RGBColor = RGBColor(30, 80, 200);
const GREEN: RGBColor = RGBColor(20, 130, 60);
const COLORS: [RGBColor; 6] = [BLUE, RED, GREEN, RGBColor(150, 60, 180), RGBColor(210, 130, 0), RGBColor(90, 90, 90)];

/// The kind of a frame without the field order.
fn name(kind: summary::Kind) -> String {
    kind.pulldown.map_or(kind.content().to_owned(), |pulldown| format!("{} {pulldown}", kind.content()))
}

/// Draws all panels, one below the other.
fn panels<B: DrawingBackend>(area: &DrawingArea<B, Shift>, samples: &[Sample], rate: Option<(u32, u32)>) -> Result<(), CliError> {
    area.fill(&WHITE).map_err(failed)?;
    let second = rate.map_or(1.0, |(num, den)| f64::from(den) / f64::from(num.max(1)));
    let unit = if rate.is_some() { "seconds" } else { "frames" };
    let mut names: Vec<String> = samples.iter().filter_map(|sample| sample.kind.map(name)).collect();
    names.sort_unstable();
    names.dedup();
    let is = |sample: &Sample, known: &str| sample.kind.map(|kind| f64::from(100 * u8::from(name(kind) == known)));
    let shares: Vec<_> = names.iter().map(|name| move |sample: &Sample| is(sample, name)).collect();
    let content: Vec<Line> = names
        .iter()
        .zip(COLORS.into_iter().cycle())
        .zip(&shares)
        .map(|((name, color), share)| (name.as_str(), color, share as &dyn Fn(&Sample) -> Option<f64>))
        .collect();
    let combing = |sample: &Sample| (sample.combing[1] > 0).then(|| 100.0 * sample.combing[0] as f64 / sample.combing[1] as f64);
    let panels: [(&str, &[Line]); 5] = [
        ("noise estimate", &[("noise", BLUE, &|sample| sample.noise)]),
        ("moving blocks, %", &[("motion", BLUE, &|sample| sample.motion.map(|motion| 100.0 * motion))]),
        ("changing pixels that comb, %", &[("combing", RED, &combing)]),
        (
            "tears",
            &[
                ("inside the frame", RED, &|sample| sample.motion.map(|_| sample.tears[0] as f64)),
                ("with the frame before", BLUE, &|sample| sample.motion.map(|_| sample.tears[1] as f64)),
            ],
        ),
        ("content, % of frames", &content),
    ];
    let last = panels.len() - 1;
    for (index, (area, (title, lines))) in area.split_evenly((panels.len(), 1)).iter().zip(panels).enumerate() {
        panel(area, title, lines, samples, second, Some(unit).filter(|_| index == last))?;
    }
    area.present().map_err(failed)
}

/// Draws a panel. `second` is the duration of a frame in units of the x axis; `unit` is their name,
/// which is drawn below the last panel.
fn panel<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    title: &str,
    lines: &[Line],
    samples: &[Sample],
    second: f64,
    unit: Option<&str>,
) -> Result<(), CliError> {
    let group = samples.len().div_ceil(POINTS).max(1);
    let points = |of: &dyn Fn(&Sample) -> Option<f64>| -> Vec<(f64, f64)> {
        let mean = |(index, samples): (usize, &[Sample])| {
            let values: Vec<f64> = samples.iter().filter_map(of).collect();
            let time = (index * group) as f64 * second;
            (!values.is_empty()).then(|| (time, values.iter().sum::<f64>() / values.len() as f64))
        };
        samples.chunks(group).enumerate().filter_map(mean).collect()
    };
    let lines: Vec<_> = lines.iter().map(|(name, color, of)| (*name, *color, points(of))).collect();
    let most = lines.iter().flat_map(|(_, _, points)| points).map(|point| point.1).fold(1.0, f64::max);
    let end = (samples.len().max(2) - 1) as f64 * second;
    let (curves, legend) = area.split_horizontally(CURVES);
    let mut chart = ChartBuilder::on(&curves);
    chart
        .margin(8)
        .caption(title, ("sans-serif", 16))
        .x_label_area_size(if unit.is_some() { 40 } else { 20 })
        .y_label_area_size(60);
    let mut chart = chart.build_cartesian_2d(0.0..end, 0.0..most * 1.05).map_err(failed)?;
    let mut mesh = chart.configure_mesh();
    let whole = |value: &f64| format!("{value:.0}");
    let label = |value: &f64| if most < 8.0 { value.to_string() } else { whole(value) };
    mesh.y_labels(4).y_label_formatter(&label).label_style(("sans-serif", 14)).light_line_style(WHITE);
    unit.map(|unit| mesh.x_desc(unit));
    mesh.draw().map_err(failed)?;
    let named = lines.len() > 1 || title.starts_with("content");
    for ((name, color, points), y) in lines.into_iter().zip((30..).step_by(LINE)) {
        chart.draw_series(LineSeries::new(points, color)).map_err(failed)?;
        if named {
            legend.draw(&PathElement::new([(0, y), (16, y)], color)).map_err(failed)?;
            let style = ("sans-serif", 14).into_text_style(&legend).pos(Pos::new(HPos::Left, VPos::Center));
            legend.draw(&Text::new(name, (22, y), style)).map_err(failed)?;
        }
    }
    Ok(())
}

/// A bitmap backend that draws text with a built-in font, so that no system fonts are needed.
struct BitmapWithFont<'a>(BitMapBackend<'a>);

const WEIGHT: FontWeight = FontWeight::Regular;
const HEIGHT: RasterHeight = RasterHeight::Size16;

/// Width and height of a text in pixels.
fn text_size(text: &str) -> (i32, i32) {
    ((text.chars().count() * get_raster_width(WEIGHT, HEIGHT)) as i32, HEIGHT.val() as i32)
}

impl<'a> DrawingBackend for BitmapWithFont<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.0.get_size()
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.0.ensure_prepared()
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.0.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.0.draw_pixel(point, color)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.0.draw_rect(upper_left, bottom_right, style, fill)
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        _: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let (width, height) = text_size(text);
        Ok((width as u32, height as u32))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        let (width, height) = text_size(text);
        let left = match style.anchor().h_pos {
            HPos::Left => x,
            HPos::Center => x - width / 2,
            HPos::Right => x - width,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => y,
            VPos::Center => y - height / 2,
            VPos::Bottom => y - height,
        };
        let color = style.color();
        let advance = get_raster_width(WEIGHT, HEIGHT);
        for (index, letter) in text.chars().enumerate() {
            let Some(letter) = get_raster(letter, WEIGHT, HEIGHT) else { continue };
            for (dy, row) in letter.rows().enumerate() {
                for (dx, &share) in row.iter().enumerate().filter(|(_, share)| **share > 0) {
                    let at = (left + (index * advance + dx) as i32, top + dy as i32);
                    let alpha = color.alpha * f64::from(share) / 255.0;
                    self.0.draw_pixel(at, BackendColor { alpha, ..color })?;
                }
            }
        }
        Ok(())
    }
}
