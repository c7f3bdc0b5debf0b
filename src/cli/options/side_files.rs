//! Side files: files that options name, besides input and output. All checks for files that are
//! named twice use this one list.

use super::args::Args;
use std::path::Path;

/// A file that an option names.
#[derive(Clone, Copy, Debug)]
pub struct SideFile<'a> {
    /// The option's name without dashes.
    pub option: &'static str,
    pub path: &'a Path,
    /// Whether the program writes the file; else it reads it.
    pub written: bool,
}

impl Args {
    /// All side files that the options name.
    pub fn side_files(&self) -> impl Iterator<Item = SideFile<'_>> {
        let Args { stats, encoder_stats, framemd5, timecodes, matches, profile, hardware, color, .. } = self;
        let written = [("stats", stats), ("encoder-stats", encoder_stats), ("framemd5", framemd5), ("timecodes", timecodes)];
        let written = written.map(|file| (file, true));
        let read = [
            ("matches", matches),
            ("profile", profile),
            ("scaler-state", &hardware.scaler_state),
            ("sampler-state", &hardware.sampler_state),
            ("color-state", &hardware.color_state),
            ("gamma-state", &color.extended.gamma_state),
            ("gamut-table", &color.extended.gamut_table),
            ("vertex-table", &color.extended.vertex_table),
        ];
        let all = written.into_iter().chain(read.map(|file| (file, false)));
        let repeated = hardware.vebox_state.iter().map(|path| SideFile { option: "vebox-state", path, written: false });
        all.filter_map(|((option, path), written)| Some(SideFile { option, path: path.as_deref()?, written })).chain(repeated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The options that take a FILE are exactly those in the list.
    #[test]
    fn the_list_is_complete() {
        let command = Args::command();
        let files = command
            .get_arguments()
            .filter(|option| option.get_value_names().is_some_and(|names| names.iter().any(|name| name.as_str() == "FILE")));
        let mut options: Vec<_> = files.filter_map(|option| option.get_long().map(str::to_owned)).collect();
        options.sort();
        let arguments: Vec<String> = options.iter().map(|option| format!("--{option}=x")).collect();
        let arguments = ["dndi", "-", "-"].into_iter().map(str::to_owned).chain(arguments);
        let args = <Args as clap::Parser>::try_parse_from(arguments).unwrap();
        let mut listed: Vec<_> = args.side_files().map(|file| file.option.to_owned()).collect();
        listed.sort();
        assert_eq!(listed, options);
    }
}
