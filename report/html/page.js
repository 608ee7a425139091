'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (sel, root = document) => [...root.querySelectorAll(sel)];
  const make = (tag, cls, text) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== undefined) e.append(text);
    return e;
  };
  for (const e of all('.needs-script')) e.hidden = false;

  // Copy buttons copy what is shown, which is inert.
  const copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const box = make('textarea', 'sr');
      box.value = text;
      document.body.append(box);
      box.select();
      document.execCommand('copy');
      box.remove();
    }
  };
  document.addEventListener('click', async (ev) => {
    const b = ev.target.closest('button.copy');
    if (!b) return;
    await copyText(b.parentElement.querySelector('code').textContent);
    b.textContent = 'Copied';
    setTimeout(() => { b.textContent = 'Copy'; }, 1500);
  });

  // Filter and search. What a finding says is read once, when first needed.
  const findings = all('.finding');
  const rests = all('.rests > li');
  const verdictOf = (li) => li.querySelector('.cell')?.className.match(/v-(\w+)/)?.[1] ?? '';
  const texts = new WeakMap();
  const textOf = (e) => {
    if (!texts.has(e)) texts.set(e, e.textContent.toLowerCase());
    return texts.get(e);
  };
  const bar = $('bar');
  const wanted = () => ({
    words: $('q').value.toLowerCase().split(/\s+/).filter(Boolean),
    client: $('f-client')?.value ?? '', verdict: $('f-verdict').value, scenario: $('f-scenario').value,
  });
  const productOf = (id) => [...($('f-client')?.options ?? [])].find((o) => o.value === id)?.textContent ?? '';
  const apply = () => {
    const w = wanted();
    const any = w.words.length || w.client || w.verdict || w.scenario;
    let seen = 0;
    for (const f of findings) {
      const d = f.dataset;
      const hit = (!w.verdict || d.verdict === w.verdict) && (!w.scenario || d.scenario === w.scenario) &&
        (!w.client || d.clients.split(' ').includes(w.client)) && w.words.every((x) => textOf(f).includes(x));
      f.hidden = !hit;
      if (hit) seen++;
    }
    const product = w.client === 'any' ? 'any client' : productOf(w.client);
    let others = 0;
    for (const li of rests) {
      const hit = (!w.verdict || verdictOf(li) === w.verdict) && (!w.scenario || li.dataset.scenario === w.scenario) &&
        (!w.client || all('.cell', li).some((c) => c.textContent === product)) && w.words.every((x) => textOf(li).includes(x));
      li.hidden = !hit;
      if (hit) others++;
    }
    for (const g of all('.group')) g.hidden = !all('.finding, .rests > li', g).some((f) => !f.hidden);
    for (const g of all('.fold')) g.hidden = !all('.finding, .rests > li', g).some((f) => !f.hidden);
    for (const p of all('.none-match')) p.hidden = seen + others > 0;
    $('shown').textContent = any ? `${seen} of ${findings.length}` + (rests.length ? ` findings, ${others} of ${rests.length} other lines` : '') : '';
  };
  let soon;
  if (bar) {
    bar.addEventListener('input', () => { clearTimeout(soon); soon = setTimeout(apply, 80); });
    bar.addEventListener('reset', () => setTimeout(apply));
    bar.addEventListener('submit', (ev) => { ev.preventDefault(); apply(); });
    for (const b of all('button.clear')) b.addEventListener('click', () => bar.reset());
  }

  // Details of single outcomes lie compressed in the page until somebody asks.
  let details;
  const load = () => details ??= (async () => {
    const t = $('more');
    const text = t?.content.textContent;
    if (!text) return {};
    if (t.dataset.encoding !== 'gzip') return JSON.parse(text);
    const raw = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream('gzip'));
    return JSON.parse(await new Response(stream).text());
  })();
  const names = ('NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US').split(' ');
  const showText = (to, s) => {
    for (const part of s.split(/([\u0000-\u001f\u007f])/)) {
      const c = part.length === 1 ? part.charCodeAt(0) : 99;
      if (c < 32 || c === 127) {
        const b = make('b', 'c', String.fromCharCode(c === 127 ? 0x2421 : 0x2400 + c));
        b.dataset.c = names[c] ?? 'DEL';
        to.append(b);
        if (part === '\n') to.append('\n');
      } else if (part) to.append(part);
    }
    return to;
  };
  const arrows = { send: '→', recv: '←', note: '·' };
  const says = { send: 'to the server', recv: 'from the server', note: 'note' };
  const panel = (d) => {
    const box = make('div', 'more');
    if (d.m) box.append(showText(make('p'), d.m));
    for (const [key, name] of [['e', 'Expected'], ['o', 'Observed'], ['r', 'See it without conform']]) {
      if (!d[key]) continue;
      const pre = make('pre');
      pre.append(showText(make('code'), d[key]));
      box.append(make('p', 'sub', name), pre);
    }
    if (d.f) {
      const log = make('ol', 'wire');
      let last = 0;
      for (const [n, at, dir, text] of d.f) {
        if (n > last + 1) log.append(make('li', 'gap', `${n - last - 1} frames left out here; the JSON report has all.`));
        last = n;
        const li = make('li', dir);
        const arrow = make('span', 'dir');
        const sign = make('span', '', arrows[dir]);
        sign.setAttribute('aria-hidden', 'true');
        arrow.append(sign, make('span', 'sr', says[dir]));
        const div = make('div');
        div.append(showText(make('code'), text));
        li.append(make('span', 'n', String(n)), arrow, div, make('span', 'ms', `${at} ms`));
        log.append(li);
      }
      box.append(log);
    }
    return box;
  };
  const openCell = async (cell) => {
    const list = cell.closest('.places');
    const old = list.nextElementSibling?.classList.contains('more') ? list.nextElementSibling : null;
    old?.remove();
    if (old?.dataset.of === cell.id) return;
    const d = (await load())[cell.id];
    if (!d) return;
    const box = panel(d);
    box.dataset.of = cell.id;
    list.after(box);
  };

  // Permalinks: open whatever holds the target.
  const reveal = (e) => {
    for (let p = e; p; p = p.parentElement) {
      if (p.tagName === 'DETAILS') p.open = true;
      p.hidden &&= false;
    }
    if (e.classList.contains('finding')) e.firstElementChild.open = true;
  };
  const follow = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it is */ }
    const e = id && $(id);
    if (!e || e.closest('template')) return;
    reveal(e);
    e.scrollIntoView({ block: e.classList.contains('cell') ? 'center' : 'start' });
    if (e.classList.contains('finding')) e.querySelector('summary').focus({ preventScroll: true });
    if (e.classList.contains('cell')) openCell(e);
  };
  addEventListener('hashchange', follow);
  document.addEventListener('click', (ev) => {
    const a = ev.target.closest('a[href^="#"]');
    if (a && a.hash === location.hash) { ev.preventDefault(); follow(); }
  });
  follow();

  // Keys, which can be switched off.
  const help = $('help');
  const keysOn = $('keys-on');
  const remember = (set) => {
    try {
      if (set !== undefined) localStorage.setItem('conform-keys', set);
      return localStorage.getItem('conform-keys');
    } catch { return null; }
  };
  keysOn.checked = remember() !== 'off';
  keysOn.addEventListener('change', () => remember(keysOn.checked ? 'on' : 'off'));
  $('help-open')?.addEventListener('click', () => help.showModal());
  const step = (by) => {
    const shown = findings.filter((f) => !f.hidden && f.checkVisibility());
    if (!shown.length) return;
    const here = shown.findIndex((f) => f.contains(document.activeElement));
    const next = shown[here < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(Math.max(here + by, 0), shown.length - 1)];
    next.querySelector('summary').focus({ preventScroll: true });
    next.scrollIntoView({ block: 'start' });
  };
  document.addEventListener('keydown', (ev) => {
    const typing = ev.target.closest('input:not([type=radio]):not([type=checkbox]), select, textarea');
    if (ev.key === 'Escape' && typing) { typing.blur(); return; }
    if (!keysOn.checked || typing || help.open || ev.ctrlKey || ev.metaKey || ev.altKey) return;
    const does = { '/': () => $('q').focus(), j: () => step(1), k: () => step(-1), '?': () => help.showModal() }[ev.key];
    if (!does) return;
    ev.preventDefault();
    does();
  });

  // Paper cannot be unfolded.
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = all('.group details:not([open])');
    for (const d of folded) d.open = true;
  });
  addEventListener('afterprint', () => { for (const d of folded) d.open = false; });
})();
