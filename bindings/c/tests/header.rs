//! The committed header is the one that cbindgen generates.
use std::path::Path;

#[test]
fn the_header_is_that_of_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_root_or_default(folder);
    let sources = ["src/types.rs", "src/abi.rs"].map(|source| folder.join(source));
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), |builder, source| builder.with_src(source));
    let mut generated = Vec::new();
    builder.generate().unwrap().write(&mut generated);
    let path = folder.join("include/dndi.h");
    if std::env::var_os("DNDI_UPDATE").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    let differs = String::from_utf8_lossy(&committed) != String::from_utf8_lossy(&generated);
    assert!(!differs, "include/dndi.h is not that of the source: run DNDI_UPDATE=1 cargo test -p dndi-c --test header");
}
