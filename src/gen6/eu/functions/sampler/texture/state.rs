//! SAMPLER_STATE of most messages, and the states that texture messages do not support (§10.4 to
//! 10.7, §10.9, volume 4 part 1, 2.11.3.1).
use super::format::MONO8;
use super::message::Task;
use super::surface::{Kind, Surface};
use crate::gen6::eu::data::descriptor::Descriptor;
use crate::gen6::eu::functions::context::{ChromaKey, FunctionContext};
use crate::gen6::state::StateError;

/// Sizes of the monochrome filter.
const MONO_SIZES: std::ops::RangeInclusive<u32> = 1..=7;

/// A filter within a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    Nearest,
    Linear,
    Anisotropic,
    Mono,
}

/// A filter between levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MipFilter {
    None,
    Nearest,
    Linear,
}

/// The texel that is read outside a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressMode {
    Wrap,
    Mirror,
    Clamp,
    Cube,
    Border,
    MirrorOnce,
}

/// A chroma key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub bounds: ChromaKey,
    /// Whether texels become black instead of killing pixels.
    pub is_black: bool,
}

/// A SAMPLER_STATE.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    pub is_disabled: bool,
    /// Whether the level of detail is clamped before the choice of the filter.
    pub preclamps: bool,
    /// Levels of detail in 1/64. At most `base` the magnification filter is used.
    pub base: i64,
    pub bias: i64,
    pub min_lod: i64,
    pub max_lod: i64,
    pub mip: MipFilter,
    pub mag: Filter,
    pub min: Filter,
    /// The function of comparisons, 0 to 7.
    pub function: u32,
    /// Of U, V and R.
    pub modes: [AddressMode; 3],
    /// Whether coordinates are rounded, for U, V and R, with the magnification and the minification
    /// filter.
    pub rounds: [[bool; 2]; 3],
    /// Red, green, blue, alpha.
    pub border: [f32; 4],
    pub key: Option<Key>,
    /// The largest ratio of the anisotropic filter.
    pub max_ratio: u32,
    pub is_normalized: bool,
    /// Width and height of the monochrome filter.
    pub mono: [u32; 2],
}

impl Sampler {
    /// The state at an address, for a surface and a task.
    ///
    /// # Errors
    /// [`StateError::Conflict`] for a state that the surface or the task cannot have, or that is
    /// reserved.
    pub fn decode(context: FunctionContext, address: u64, surface: &Surface, task: Task) -> Result<Sampler, StateError> {
        let dwords: [u32; 4] = context.memory.dwords(address);
        let bits = |dword: usize, high: u32, low: u32| Descriptor(dwords[dword]).bits(high, low);
        let signed = |bits: u32, count: u32| i64::from((bits << (32 - count)) as i32 >> (32 - count));
        let filter = |bits: u32| match bits {
            0 => Ok(Filter::Nearest),
            1 => Ok(Filter::Linear),
            2 => Ok(Filter::Anisotropic),
            6 => Ok(Filter::Mono),
            _ => Err(conflict(&["mag_mode_filter", "min_mode_filter"], "a reserved filter")),
        };
        let mip = match bits(0, 21, 20) {
            0 => MipFilter::None,
            1 => MipFilter::Nearest,
            3 => MipFilter::Linear,
            _ => return Err(conflict(&["mip_mode_filter"], "a reserved filter")),
        };
        let is_cube = surface.kind == Kind::Cube;
        let mode = |bits: u32| match bits {
            0 => Ok(AddressMode::Wrap),
            1 => Ok(AddressMode::Mirror),
            2 => Ok(AddressMode::Clamp),
            3 => Ok(AddressMode::Cube),
            4 => Ok(AddressMode::Border),
            5 => Ok(AddressMode::MirrorOnce),
            _ => Err(conflict(MODES, "a reserved address control mode")),
        };
        let modes = match is_cube && bits(1, 9, 9) == 1 {
            true => [AddressMode::Cube; 3],
            false => [mode(bits(1, 8, 6))?, mode(bits(1, 5, 3))?, mode(bits(1, 2, 0))?],
        };
        let pointer = u64::from(context.bases.dynamic_state) + u64::from(dwords[2] & !31);
        let border: [u32; 5] = context.memory.dwords(pointer);
        let bounds = context.chroma_keys[bits(3, 24, 23) as usize];
        let sampler = Sampler {
            is_disabled: bits(0, 31, 31) == 1,
            preclamps: bits(0, 28, 28) == 1,
            base: 32 * i64::from(bits(0, 26, 22)),
            bias: signed(bits(0, 13, 3), 11),
            min_lod: bits(1, 31, 22).into(),
            max_lod: bits(1, 21, 12).into(),
            mip,
            mag: filter(bits(0, 19, 17))?,
            min: filter(bits(0, 16, 14))?,
            function: bits(0, 2, 0),
            modes,
            rounds: [17, 15, 13].map(|low| [bits(3, low + 1, low + 1) == 1, bits(3, low, low) == 1]),
            border: [1, 2, 3, 4].map(|n| f32::from_bits(border[n])),
            key: (bits(3, 25, 25) == 1).then_some(Key { bounds, is_black: bits(3, 22, 22) == 1 }),
            max_ratio: 2 * (bits(3, 21, 19) + 1),
            is_normalized: bits(3, 0, 0) == 0,
            mono: [context.mono_filter.width, context.mono_filter.height],
        };
        sampler.check(surface)?;
        if task == Task::Gather && mip != MipFilter::None {
            return Err(conflict(&["mip_mode_filter"], "load4 reads one level"));
        }
        Ok(sampler)
    }

