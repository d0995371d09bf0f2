// A worker: the page's own program, made from the module that the page has compiled already.
import init from "GLUE";

onmessage = async ({ data }) => {
  onmessage = null;
  try {
    await init({ module_or_path: data });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
