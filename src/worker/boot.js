// Starts a worker: the thread that starts it sends the compiled module and the port for messages. The build puts the name
// of the program's JavaScript here.
import init, { serve } from "GLUE";

// Workers start further workers from the same file.
globalThis.warpscopeWorker = import.meta.url;

onmessage = async ({ data: { module, port } }) => {
  onmessage = null;
  try {
    await init({ module_or_path: module });
    serve(port);
  } catch (error) {
    port.postMessage({ failed: String(error) });
  }
};
