//! Completes bands of lines of a plane: compensation, residuals, fusion (§15.7 to §15.9).
use super::fusion;
use crate::deinterlace::field_alone;
use crate::deinterlace::fields::Fields;
use crate::deinterlace::pixel_sources::PixelSources;
use crate::deinterlace::static_gate::Evidence;
use crate::deinterlace::steady::SteadyCells;
use crate::deinterlace::woven_parts::WovenParts;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed_rows};
use crate::motion::{BORDER, Compensated, REFERENCES};
use dndi_simd::APRON;
use std::ops::Range;

/// Lines that a thread completes at a time. They do not affect any sample.
pub(super) const LINES: usize = 64;
/// Lines above and below a missing line whose residuals the network reads.
const REACH: usize = 3;

/// Scratch buffers of a thread.
#[derive(Debug)]
pub(super) struct Scratch<S> {
    pub alone: field_alone::Scratch<S>,
    fusion: fusion::Scratch<S>,
    compensated: [Compensated<S>; REFERENCES],
    /// Residuals of each reference in the lines of the field, with aprons.
    residuals: [Vec<u8>; REFERENCES],
    /// Phases of the samples of a row of blocks in each reference.
    phases: [Vec<u16>; REFERENCES],
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for lines of up to `width` samples.
    pub fn new(width: usize) -> Result<Scratch<S>, OutOfMemory> {
        let lines = LINES + 2 * REACH;
        let compensated = || Compensated::new(width, lines, true);
        Ok(Scratch {
            alone: field_alone::Scratch::new(true)?,
            fusion: fusion::Scratch::new()?,
            compensated: [compensated()?, compensated()?, compensated()?, compensated()?],
            residuals: zeroed_rows((width + 2 * APRON) * lines)?,
            phases: zeroed_rows(width)?,
        })
    }
}

/// The lines of a plane of field t.
pub(super) struct BandLines<'a, S> {
    pub plane: &'a fusion::Plane<'a, S>,
    pub fields: &'a Fields<'a, S>,
    /// Parity of the missing lines.
    pub missing: usize,
    /// Width and height of the plane.
    pub size: (usize, usize),
    /// Cells of the luma that are steady around the field.
    pub steady: &'a SteadyCells,
}

impl<S: PlaneSample> BandLines<'_, S> {
    /// Completes the missing lines of the band that begins with line `first`. The band holds the
    /// picture of the field alone, which remains unless it `fuses`. Returns the sources of the
    /// samples.
    pub fn complete(
        &self,
        first: usize,
        (band, stride): (&mut [S], usize),
        fuses: bool,
        parts: Option<&WovenParts<S>>,
        scratch: &mut Scratch<S>,
    ) -> PixelSources {
        let (width, height) = self.size;
        let lines = first..(first + LINES).min(height);
        let start = first.saturating_sub(REACH);
        let Scratch { fusion, compensated, residuals, phases, .. } = scratch;
        if fuses {
            self.compensate(start..(lines.end + REACH).min(height), compensated, residuals);
        }
        let mut sources = PixelSources::default();
        let mut row = None;
        for y in lines.filter(|y| y % 2 == self.missing) {
            let out = &mut band[(y - first) * stride + BORDER..][..width];
            let of_blocks = Some(y * self.plane.references[0].scale.1 / 8);
            if fuses && row != of_blocks {
                row = of_blocks;
                self.find_phases(y, phases);
            }
            let line = if fuses { self.line(y, start, compensated, residuals, phases) } else { None };
            let mut complete = |columns: Range<usize>, out: &mut [S], sources: &mut PixelSources| {
                let fuse = |line| fusion::line(self.plane, line, columns.start, &mut out[columns.clone()], fusion);
                let alone = PixelSources { network: columns.len() as u64, ..PixelSources::default() };
                *sources += line.as_ref().map_or(alone, fuse);
            };
            match parts {
                Some(parts) => parts.line(y, out, &mut sources, complete),
                None => complete(0..width, out, &mut sources),
            }
        }
        sources
    }

    /// Compensates lines of all references, and computes their residuals in the lines of the field.
    fn compensate(
        &self,
        lines: Range<usize>,
        compensated: &mut [Compensated<S>; REFERENCES],
        residuals: &mut [Vec<u8>; REFERENCES],
    ) {
        let (kernels, width) = (self.plane.kernels, self.size.0);
        let references = self.plane.references.iter().zip(compensated).zip(residuals);
        for ((reference, compensated), residuals) in references {
            compensated.fill(kernels, reference, lines.clone(), self.plane.depth);
            let rows = residuals.chunks_exact_mut(width + 2 * APRON).zip(lines.clone());
            for (row, y) in rows.filter(|(_, y)| y % 2 != self.missing) {
                let own = self.fields.own.bytes.row(y as isize, 0, width);
                (kernels.distance)(row, compensated.top_row(y as isize), own);
            }
        }
    }

    /// The input of the fusion of missing line `y`, if lines from `start` on are compensated; none
    /// if no field is before or after it.
    fn line<'a>(
        &self,
        y: usize,
        start: usize,
        compensated: &'a [Compensated<S>; REFERENCES],
        residuals: &'a [Vec<u8>; REFERENCES],
        phases: &'a [Vec<u16>; REFERENCES],
    ) -> Option<fusion::Line<'a, S>>
    where
        Self: 'a,
    {
        let (decisions, lines) = self.fields.lines(y, 0, self.size.0)?;
        let stride = self.size.0 + 2 * APRON;
        let residuals = residuals
            .each_ref()
            .map(|residuals| [-3, -1, 1, 3].map(|dy| &residuals[(self.of_parity(y as isize + dy) - start) * stride..][..stride]));
        let phases = phases.each_ref().map(|row| &row[..self.size.0]);
        let evidence = Evidence::new(self.fields, self.plane.component, self.steady, y, (0, self.size.0))?;
        Some(fusion::Line { y, decisions, evidence, lines, compensated, residuals, phases })
    }

    /// Writes the phases of all references in the row of blocks with line `y`.
    fn find_phases(&self, y: usize, phases: &mut [Vec<u16>; REFERENCES]) {
        let extra = (self.plane.depth - 8).min(4);
        for (number, (reference, row)) in self.plane.references.iter().zip(phases).enumerate() {
            reference.phases(y, number >= 2, extra, &mut row[..self.size.0]);
        }
    }

    /// The line of the field that is read for its line `y`: the nearest one inside the picture.
    fn of_parity(&self, y: isize) -> usize {
        let (parity, last) = (y & 1, self.size.1 as isize - 1);
        y.clamp(parity, last - ((last - parity) & 1)) as usize
    }
}
