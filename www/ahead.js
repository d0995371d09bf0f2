// Asks the browser, while the program is on its way, what it asks other processes: on Linux every name of a font
// that is not installed, every face and every size of one; everywhere what is kept for the page. The page waits
// for each answer, and answers come late once background threads of the browser compile what the program runs
// most. So each question is a task of its own, and the program starts when `asked` is done (see glue.rs).
{
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const names = mono => style.getPropertyValue(mono ? '--font-mono' : '--font-text').split(',').map(name => name.trim());
  const [text, mono] = [names(false), names(true)];
  // Looks as the page does: what a font is asked for depends on this, too.
  const probe = document.createElement('div');
  probe.style.cssText = 'position:fixed;visibility:hidden;font-synthesis:none;-webkit-font-smoothing:antialiased';
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 0;
  probe.append('x', canvas);
  // Laying it out needs its font. Tests look at what was asked.
  const onPage = (face, list) => () => {
    probe.style.font = `${face} ${list}`;
    performance.mark('font', { detail: `${face} ${list === mono ? 'mono' : 'text'}` });
    return probe.offsetWidth;
  };
  const context = canvas.getContext('2d');
  const onCanvas = (face, list) => () => {
    context.font = `${face} ${list}`;
    return context.measureText('x');
  };

  // Names first, a few at a time: one that is not there is not asked for again.
  const tasks = [];
  for (const list of [text, mono])
    for (let at = 0; at < list.length; at += 3) tasks.push(onPage('14px', list.slice(at, at + 3)));
  // Then the weights and sizes of the first view, see app.css and palette.rs.
  for (const face of ['400 12.5px', '600 12.5px', '650 15px', '600 13.5px', '400 11px', '600 16px', '700 14px', '400 10px', '600 14px', '400 12px', 'italic 400 12.5px', '600 11px', '700 11px'])
    tasks.push(onPage(face, text));
  for (const face of ['400 11px', '400 12.5px', '400 11.5px', '700 11.5px', 'italic 400 11.5px', '400 10.5px', '400 10.34px', '400 10px', '600 24px', '400 12px', '400 9px'])
    tasks.push(onPage(face, mono));
  for (const face of ['400 10px', '400 11px', '600 11px']) tasks.push(onCanvas(face, text), onCanvas(face, mono));
  // And of plots.
  for (const face of ['bold 11px', '400 12.5px', '600 12.5px']) tasks.push(onCanvas(face, text));
  tasks.push(() => localStorage.length);

  root.dataset.asks = '';
  root.append(probe);
  globalThis.asked = new Promise(done => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      try {
        tasks.shift()();
      } catch {
        // The browser refuses to tell; the page asks again and does without.
      }
      if (tasks.length) return channel.port2.postMessage(0);
      probe.remove();
      delete root.dataset.asks;
      channel.port1.close();
      done();
    };
    channel.port2.postMessage(0);
  });
}
