//! SURFACE_STATE in both of its layouts, and the BINDING_TABLE_STATE that points to them.
use crate::gen6::state::error::StateError;
use crate::gen6::state::field::Format::{Aligned, Unsigned as U};
use crate::gen6::state::field::{Field, field, reserved};
use crate::gen6::state::structure::{Structure, unconditional};
use std::sync::LazyLock;

/// Declares a structure without parameters: the struct of its values, their fields, and the
/// reserved bits.
macro_rules! surface {
    ($(#[$meta:meta])* $name:ident, $layout:ident: $title:literal, $dwords:literal DWords, $section:literal
        { $(#[doc = $about:literal] $value:ident = ($($bits:tt)*) $(.$with:ident($($argument:tt)*))*;)* }
        reserved { $($gap:tt)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name { $(#[doc = $about] pub $value: u32,)* }

        impl $name {
            /// Number of DWords.
            pub const DWORDS: usize = $dwords;

            /// The values in `dwords`. Reserved bits are ignored.
            ///
            /// # Errors
            /// [`StateError::Range`] if a field is outside its range.
            pub fn decode(dwords: &[u32; $dwords]) -> Result<$name, StateError> {
                let mut fields = Self::FIELDS.iter();
                let mut next = || fields.next().expect("a field for each value").get(dwords).map(|value| value as u32);
                Ok($name { $($value: next()?,)* })
            }

            /// The DWords of these values, with reserved bits 0.
            ///
            /// # Errors
            /// [`StateError::Range`] if a value is outside the range of its field.
            pub fn encode(&self) -> Result<[u32; $dwords], StateError> {
                let mut dwords = [0; $dwords];
                let values = [$(self.$value),*];
                Self::FIELDS.iter().zip(values).try_for_each(|(field, value)| field.set(&mut dwords, value.into()))?;
                Ok(dwords)
            }

            const FIELDS: &[Field] = &[$(field(stringify!($value), $($bits)*)$(.$with($($argument)*))*.about($about.trim_ascii())),*];
        }

        impl Default for $name {
            fn default() -> Self {
                let mut fields = Self::FIELDS.iter();
                let mut next = || fields.next().expect("a field for each value").default as u32;
                $name { $($value: next(),)* }
            }
        }

        pub(in crate::gen6::state) static $layout: LazyLock<Structure> = LazyLock::new(|| {
            let mut fields = [$name::FIELDS, &[$(reserved $gap),*]].concat();
            fields.sort_by_key(|field| (field.dword, std::cmp::Reverse(field.high)));
            Structure { name: $title, dwords: $dwords, section: $section, condition: unconditional, fields }
        });
    };
}

surface! {
    /// SURFACE_STATE of all messages except `deinterlace` and `sample_8x8`. Sizes are those of the
    /// surface, not the stored numbers, which are less by one.
    SurfaceState, SURFACE: "SURFACE_STATE", 6 DWords, "Gen6 volume 4 part 1, 2.11.2.1.1" {
        /// kind of surface
        surface_type = (0, 31, 29, U(3, 0))
            .only_values(&[(0, "1d"), (1, "2d"), (2, "3d"), (3, "cube"), (4, "buffer"), (7, "null")]).with_default(1);
        /// format of the sampler's responses on older hardware
        data_return_format = (0, 27, 27, U(1, 0)).only_values(&[(0, "float32"), (1, "s1.14")]);
        /// format of an element, 9 bits
        surface_format = (0, 26, 18, U(9, 0)).named_values(FORMATS);
        /// lines to skip between neighbours: 1 for a field
        vertical_line_stride = (0, 12, 12, U(1, 0));
        /// first line, where lines are skipped
        vertical_line_stride_offset = (0, 11, 11, U(1, 0));
        /// position of the next smaller map
        mip_map_layout_mode = (0, 10, 10, U(1, 0)).only_values(&[(0, "below"), (1, "right")]);
        /// corners of cube maps
        cube_map_corner_mode = (0, 9, 9, U(1, 0)).only_values(&[(0, "replicate"), (1, "average")]);
        /// whether a write that misses the render cache also allocates a line for reading
        render_cache_read_write_mode = (0, 8, 8, U(1, 0));
        /// line that a media block read gives above and below the surface
        media_boundary_pixel_mode = (0, 7, 6, U(2, 0))
            .only_values(&[(0, "normal"), (2, "progressive frame"), (3, "interlaced frame")]);
        /// faces of a cube map, one bit each
        cube_face_enables = (0, 5, 0, U(6, 0));
        /// address of the first byte, from the surface's base
        surface_base_address = (1, 31, 0, U(32, 0));
        /// lines; lines of the field if lines are skipped
        height = (2, 31, 19, U(13, 0)).with_bias(1);
        /// pixels in a line; DWords for media block messages
        width = (2, 18, 6, U(13, 0)).with_bias(1);
        /// number of smaller maps for reads, or the map for writes
        mip_count = (2, 5, 2, U(4, 0)).up_to(13);
        /// rotation of a render target
        render_target_rotation = (2, 1, 0, U(2, 0)).only_values(&[(0, "0 degrees"), (1, "90 degrees"), (3, "270 degrees")]);
        /// layers, or elements of an array
        depth = (3, 31, 21, U(11, 0)).with_bias(1);
        /// bytes from line to line
        surface_pitch = (3, 19, 3, U(17, 0)).with_bias(1);
        /// whether the surface is tiled
        tiled_surface = (3, 1, 1, U(1, 0));
        /// order within a tile
        tile_walk = (3, 0, 0, U(1, 0)).only_values(&[(0, "x major"), (1, "y major")]);
        /// most detailed map for reads
        surface_min_lod = (4, 31, 28, U(4, 0)).up_to(13);
        /// first element of an array
        minimum_array_element = (4, 27, 17, U(11, 0));
        /// layers of a render target
        render_target_view_extent = (4, 16, 8, U(9, 0)).with_bias(1);
        /// samples of a pixel
        number_of_multisamples = (4, 6, 4, U(3, 0)).only_values(&[(0, "1"), (2, "4")]);
        /// positions of these samples
        multisample_position_palette_index = (4, 2, 0, U(3, 0));
        /// first column of a tiled surface, a multiple of 4
        x_offset = (5, 31, 25, Aligned(2));
        /// alignment of maps
        surface_vertical_alignment = (5, 24, 24, U(1, 0)).only_values(&[(0, "2"), (1, "4")]);
        /// first line of a tiled surface, a multiple of 2
        y_offset = (5, 23, 20, Aligned(1));
        /// cache control
        surface_object_control_state = (5, 19, 16, U(4, 0));
    }
    reserved { (0, 28, 28) (0, 17, 13) (3, 20, 20) (3, 2, 2) (4, 7, 7) (4, 3, 3) (5, 15, 0) }
}

surface! {
    /// SURFACE_STATE of the messages `deinterlace` and `sample_8x8`. Sizes are those of the
    /// surface, not the stored numbers, which are less by one. The sizes and the pitch of planar
    /// formats are those of luma.
    MediaSurfaceState, MEDIA_SURFACE: "SURFACE_STATE_MEDIA", 6 DWords, "Gen11 volume 2d, MEDIA_SURFACE_STATE, with the bits of Gen6" {
        /// address of the first byte, from the surface's base
        surface_base_address = (0, 31, 0, U(32, 0));
        /// lines of luma
        height = (1, 31, 19, U(13, 0)).with_bias(1);
        /// luma samples in a line
        width = (1, 18, 6, U(13, 0)).with_bias(1);
        /// vertical offset of chroma from the even luma lines
        cr_cb_pixel_offset_v_direction = (1, 1, 0, U(0, 2));
        /// format of the samples
        surface_format = (2, 31, 28, U(4, 0)).only_values(MEDIA_FORMATS);
        /// whether Cb and Cr alternate in one plane
        interleave_chroma = (2, 27, 27, U(1, 0));
        /// cache control
        surface_object_control_state = (2, 25, 22, U(4, 0));
        /// bytes from line to line
        surface_pitch = (2, 19, 3, U(17, 0)).with_bias(1);
        /// whether chroma has half the pitch
        half_pitch_for_chroma = (2, 2, 2, U(1, 0));
        /// whether the surface is tiled
        tiled_surface = (2, 1, 1, U(1, 0));
        /// order within a tile
        tile_walk = (2, 0, 0, U(1, 0)).only_values(&[(0, "x major"), (1, "y major")]);
        /// first column of Cb, or of interleaved chroma
        x_offset_for_cb = (3, 28, 16, U(13, 0));
        /// first line of Cb, or of interleaved chroma, counted from the first line of luma
        y_offset_for_cb = (3, 12, 0, U(13, 0));
        /// first column of Cr
        x_offset_for_cr = (4, 28, 16, U(13, 0));
        /// first line of Cr, counted from the first line of luma
        y_offset_for_cr = (4, 12, 0, U(13, 0));
    }
    reserved {
        (1, 5, 2) (2, 26, 26) (2, 21, 20) (3, 31, 29) (3, 15, 13) (4, 31, 29) (4, 15, 13) (5, 31, 0)
    }
}

/// Formats of pictures.
const FORMATS: &[(i64, &str)] = &[
    (0x0c0, "B8G8R8A8_UNORM"),
    (0x0c2, "R10G10B10A2_UNORM"),
    (0x0c7, "R8G8B8A8_UNORM"),
    (0x106, "R8G8_UNORM"),
    (0x10a, "R16_UNORM"),
    (0x140, "R8_UNORM"),
    (0x144, "A8_UNORM"),
    (0x145, "I8_UNORM"),
    (0x146, "L8_UNORM"),
    (0x182, "YCRCB_NORMAL"),
    (0x183, "YCRCB_SWAPUVY"),
    (0x18f, "YCRCB_SWAPUV"),
    (0x190, "YCRCB_SWAPY"),
    (0x1a5, "PLANAR_420_8"),
    (0x1ff, "RAW"),
];

const MEDIA_FORMATS: &[(i64, &str)] = &[
    (0, "YCRCB_NORMAL"),
    (1, "YCRCB_SWAPUVY"),
    (2, "YCRCB_SWAPUV"),
    (3, "YCRCB_SWAPY"),
    (4, "PLANAR_420_8"),
    (5, "PLANAR_411_8"),
    (6, "PLANAR_422_8"),
    (7, "STMM_DN_STATISTICS"),
    (8, "R10G10B10A2_UNORM"),
    (9, "R8G8B8A8_UNORM"),
    (10, "R8B8_UNORM"),
    (11, "R8_UNORM"),
    (12, "Y8_UNORM"),
    // An extension of this model that the hardware lacks.
    (13, "PLANAR_444_8"),
];

surface! {
    /// BINDING_TABLE_STATE, an entry of a binding table.
    BindingTableState, BINDING_TABLE: "BINDING_TABLE_STATE", 1 DWords, "Gen6 volume 4 part 1, 2.11.1" {
        /// offset of a SURFACE_STATE from the surface state base address, a multiple of 32
        surface_state_pointer = (0, 31, 5, Aligned(5));
    }
    reserved { (0, 4, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DWords worked out by hand from the tables of the documents.
    #[test]
    fn an_interleaved_surface() {
        let surface = MediaSurfaceState {
            surface_base_address: 0x12000,
            width: 720,
            height: 576,
            surface_format: 4,
            interleave_chroma: 1,
            surface_pitch: 768,
            y_offset_for_cb: 576,
            ..MediaSurfaceState::default()
        };
        let dwords = [0x12000, 575 << 19 | 719 << 6, 4 << 28 | 1 << 27 | 767 << 3, 576, 0, 0];
        assert_eq!(surface.encode(), Ok(dwords));
        assert_eq!(MediaSurfaceState::decode(&dwords), Ok(surface));
    }

    #[test]
    fn a_field_of_a_tiled_surface() {
        let surface = SurfaceState {
            surface_format: 0x140,
            vertical_line_stride: 1,
            vertical_line_stride_offset: 1,
            width: 180,
            height: 288,
            surface_pitch: 1024,
            tiled_surface: 1,
            x_offset: 12,
            y_offset: 6,
            ..SurfaceState::default()
        };
        let dwords = [1 << 29 | 0x140 << 18 | 3 << 11, 0, 287 << 19 | 179 << 6, 1023 << 3 | 2, 0, 3 << 25 | 3 << 20];
        assert_eq!(surface.encode(), Ok(dwords));
        assert_eq!(SurfaceState::decode(&dwords), Ok(surface));
        let error = |surface: SurfaceState| surface.encode().unwrap_err().to_string();
        assert_eq!(error(SurfaceState { x_offset: 13, ..surface }), "x_offset = 13 is no multiple of 4");
        assert_eq!(error(SurfaceState { width: 0, ..surface }), "width = 0 is outside 1…8192");
        assert_eq!(error(SurfaceState { surface_type: 5, ..surface }), "surface_type = 5 is a reserved value of 0…7");
    }

    #[test]
    fn an_entry_of_a_binding_table() {
        let entry = BindingTableState { surface_state_pointer: 0xffff_ffe0 };
        assert_eq!(entry.encode(), Ok([0xffff_ffe0]));
        assert_eq!(BindingTableState::decode(&[0x1234_567f]), Ok(BindingTableState { surface_state_pointer: 0x1234_5660 }));
        assert!(BindingTableState { surface_state_pointer: 16 }.encode().is_err());
    }
}