    /// Whether one of the filters is this one.
    pub fn has(&self, filter: Filter) -> bool {
        self.mag == filter || self.min == filter
    }

    /// Checks that the surface can have the state.
    fn check(&self, surface: &Surface) -> Result<(), StateError> {
        let all = |modes: &[AddressMode], allowed: &[AddressMode]| modes.iter().all(|mode| allowed.contains(mode));
        let (is_cube, is_volume) = (surface.kind == Kind::Cube, surface.kind == Kind::Volume);
        let has_levels = surface.last_level + surface.first_level > 0;
        let pair = &self.modes[..2];
        let wrong: [(bool, &'static [&'static str], &'static str); 16] = [
            (!is_cube && self.modes.contains(&AddressMode::Cube), MODES, "the mode CUBE needs a cube"),
            (is_cube && !all(pair, &[AddressMode::Clamp, AddressMode::Cube]), MODES, "a cube needs CLAMP or CUBE"),
            (is_cube && pair[0] != pair[1], MODES, "a cube needs the same mode for U and V"),
            (
                is_cube && pair[0] == AddressMode::Clamp && !surface.has_all_faces(),
                &["tcx_address_control_mode", "cube_face_enables"],
                "CLAMP needs all faces of the cube",
            ),
            (
                is_cube && surface.averages && (self.key.is_some() || !surface.has_all_faces()),
                &["cube_map_corner_mode", "chroma_key_enable", "cube_face_enables"],
                "CUBE_AVERAGE needs all faces and no chroma key",
            ),
            (surface.is_field && !all(pair, &[AddressMode::Clamp]), MODES, "a field needs CLAMP"),
            (surface.is_field && self.mip != MipFilter::None, &["mip_mode_filter"], "a field has no levels"),
            (is_volume && self.has(Filter::Anisotropic), FILTERS, "volumes are filtered nearest or linear"),
            (
                self.key.is_some() && !is_keyed(surface.format.code),
                &["chroma_key_enable", "surface_format"],
                "a format without chroma key",
            ),
            (self.key.is_some() && is_volume, &["chroma_key_enable", "surface_type"], "a volume has no chroma key"),
            (
                self.key.is_some() && (self.has(Filter::Anisotropic) || self.has(Filter::Mono)),
                &["chroma_key_enable", "mag_mode_filter", "min_mode_filter"],
                "this filter has no chroma key",
            ),
            (
                !self.is_normalized && (!matches!(surface.kind, Kind::Plane | Kind::Volume) || has_levels),
                &["non_normalized_coordinates", "surface_type", "mip_count"],
                "coordinates in texels need a plane or volume of one level",
            ),
            (
                !self.is_normalized && !all(&self.modes, &[AddressMode::Clamp, AddressMode::Border]),
                MODES,
                "coordinates in texels need CLAMP or CLAMP_BORDER",
            ),
            (
                self.has(Filter::Mono) != (surface.format.code == MONO8) || self.has(Filter::Mono) && self.mag != self.min,
                FILTERS,
                "MONO8 and the monochrome filter need each other, for both filters",
            ),
            (
                self.has(Filter::Mono)
                    && (self.mip != MipFilter::None || self.min_lod != 0 || !all(&self.modes, &[AddressMode::Border])),
                &["mip_mode_filter", "min_lod", "tcx_address_control_mode"],
                "the monochrome filter needs CLAMP_BORDER, no levels and Min LOD 0",
            ),
            (
                self.has(Filter::Mono) && !self.mono.iter().all(|size| MONO_SIZES.contains(size)),
                &["monochrome_filter_width", "monochrome_filter_height"],
                "the monochrome filter has 1 to 7 texels each way",
            ),
        ];
        wrong.into_iter().find(|(is_wrong, ..)| *is_wrong).map_or(Ok(()), |(_, fields, message)| Err(conflict(fields, message)))
    }
}

const MODES: &[&str] = &["tcx_address_control_mode", "tcy_address_control_mode", "tcz_address_control_mode"];
const FILTERS: &[&str] = &["mag_mode_filter", "min_mode_filter"];

fn conflict(fields: &'static [&'static str], message: &str) -> StateError {
    StateError::Conflict { fields, message: message.to_owned() }
}

/// Whether a format has a chroma key: channels of at most 8 bits, neither a palette nor blocks.
fn is_keyed(code: u32) -> bool {
    matches!(
        code,
        0x0c0 | 0x0c1 | 0x0c7 | 0x0c8 | 0x0e9..=0x0ec | 0x100..=0x106 | 0x114 | 0x118 | 0x11a | 0x11b | 0x140 | 0x144..=0x146
            | 0x14c | 0x182 | 0x183 | 0x18f | 0x190
    )
}
