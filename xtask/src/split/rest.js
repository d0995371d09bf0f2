
// ---- The second part of the module. Written by `cargo xtask build`, see docs/architecture.md. ----

const restAddress = new URL('REST_FILE', import.meta.url);
const restOnPage = typeof document !== 'undefined';
// An address that asks for something else than the first view gets the module whole.
const restWhole = restOnPage && (location.hash.length > 1 || location.search.length > 1);
const wholeAddress = new URL('WHOLE_FILE', import.meta.url);
let restModule;

// Puts the second part's functions into the table of the first. It shares memory, globals and table.
function restInstall(module) {
    if (wasm['HERE'].value) return;
    restModule = module;
    new WebAssembly.Instance(module, { ...__wbg_get_imports(), first: wasm });
    // Where the page gives it to its workers from, and where a worker has it.
    globalThis.secondPart = module;
    wasm['HERE'].value = 1;
    if (restOnPage) document.documentElement.dataset.whole = 'yes';
}

// The second part now, for a call that cannot wait. In a worker that is as it should be; on the page
// it stops everything until the file is there, so the page sees to it that it is never needed there.
function restNow() {
    // Which call it was: target/first_part.txt has the names of the numbers.
    if (restOnPage) performance.mark('rest-now', { detail: new Error('rest').stack });
    // A worker may have it from the page, compiled.
    restModule ??= globalThis.secondPart;
    if (!restModule) {
        const request = new XMLHttpRequest();
        request.open('GET', restAddress, false);
        if (restOnPage) request.overrideMimeType('text/plain; charset=x-user-defined');
        else request.responseType = 'arraybuffer';
        request.send();
        if (request.status !== 200) throw new Error(`A part of the page could not be loaded (${request.status}). Reload the page.`);
        const bytes = restOnPage ? Uint8Array.from(request.responseText, sign => sign.charCodeAt(0)) : request.response;
        restModule = new WebAssembly.Module(bytes);
    }
    restInstall(restModule);
}

async function restCompile() {
    const answer = await fetch(restAddress);
    if (!answer.ok) throw new Error(`${restAddress}: ${answer.status}`);
    if (answer.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(answer);
    return WebAssembly.compile(await answer.arrayBuffer());
}

// The second part in the background, again and again until it is there.
async function restSoon() {
    for (let wait = 500; !wasm['HERE'].value; wait = Math.min(2 * wait, 30000)) {
        try {
            restInstall(await restCompile());
        } catch (error) {
            console.warn('A part of the page could not be loaded; it is tried again.', error);
            await new Promise(done => setTimeout(done, wait));
        }
    }
}

// After the program has started: holds back what the user does to anything but the playback until the
// second part is there, and fetches it once the first picture is on the screen.
function restAfter() {
    if (!restOnPage) return;
    if (!wasm['HERE']) {
        document.documentElement.dataset.whole = 'yes';
        return;
    }
    const held = [];
    const kinds = ['click', 'dblclick', 'contextmenu', 'keydown', 'input', 'change', 'popstate', 'hashchange'];
    const known = [' ', 'ArrowLeft', 'ArrowRight', 'Tab', 'Shift', 'Control', 'Alt', 'Meta'];
    const hold = event => {
        const target = event.target;
        if (event.type === 'keydown' && known.includes(event.key) && !event.ctrlKey) return;
        if (target instanceof Element && target.closest('.transport')) return;
        event.stopImmediatePropagation();
        if (event.type.endsWith('click') || event.type === 'contextmenu') event.preventDefault();
        held.push(event);
        document.documentElement.style.cursor = 'progress';
    };
    for (const kind of kinds) addEventListener(kind, hold, true);
    const release = () => {
        for (const kind of kinds) removeEventListener(kind, hold, true);
        document.documentElement.style.cursor = '';
        for (const event of held) {
            if (event.type === 'click' && event.target.click) event.target.click();
            else (event.target ?? window).dispatchEvent(new event.constructor(event.type, event));
        }
    };
    const idle = window.requestIdleCallback ?? (call => setTimeout(call, 100));
    const fetchIt = () => idle(() => restSoon().then(release), { timeout: 500 });
    const start = performance.now();
    const look = () => {
        const seen = performance.getEntriesByName('first-picture').length > 0 || performance.now() - start > 3000;
        // A page that nobody sees draws no frames.
        if (seen || document.hidden) fetchIt();
        else setTimeout(look, 30);
    };
    setTimeout(look, 30);
}
