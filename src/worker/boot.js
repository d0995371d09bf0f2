// Starts a worker: the thread that starts it sends the compiled module and the port for messages.
import init, { serve } from "GLUE";

onmessage = async ({ data: { module, port } }) => {
  onmessage = null;
  try {
    await init({ module_or_path: module });
    serve(port);
  } catch (error) {
    port.postMessage({ failed: String(error) });
  }
};
