//! The files around the module: wasm-bindgen's JavaScript and Trunk's `index.html`, taught that the
//! module has two parts.

use super::parts::{HERE, LOAD};
use super::probe::PROBE;

/// wasm-bindgen's JavaScript with what brings the second part.
pub(crate) fn with_rest(glue: &str, rest_file: &str) -> Result<String, String> {
    let code = include_str!("rest.js")
        .replace("REST_FILE", rest_file)
        .replace("HERE", HERE);
    let imports = format!("        \"{}\": {{ \"{}\": restNow }},\n", LOAD.0, LOAD.1);
    let glue = with_import(glue, &imports)?;
    // In `__wbg_init`, the last of the two: the other makes an instance without waiting.
    let end = "    return __wbg_finalize_init(instance, module);\n";
    let at = glue
        .rfind(end)
        .ok_or("wasm-bindgen's JavaScript does not end as it did")?;
    let waits = "    await restBefore(instance);\n    __wbg_finalize_init(instance, module);\n    restAfter();\n    return wasm;\n";
    let export = glue
        .rfind("export {")
        .ok_or("wasm-bindgen's JavaScript exports nothing")?;
    let (before, after) = (&glue[..at], &glue[at + end.len()..export]);
    Ok(format!("{before}{waits}{after}{code}\n{}", &glue[export..]))
}

/// wasm-bindgen's JavaScript with the probe, which tells all parts of the page of every call.
pub(crate) fn with_probe(glue: &str) -> Result<String, String> {
    let code = "
const probeChannel = new BroadcastChannel('probe');
globalThis.probed ??= new Set();
probeChannel.onmessage = event => globalThis.probed.add(event.data);
function probeCalled(number) {
    if (typeof document === 'undefined') probeChannel.postMessage(number);
    else globalThis.probed.add(number);
}
";
    let imports = format!("        \"{}\": {{ \"{}\": probeCalled }},\n", PROBE.0, PROBE.1);
    let glue = with_import(glue, &imports)?;
    let export = glue
        .rfind("export {")
        .ok_or("wasm-bindgen's JavaScript exports nothing")?;
    Ok(format!("{}{code}{}", &glue[..export], &glue[export..]))
}

/// One more entry in the object of all imports.
fn with_import(glue: &str, entry: &str) -> Result<String, String> {
    let start = "    return {\n        __proto__: null,\n";
    match glue.split_once(start) {
        Some((before, after)) => Ok(format!("{before}{start}{entry}{after}")),
        None => Err("wasm-bindgen's JavaScript has no object of imports where it was".to_owned()),
    }
}
