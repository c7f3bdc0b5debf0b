//! Detection of scan, field order and pulldown pattern from the pictures.
//!
//! Interlacing flags are unreliable, so the detector analyses the luma. If the two fields of a
//! frame belong to different times, they comb where something moves. A [`Detector`] measures how
//! much the fields of each frame comb with each other and, in either field order, with those of the
//! previous frame (a measure like the film mode detection variances of §4.1, but for both orders at
//! once and on a part of the lines). It looks some frames ahead and decides for each frame the kind
//! of material, the confidence and the evidence, and the field matches (§3.8) that a
//! [`Stream`](crate::Stream) restores it with. All arithmetic is integer, except for that of
//! blended fields, which is floating point in a fixed order. Decisions depend neither on the
//! instruction set nor on the number of threads. `docs/design/detection.md` explains the algorithm.
//!
//! Terms: a *field pair* is two fields that are adjacent in time, numbered as in `lookahead`; to
//! *weave* it is to interleave their lines. A *picture* is the set of consecutive fields that were
//! sampled at one time; in 3:2 film a picture has two or three fields. A field pair is *inside* a
//! picture if both fields belong to it; else a picture *starts* at the pair. A *phase* is a
//! pulldown pattern with the position of its first picture.
//!
//! Unless a comment says otherwise, constants were tuned on the deceptive clips, the spliced clips
//! and the corpus of `docs/results/detection.md`. `docs/design/constants.md` lists the effects of
//! other values, on mixed clips and in the tests.
mod blended;
mod cadence;
mod cadence_fit;
mod classifier;
mod comb_mask;
mod decision;
mod detector;
mod field_order;
mod field_samples;
mod fitting;
mod frame_metrics;
mod lookahead;
mod sampling;
mod scene_cut;
#[cfg(test)]
mod synthetic;
mod vertical_motion;
mod window;
mod zscore;

pub use cadence::Pulldown;
pub use decision::{ClipStart, Content, Decision, FieldMatching, Reason};
pub use detector::{Detector, DetectorBuilder};
pub(crate) use field_samples::{FieldSampler, FieldSamples};
