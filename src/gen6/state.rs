//! Hardware state: the bit layouts as data, DWords to parameters and back (§8).
//!
//! A [`Structure`] is a table of [`Field`]s that cover each bit of its DWords once. DWords of a
//! state decode to [`Parameters`](crate::Parameters) and to the settings of one step, and encode
//! back to the same DWords. Reserved bits are written as 0 and ignored on reading;
//! [`Structure::check`] reports them. The error for a value outside the range of its field has the
//! name, the value and the range.
//!
//! ```
//! use dndi::Parameters;
//! use dndi::gen6::state::Structure;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let layout = Structure::named("COLOR_PROCESSING_STATE")?;
//! let mut dwords = Parameters::default().color_state()?;
//! layout.field("color.contrast")?.set(&mut dwords, 160)?;
//! let mut parameters = Parameters::default();
//! parameters.set_color_state(&dwords)?;
//! assert_eq!(parameters.color.contrast, 160);
//! # Ok(())
//! # }
//! ```
mod catalog;
mod error;
mod field;
mod layout;
mod parameters;
mod structure;

pub use error::StateError;
pub use field::{Field, Format};
pub use layout::capture::VEBOX_CAPTURE_DWORDS;
pub use layout::color::COLOR_DWORDS;
pub use layout::deinterlace::{DEINTERLACE_DWORDS, DeinterlaceControl};
pub use layout::iecp::VEBOX_IECP_DWORDS;
pub use layout::sampler::{SAMPLER_DWORDS, SampleControl};
pub use layout::scaler::SCALER_DWORDS;
pub use layout::surface::{BindingTableState, MediaSurfaceState, SurfaceState};
pub use layout::vebox::{VEBOX_DNDI_DWORDS, VeboxControl};
pub use structure::Structure;
