//! Functions for scripts, and the host's calls that load the plugin and use them.

use super::{Api, Core, Map, Node, describe, text};
use crate::options::{Arguments, declaration};
use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use vapoursynth4_sys as ffi;

/// A function of the plugin, which creates filters from arguments.
pub trait Function: 'static {
    /// The name for scripts.
    const NAME: &'static CStr;
    /// The arguments besides the clip.
    const ARGUMENTS: &'static [Arguments];

    /// Creates the filters, and returns the last one.
    ///
    /// # Errors
    /// The message for the script.
    fn call(arguments: Map, core: Core) -> Result<Node, String>;
}

/// The host's call of a function of the plugin.
///
/// # Safety
/// The host calls it after [`Plugin::add`].
unsafe extern "system-unwind" fn call<F: Function>(
    arguments: *const ffi::VSMap,
    result: *mut ffi::VSMap,
    _: *mut c_void,
    core: *mut ffi::VSCore,
    api: *const ffi::VSAPI,
) {
    // SAFETY: the pointer is the host's.
    let api = unsafe { Api::new(api) };
    let arguments = Map { api, map: arguments, scope: PhantomData };
    let core = Core { api, core, scope: PhantomData };
    let called = catch_unwind(AssertUnwindSafe(|| F::call(arguments, core)));
    match called.unwrap_or_else(|panic| Err(describe(&*panic))) {
        Ok(node) => {
            let node = std::mem::ManuallyDrop::new(node).node;
            // SAFETY: map and node are valid; the map takes over the reference.
            unsafe { (api.0.mapConsumeNode)(result, c"clip".as_ptr(), node, ffi::VSMapAppendMode::Replace) };
        }
        Err(error) => {
            let error = text(format!("dndi.{}: {error}", F::NAME.to_string_lossy()));
            // SAFETY: the map is valid, and the host copies the text.
            unsafe { (api.0.mapSetError)(result, error.as_ptr()) }
        }
    }
}

/// The plugin while the host loads it.
pub struct Plugin {
    plugin: *mut ffi::VSPlugin,
    api: &'static ffi::VSPLUGINAPI,
}

impl Plugin {
    /// Names the plugin.
    ///
    /// # Safety
    /// The pointers are those of the host's call of [`VapourSynthPluginInit2`].
    unsafe fn new(
        plugin: *mut ffi::VSPlugin,
        api: *const ffi::VSPLUGINAPI,
        [identifier, namespace, name]: [&CStr; 3],
        version: (u16, u16),
    ) -> Plugin {
        // SAFETY: the table lives at least as long as this call.
        let api = unsafe { &*api };
        // SAFETY: the plugin is valid, and the host copies the texts. Version 4.0 has all functions
        // that the plugin uses.
        unsafe {
            (api.configPlugin)(
                identifier.as_ptr(),
                namespace.as_ptr(),
                name.as_ptr(),
                ffi::vs_make_version(version.0, version.1),
                ffi::vs_make_version(4, 0),
                0,
                plugin,
            )
        };
        Plugin { plugin, api }
    }

    /// Adds a function.
    pub fn add<F: Function>(&self) {
        let arguments = declaration(F::ARGUMENTS);
        // SAFETY: the plugin is valid, and the host copies the texts.
        unsafe {
            (self.api.registerFunction)(
                F::NAME.as_ptr(),
                arguments.as_ptr(),
                c"clip:vnode;".as_ptr(),
                call::<F>,
                null_mut(),
                self.plugin,
            )
        };
    }
}

/// The host calls this function when it loads the plugin.
///
/// # Safety
/// The pointers are those of the host.
#[unsafe(no_mangle)]
pub unsafe extern "system-unwind" fn VapourSynthPluginInit2(plugin: *mut ffi::VSPlugin, api: *const ffi::VSPLUGINAPI) {
    let names = [c"io.github.dndi", c"dndi", c"Deinterlace, undo telecine, denoise and scale with dndi"];
    // SAFETY: the pointers are those of this call.
    let plugin = unsafe { Plugin::new(plugin, api, names, (0, 1)) };
    crate::functions::add_all(&plugin);
}
