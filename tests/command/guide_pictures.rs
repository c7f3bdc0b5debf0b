//! The pictures of the guide's page about the stages are those of its commands. `DNDI_UPDATE=1
//! cargo test --test command guide_pictures` stores new ones.

use crate::program::Folder;
use std::path::Path;

#[path = "../../examples/stage_samples/clips.rs"]
mod clips;
#[path = "../../examples/stage_samples/scene.rs"]
mod scene;

/// The page.
const PAGE: &str = include_str!("../../docs/guide/stages.md");

/// The profiles of the page: the names in its prose, and the blocks after them.
fn profiles() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.split("The profile `").skip(1).filter_map(|text| {
        let (name, rest) = text.split_once('`')?;
        let (_, block) = rest.split_once("```toml\n")?;
        Some((name, block.split_once("```")?.0))
    })
}

/// The words of a line of a shell without variables.
fn words(line: &str) -> Vec<&str> {
    let mut words = vec![];
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 { words.push(part) } else { words.extend(part.split_whitespace()) }
    }
    words
}

#[test]
fn guide_pictures_are_those_of_the_commands() {
    let folder = Folder::new("guide_pictures");
    for (name, bytes) in clips::all().unwrap() {
        folder.write(name, bytes);
    }
    for (name, text) in profiles() {
        folder.write(name, text);
    }
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/pictures");
    let update = std::env::var_os("DNDI_UPDATE").is_some();
    let mut pictures = vec![];
    for line in PAGE.lines().filter_map(|line| line.strip_prefix("dndi view ")) {
        let words = words(line);
        let picture = *words.last().unwrap();
        let status = folder.plain("view").args(&words).output().unwrap();
        assert!(status.status.success() && status.stderr.is_empty(), "{line}: {}", String::from_utf8_lossy(&status.stderr));
        if update {
            std::fs::create_dir_all(&stored).unwrap();
            std::fs::write(stored.join(picture), folder.read(picture)).unwrap();
        }
        let pixels = |bytes: &[u8]| image::load_from_memory(bytes).unwrap().into_rgb8();
        let bytes = std::fs::read(stored.join(picture)).unwrap_or_else(|error| panic!("{picture}: {error}"));
        assert!(pixels(&bytes) == pixels(&folder.read(picture)), "{picture} is another picture");
        assert!(PAGE.contains(&format!("](pictures/{picture})")), "the page does not show {picture}");
        pictures.push(picture.to_owned());
    }
    pictures.sort();
    let mut files: Vec<_> =
        std::fs::read_dir(&stored).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, pictures);
    assert!(pictures.len() > 12);
}
