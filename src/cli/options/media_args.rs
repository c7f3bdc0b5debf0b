//! Options of media files: containers that ffmpeg reads and writes.

use super::words;
use std::path::PathBuf;

/// Options about the input.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Media files")]
pub struct SourceArgs {
    /// Read the input as y4m. Without this, other files are decoded with ffmpeg
    #[arg(long, value_name = "y4m", value_parser = ["y4m"], hide_possible_values = true)]
    pub input_format: Option<String>,

    /// Number of the video stream in the input, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub video_stream: usize,

    /// Program to use as ffmpeg; ffprobe is searched beside it first [default: both from PATH]
    #[arg(long, value_name = "PATH")]
    pub ffmpeg: Option<PathBuf>,
}

/// Options about the output.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Media files")]
pub struct EncodeArgs {
    /// Format of the output: y4m, or a container by its file name extension, such as mkv [default:
    /// by the name of the output]
    #[arg(long, value_name = "FORMAT")]
    pub output_format: Option<String>,

    /// Encoder and other output options of ffmpeg, such as "-c:v libx265 -crf 20 -c:a aac". They
    /// follow those of dndi and override them
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, value_parser = words::parse)]
    pub encoder: Option<words::Words>,

    /// Encode without loss, with FFV1
    #[arg(long)]
    pub lossless: bool,

    /// Print the commands of ffmpeg and exit
    #[arg(long)]
    pub print_command: bool,
}
