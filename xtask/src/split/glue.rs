//! The files around the module: wasm-bindgen's JavaScript and Trunk's `index.html`, taught that the
//! module has two parts.

use super::parts::{HERE, LOAD};
use super::probe::PROBE;

/// wasm-bindgen's JavaScript with what brings the second part, or the whole.
pub(crate) fn with_rest(glue: &str, rest_file: &str, whole_file: &str) -> Result<String, String> {
    let code = include_str!("rest.js")
        .replace("REST_FILE", rest_file)
        .replace("WHOLE_FILE", whole_file)
        .replace("HERE", HERE);
    let imports = format!("        \"{}\": {{ \"{}\": restNow }},\n", LOAD.0, LOAD.1);
    let glue = with_import(glue, &imports)?;
    // In `__wbg_init`, the last of the two: the other makes an instance without waiting.
    let is_there = "    if (wasm !== undefined) return wasm;\n";
    let (before, rest) = found(glue.rsplit_once(is_there), is_there)?;
    let begins = "    if (wasm !== undefined) return wasm;\n    if (restWhole) module_or_path = { module_or_path: wholeAddress };\n";
    let done = "    return __wbg_finalize_init(instance, module);\n";
    let (body, rest) = found(rest.split_once(done), done)?;
    // Not before the browser has answered what `www/ahead.js` asks.
    let ends = "    await globalThis.asked;\n    __wbg_finalize_init(instance, module);\n    restAfter();\n    return wasm;\n";
    let (after, exports) = found(rest.split_once("export {"), "export {")?;
    Ok(format!(
        "{before}{begins}{body}{ends}{after}{code}\nexport {{{exports}"
    ))
}

/// What was looked for in wasm-bindgen's JavaScript.
fn found<T>(found: Option<T>, line: &str) -> Result<T, String> {
    found.ok_or_else(|| format!("wasm-bindgen's JavaScript has no `{}`", line.trim()))
}

/// `index.html` with the whole loaded early in place of the first part where the address asks for it.
pub(crate) fn with_choice(html: &str, stem: &str) -> Result<String, String> {
    let start = format!("<link rel=\"preload\" href=\"./{stem}_bg.wasm\"");
    let (before, after) = html
        .split_once(&start)
        .ok_or("Trunk's page does not load the module early")?;
    let (_, after) = after.split_once('>').ok_or("a tag without an end")?;
    let code = format!(
        "<script>{{const link=document.createElement('link');link.rel='preload';link.as='fetch';\
         link.type='application/wasm';link.crossOrigin='anonymous';\
         link.href='./{stem}'+(location.hash.length>1||location.search.length>1?'_whole.wasm':'_bg.wasm');\
         document.head.append(link)}}</script>"
    );
    Ok(format!("{before}{code}{after}"))
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
