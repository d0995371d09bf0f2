// Asks the browser for the page's fonts while the program is on its way, each question in a task of its own:
// on Linux every name that is not installed, every face and every size of one is asked of another process,
// and the page's first layout would wait for dozens of answers in one task.
{
  const style = getComputedStyle(document.documentElement);
  const names = mono => style.getPropertyValue(mono ? '--font-mono' : '--font-text').split(',').map(name => name.trim());
  const [text, mono] = [names(false), names(true)];
  // Tests look at what was asked.
  const note = (face, list) => performance.mark('font', { detail: `${face} ${list === mono ? 'mono' : 'text'}` });
  const probe = document.createElement('span');
  probe.style.cssText = 'position:fixed;visibility:hidden';
  probe.textContent = 'x';
  // Laying it out needs its font.
  const onPage = (face, list) => () => {
    if (!probe.isConnected) document.documentElement.append(probe);
    probe.style.font = `${face} ${list}`;
    note(face, list);
    return probe.offsetWidth;
  };
  const context = document.createElement('canvas').getContext('2d');
  const onCanvas = (face, list) => () => {
    context.font = `${face} ${list}`;
    return context.measureText('x');
  };

  // Names first, a few at a time: one that is not there is not asked for again.
  const tasks = [];
  for (const list of [text, mono])
    for (let at = 0; at < list.length; at += 3) tasks.push(onPage('14px', list.slice(at, at + 3)));
  // What is said while the page is coming is seen once its font is there.
  const root = document.documentElement;
  root.dataset.fonts = 'asked';
  tasks.push(onPage('400 14px', text), () => delete root.dataset.fonts);
  // The first view's weights and sizes, in the order in which it comes; see app.css and palette.rs.
  for (const face of ['400 12.5px', '650 15px', '600 13.5px', '600 12.5px']) tasks.push(onPage(face, text));
  tasks.push(onPage('400 11px', mono));
  for (const face of ['400 11px', '600 16px', '700 14px', '400 10px', '600 14px', '400 12px', 'italic 400 12.5px'])
    tasks.push(onPage(face, text));
  for (const face of ['600 24px', '400 12.5px', '400 10px', '400 10.5px', '400 11.5px', '700 11.5px', 'italic 400 11.5px', '400 10.34px', '400 9px', '400 12px'])
    tasks.push(onPage(face, mono));
  for (const face of ['400 10px', '400 11px', '600 11px']) tasks.push(onCanvas(face, text), onCanvas(face, mono));

  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    tasks.shift()();
    if (tasks.length) return channel.port2.postMessage(0);
    probe.remove();
    channel.port1.close();
  };
  channel.port2.postMessage(0);
}
