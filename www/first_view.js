// The editor of the first view keeps the current line in sight, as `keep_in_sight` in editor/field.rs does. The element
// stands after the first view: the parser reaches it before the first paint. Where the styles come later than that, the
// lines have their places with the event `load`.
customElements.define('first-view-end', class extends HTMLElement {
  connectedCallback() {
    this.keepInSight();
    addEventListener('load', () => this.keepInSight(), { once: true });
  }

  keepInSight() {
    const editor = document.querySelector('.first-view .editor');
    const lines = editor ? [...editor.querySelectorAll('.code-line')] : [];
    const idx = lines.findIndex(line => line.dataset.current === 'true');
    if (idx >= 0) {
      const height = lines[idx].getBoundingClientRect().height;
      const at = idx * height;
      if (at + 3 * height > editor.clientHeight) editor.scrollTop = Math.trunc(Math.max(at - editor.clientHeight / 2, 0));
    }
  }
});
