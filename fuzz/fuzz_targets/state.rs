//! Hardware state of any bits: every structure, its fields, the parameters in it, and surfaces. The
//! first byte chooses the structure. The bytes are also read as the text of a kernel, and as the
//! name and the value of a parameter.
#![no_main]
use dndi::Parameters;
use dndi::gen6::eu::assemble;
use dndi::gen6::reference::{ReferenceStructure, ReferenceValue};
use dndi::gen6::state::*;
use libfuzzer_sys::fuzz_target;

/// The first `N` DWords, 0 beyond.
fn first<const N: usize>(dwords: &[u32]) -> [u32; N] {
    std::array::from_fn(|i| dwords.get(i).copied().unwrap_or(0))
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let mut dwords: Vec<u32> = bytes.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    structure(choice, &mut dwords);
    reference(choice, bytes, &dwords);
    parameters(&dwords);
    surfaces(&dwords);
    text(&String::from_utf8_lossy(bytes));
});

/// A value that a field gets can be set again and changes nothing else.
fn structure(choice: u8, dwords: &mut Vec<u32>) {
    let structures: Vec<_> = Structure::all().collect();
    let structure = structures[choice as usize % structures.len()];
    let of_any_length = structure.check(dwords, true);
    of_any_length.is_err().then(|| of_any_length.unwrap_err().to_string());
    dwords.resize(structure.dwords, 0);
    let loosely = structure.check(dwords, false);
    assert!(loosely.is_ok() || structure.check(dwords, true).is_err());
    for field in structure.named_fields() {
        match field.get(dwords) {
            Ok(value) => {
                let mut copy = dwords.clone();
                field.set(&mut copy, value).expect("a value of the field");
                assert_eq!(&copy, dwords, "{}", field.name);
            }
            Err(error) => assert!(loosely.is_err(), "{error}"),
        }
    }
}

/// A structure of the reference: a value that a field has can be set again and changes nothing
/// else, and the text of a value is the value.
fn reference(choice: u8, bytes: &[u8], dwords: &[u32]) {
    let number = usize::from(choice) + 256 * usize::from(bytes.first().copied().unwrap_or(0));
    let structures: Vec<_> = ReferenceStructure::all().collect();
    let structure = structures[number % structures.len()];
    let mut dwords = dwords.to_vec();
    assert!(structure.check(&dwords, true).is_err() || structure.check(&dwords, false).is_ok());
    dwords.resize(structure.dwords(), 0);
    for field in structure.fields().iter().take(64) {
        let value = field.value(&dwords);
        let mut copy = dwords.clone();
        field.set(&mut copy, &value).expect("a value of the field");
        assert_eq!(copy, dwords, "{} {}", structure.name(), field.id);
        assert_eq!(value.to_string().parse::<ReferenceValue>().map(|again| again.to_string()), Ok(value.to_string()));
        let _ = (field.named_value(&dwords), field.named_values().count());
    }
    let text = String::from_utf8_lossy(bytes);
    if let Some((name, value)) = text.split_once('=') {
        let _ = structure.set(&mut dwords, name, value).map_err(|error| error.to_string());
    }
    let _ = ReferenceStructure::named(&text);
}

/// Parameters that a state holds are in range, and their state holds them.
fn parameters(dwords: &[u32]) {
    let mut parameters = Parameters::default();
    let _ = parameters.set_scaler_state(&first(dwords));
    if let Ok(mode) = parameters.set_sampler_state(&first(dwords)) {
        parameters.sampler_state(mode).expect("parameters in range");
    }
    let mut control = SampleControl::decode(&first(dwords));
    control.encode(&mut first(dwords)).expect("a decoded control");
    control.chroma_key = dwords.first().copied();
    let _ = control.encode(&mut first(dwords));
    if parameters.set_color_state(&first(dwords)).is_ok() {
        let mut again = Parameters::default();
        again.set_color_state(&parameters.color_state().expect("parameters in range")).expect("a state");
        assert_eq!(again.color, parameters.color);
    }
    if let Ok(control) = parameters.set_deinterlace_state(&first(dwords)) {
        parameters.deinterlace_state(&control).expect("parameters in range");
    }
    if let Ok(control) = parameters.set_vebox_dndi_state(&first(dwords)) {
        parameters.vebox_dndi_state(&control).expect("parameters in range");
        parameters.update_vebox_dndi_state(&control, &mut first(dwords)).expect("parameters in range");
    }
    if parameters.set_vebox_iecp_state(&first(dwords)).is_ok() {
        parameters.vebox_iecp_state().expect("parameters in range");
        parameters.update_vebox_iecp_state(&mut first(dwords)).expect("parameters in range");
    }
    for deinterlacing in [false, true] {
        let _ = parameters.check(deinterlacing);
    }
}

fn surfaces(dwords: &[u32]) {
    if let Ok(surface) = SurfaceState::decode(&first(dwords)) {
        assert_eq!(SurfaceState::decode(&surface.encode().expect("a decoded surface")), Ok(surface));
    }
    if let Ok(surface) = MediaSurfaceState::decode(&first(dwords)) {
        assert_eq!(MediaSurfaceState::decode(&surface.encode().expect("a decoded surface")), Ok(surface));
    }
    let entry = BindingTableState::decode(&first(dwords)).expect("an entry of any bits");
    entry.encode().expect("a decoded entry");
}

fn text(text: &str) {
    let _ = assemble(text, &[]).map_err(|error| error.to_string());
    if let Some((name, value)) = text.split_once('=') {
        let mut parameters = Parameters::default();
        let value = value.parse().unwrap_or(7);
        match parameters.set(name, value) {
            Ok(()) => assert!(parameters.get(name).is_ok_and(|kept| i64::from(kept) == value) || name.contains("table")),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
