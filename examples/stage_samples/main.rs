//! Makes the clips of the guide's page about stages in pictures.
//!
//! ```sh
//! cargo run --example stage_samples -- FOLDER
//! ```
//!
//! Only basic arithmetic is used, so the files are the same on every machine.
mod clips;
mod scene;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: stage_samples FOLDER")?;
    for (name, bytes) in clips::all()? {
        std::fs::write(Path::new(&folder).join(name), bytes)?;
    }
    Ok(())
}
