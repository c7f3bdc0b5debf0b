//! The GStreamer plugin: the element `dndi`, which denoises, deinterlaces and scales raw video and
//! removes telecine.

mod clip;
mod clocks;
mod element;
mod events;
mod frames;
mod layouts;
mod metas;
mod negotiation;
mod options;
mod qos;
mod stream;

use gst::glib;
use gst::prelude::*;

glib::wrapper! {
    /// The element `dndi`.
    pub struct Dndi(ObjectSubclass<element::Dndi>) @extends gst::Element, gst::Object;
}

fn plugin_init(plugin: &gst::Plugin) -> Result<(), glib::BoolError> {
    // A rank of none: no player puts the element into a pipeline by itself.
    gst::Element::register(Some(plugin), "dndi", gst::Rank::NONE, Dndi::static_type())
}

#[allow(missing_docs, reason = "the macro makes public items without documentation")]
mod plugin {
    use crate::plugin_init;

    gst::plugin_define!(
        dndi,
        env!("CARGO_PKG_DESCRIPTION"),
        plugin_init,
        env!("CARGO_PKG_VERSION"),
        "MIT/X11",
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_NAME"),
        "https://crates.io/crates/dndi"
    );
}

pub use plugin::plugin_register_static;
