//! Reports of a run: statistics, checksums, timestamps, progress, summary.

pub mod borders;
pub mod denoise_row;
pub mod head_switching;
pub mod line_jitter;
pub mod progress;
pub mod repeats;
pub mod reports;
pub mod stats_rows;
pub mod summary;
pub mod summary_json;
pub mod timecodes;
