//! Options of the stages of the colour pipe beyond Gen6.

use super::state_file;
use super::values::{Matrix, Range, WhiteBalance};
use super::vebox_state::VeboxEnables;
use crate::error::CliError;
use dndi::{ColorMatrix, ColorRange, ColorSpace, GammaTable, GamutTable, StreamBuilder, VertexTable};
use std::path::{Path, PathBuf};

/// Options of the stages on RGB, of legal colours and of local contrast.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Colour")]
pub struct ExtendedArgs {
    /// Matrix of luma and chroma, for the stages on RGB and for --gamut-compress [default: bt709]
    #[arg(long, value_name = "MATRIX", value_enum)]
    pub matrix: Option<Matrix>,

    /// Range of luma and chroma, for the stages on RGB [default: that of the header, or limited]
    #[arg(long, value_name = "RANGE", value_enum)]
    pub range: Option<Range>,

    /// White balance: multiply R, G and B
    #[arg(long, value_name = "MODE", value_enum)]
    pub white_balance: Option<WhiteBalance>,

    /// Apply the colour correction matrix color.ccm_c0 … color.ccm_c8 with its offsets to RGB
    #[arg(long)]
    pub ccm: bool,

    /// Gamma correction of RGB, 0.1…10: more than 1 makes midtones brighter
    #[arg(long, value_name = "GAMMA", allow_negative_numbers = true, overrides_with = "gamma_state")]
    pub gamma: Option<f64>,

    /// Gamma correction of RGB by VEBOX_FORWARD_GAMMA_CORRECTION_STATE: a file of 2048 hex DWords
    #[arg(long, value_name = "FILE", overrides_with = "gamma")]
    pub gamma_state: Option<PathBuf>,

    /// Gamut expansion of RGB with the matrix gamut.c0 … gamut.c8 in linear light
    #[arg(long)]
    pub gamut_expand: bool,

    /// Curves of --gamut-expand, Gamut_Expansion_Gamma_Correction: a file of 1024 hex DWords
    #[arg(long, value_name = "FILE")]
    pub gamut_table: Option<PathBuf>,

    /// Apply the matrix color.fecsc_c0 … color.fecsc_c8 with its offsets to luma and chroma, before
    /// the other stages
    #[arg(long)]
    pub front_csc: bool,

    /// Gamut compression: move colours outside of RGB inside, such as for broadcast
    #[arg(long)]
    pub gamut_compress: bool,

    /// Most saturated colours of --gamut-compress, VEBOX_VERTEX_TABLE: a file of 512 hex DWords
    /// [default: those of --matrix]
    #[arg(long, value_name = "FILE")]
    pub vertex_table: Option<PathBuf>,

    /// Raise the local contrast (LACE)
    #[arg(long)]
    pub lace: bool,
}

/// The tables of the files that the options name.
#[derive(Clone, Debug, Default)]
pub struct ExtendedTables {
    gamma: Option<GammaTable>,
    gamut: Option<GamutTable>,
    vertex: Option<VertexTable>,
}

impl ExtendedArgs {
    /// Reads the files. An error of `--gamma` begins with its name without dashes.
    pub fn tables(&self) -> Result<ExtendedTables, CliError> {
        fn read<const N: usize, T>(path: Option<&PathBuf>, table: fn(&[u32; N]) -> T) -> Result<Option<T>, CliError> {
            path.map(|path: &PathBuf| state_file::read(path as &Path).map(|state| table(&state))).transpose()
        }
        let gamma = read(self.gamma_state.as_ref(), GammaTable::from_state)?;
        Ok(ExtendedTables {
            gamma: gamma.map_or_else(|| self.power(), |table| Ok(Some(table)))?,
            gamut: read(self.gamut_table.as_ref(), GamutTable::from_state)?,
            vertex: read(self.vertex_table.as_ref(), VertexTable::from_state)?,
        })
    }

    /// The curve of `--gamma`.
    fn power(&self) -> Result<Option<GammaTable>, CliError> {
        let wrong = |error| CliError::usage(format_args!("--gamma: {error}"));
        self.gamma.map(GammaTable::power).transpose().map_err(wrong)
    }

    /// The colour space of the stages on RGB for an input of this one.
    fn space(&self, input: ColorSpace) -> ColorSpace {
        let range = self.range.map_or(input.range, Into::into);
        ColorSpace { matrix: self.matrix.map_or(ColorMatrix::Bt709, Into::into), range }
    }

    /// Switches the stages of a stream on.
    pub fn apply(
        &self,
        tables: &ExtendedTables,
        enables: VeboxEnables,
        input: ColorSpace,
        builder: StreamBuilder,
    ) -> StreamBuilder {
        let (space, tables) = (self.space(input), tables.clone());
        let expansion = self.gamut_expand.then(|| tables.gamut.unwrap_or_default());
        let compression = self.gamut_compress.then(|| tables.vertex.unwrap_or_else(|| VertexTable::of(space.matrix)));
        let builder = builder.rgb_space(space).white_balance(self.white_balance.map(Into::into));
        let builder = builder.color_correction(self.ccm || enables.ccm).front_conversion(self.front_csc || enables.front_csc);
        let builder = builder.gamma(tables.gamma).gamut_expansion(expansion);
        builder.gamut_compression(compression).local_contrast(self.lace || enables.lace)
    }

    /// Whether a stage is on.
    pub fn is_on(&self) -> bool {
        let rgb = self.white_balance.is_some() || self.gamma.is_some() || self.gamma_state.is_some();
        rgb || self.ccm || self.gamut_expand || self.front_csc || self.gamut_compress || self.lace
    }
}

impl From<Matrix> for ColorMatrix {
    fn from(matrix: Matrix) -> ColorMatrix {
        match matrix {
            Matrix::Bt601 => ColorMatrix::Bt601,
            Matrix::Bt709 => ColorMatrix::Bt709,
            Matrix::Bt2020 => ColorMatrix::Bt2020,
        }
    }
}

impl From<Range> for ColorRange {
    fn from(range: Range) -> ColorRange {
        match range {
            Range::Limited => ColorRange::Limited,
            Range::Full => ColorRange::Full,
        }
    }
}
