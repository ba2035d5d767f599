"use strict";
// Graphs that answer to the pointer and the keyboard, and the filters of the table of rules or sets.
(() => {
  const data = JSON.parse(document.getElementById("graphs").textContent);
  const { listed } = data;  // rules, or sets
  const terms = JSON.parse(document.getElementById("tables").textContent)[listed.table];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const { abs, ceil, floor, hypot, max, min, sqrt } = Math;
  const BEND = 0.16, MOVE = 350, FAR = 8, NEAR = 0.4;

  // Elements. Text goes in as text nodes only: names are not markup.
  const make = (kind, attributes = {}, ...children) => {
    const e = typeof kind === "string" ? document.createElement(kind) : kind;
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
  };
  const svg = (kind, attributes, ...children) =>
    make(document.createElementNS("http://www.w3.org/2000/svg", kind), attributes, ...children);
  const bdi = (text) => make("bdi", {}, text);
  const clamp = (v, low, high) => max(low, min(high, v));

  // Layout: see plotting/_layout.py.
  const ROUNDS = 300, APART = 80, PULL = 1.5, GRAVITY = 0.5, GAIN = 0.15, CALM = 0.12, MOST_LONE = 0.6;
  const forces = (n, edges) => {
    const x = new Float64Array(n), y = new Float64Array(n), k = 1 / sqrt(n);
    const degree = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      x[i] = Math.cos(2 * Math.PI * i / n - Math.PI / 2) / 2;
      y[i] = Math.sin(2 * Math.PI * i / n - Math.PI / 2) / 2;
    }
    for (const e of edges) { degree[e.s]++; degree[e.t]++; }
    const most = max(...edges.map((e) => e.w), 1e-300);
    const pull = edges.map((e) =>
      PULL * (0.3 + 0.7 * e.w / most) / sqrt(degree[e.s] * degree[e.t]));
    for (let turn = 0; turn < ROUNDS; turn++) {
      const fx = x.map((v) => -GRAVITY * v), fy = y.map((v) => -GRAVITY * v);
      for (let i = 0; i < n; i++) {
        for (let j = i + 1; j < n; j++) {
          const dx = x[i] - x[j], dy = y[i] - y[j];
          const push = k * k / max(dx * dx + dy * dy, 1e-4);
          fx[i] += push * dx; fy[i] += push * dy; fx[j] -= push * dx; fy[j] -= push * dy;
        }
      }
      edges.forEach((e, i) => {
        const dx = x[e.t] - x[e.s], dy = y[e.t] - y[e.s];
        const f = hypot(dx, dy) / k * pull[i];
        fx[e.s] += f * dx; fy[e.s] += f * dy; fx[e.t] -= f * dx; fy[e.t] -= f * dy;
      });
      for (let i = 0; i < n; i++) {
        const length = max(hypot(fx[i], fy[i]), 1e-12);
        const step = min(GAIN * length, CALM * (1 - turn / ROUNDS)) / length;
        x[i] += fx[i] * step; y[i] += fy[i] * step;
      }
    }
    return [...x].map((v, i) => [v, y[i]]);
  };
  const spread = (at, boxes, area) => {
    const [cx, cy] = [0, 1].map((d) => {
      const low = area[d] - min(...boxes.map((b) => b[d]));
      const high = area[d + 2] - max(...boxes.map((b) => b[d + 2]));
      const values = at.map((p) => p[d]);
      const least = min(...values), most = max(...values);
      return { to: (low + high) / 2, from: (least + most) / 2,
        scale: max(high - low, 1) / max(most - least, 1e-9) };
    });
    const cap = 1.5 * min(cx.scale, cy.scale);
    return at.map(([x, y]) => [cx.to + (x - cx.from) * min(cx.scale, cap),
      cy.to + (y - cy.from) * min(cy.scale, cap)]);
  };
  const apart = (at, boxes, area) => {
    const taken = boxes.reduce((sum, b) => sum + (b[2] - b[0]) * (b[3] - b[1]), 0);
    if (taken > 0.6 * (area[2] - area[0]) * (area[3] - area[1])) {
      boxes = boxes.map((b) => [b[1], b[1], -b[1], -b[1]]);
    }
    const half = boxes.map((b) => [(b[2] - b[0]) / 2, (b[3] - b[1]) / 2]);
    const shift = boxes.map((b) => [(b[2] + b[0]) / 2, (b[3] + b[1]) / 2]);
    const c = at.map((p, i) => [p[0] + shift[i][0], p[1] + shift[i][1]]);
    for (let turn = 0, moved = true; moved && turn < APART; turn++) {
      moved = false;
      for (let i = 0; i < c.length; i++) {
        for (let j = i + 1; j < c.length; j++) {
          const gap = [c[j][0] - c[i][0], c[j][1] - c[i][1]];
          const over = gap.map((g, d) => half[i][d] + half[j][d] - abs(g));
          if (over[0] <= 0 || over[1] <= 0) continue;
          const d = over[0] < over[1] ? 0 : 1;
          const push = (over[d] / 2 + 0.5) * (gap[d] >= 0 ? 1 : -1);
          c[i][d] -= push; c[j][d] += push; moved = true;
        }
      }
      c.forEach((p, i) => {
        for (const d of [0, 1]) p[d] = clamp(p[d], area[d] + half[i][d], area[d + 2] - half[i][d]);
      });
    }
    return c.map((p, i) => [p[0] - shift[i][0], p[1] - shift[i][1]]);
  };
  const layout = (edges, boxes, area) => {
    let [left, top, right, bottom] = area;
    const at = boxes.map(() => [0, 0]), joined = new Set(edges.flatMap((e) => [e.s, e.t]));
    const lone = boxes.map((_, i) => i).filter((i) => !joined.has(i));
    if (lone.length) {
      const share = (joined.size ? min(MOST_LONE, lone.length / boxes.length) : 1) * (bottom - top);
      const most = (d) => max(...lone.map((i) => boxes[i][d + 2] - boxes[i][d]));
      const lines = (width) =>
        ceil(lone.length / max(1, floor((right - left) / width)));
      let height = most(1), rows = lines(most(0)), down = 0;
      if (rows > 1 && rows * height > share) {
        height = 2 * min(...lone.map((i) => min(boxes[i][2], boxes[i][3])));
        rows = lines(height);
        height = min(height, 0.4 * (bottom - top) / rows);
        down = height / 2;
      }
      const columns = ceil(lone.length / rows);
      const up = joined.size ? 0 : (share - rows * height) / 2;
      lone.forEach((i, place) => {
        at[i] = [left + (place % columns + 0.5) * (right - left) / columns,
          bottom + (floor(place / columns) - rows) * height + (down || -boxes[i][1]) - up];
      });
      bottom -= rows * height;
    }
    const inner = [...joined].sort((a, b) => a - b);
    if (inner.length) {
      const place = new Map(inner.map((i, j) => [i, j])), few = inner.map((i) => boxes[i]);
      const among = edges.map((e) => ({ s: place.get(e.s), t: place.get(e.t), w: e.w }));
      const inside = [left, top, right, bottom];
      apart(spread(forces(inner.length, among), few, inside), few, inside)
        .forEach((p, j) => { at[inner[j]] = p; });
    }
    return at;
  };

  // One graph: `spec` is what there is, `home` holds controls, stage and panel.
  const graph = (home, spec, chosenOne) => {
    const find = (selector) => home.querySelector(selector);
    const stage = find(".stage"), panel = find(".about"), hint = find(".hint");
    const sliders = Object.fromEntries([...home.querySelectorAll("input[type=range]")]
      .map((input) => [input.dataset.slider, input]));
    const wanted = { ...spec.view, weight: 0 };
    const lines = svg("g"), dots = svg("g"), names = svg("g", { "aria-hidden": "true" });
    const picture = svg("svg", { class: "chart network", role: "application",
      "aria-label": spec.title, "aria-describedby": hint.id }, lines, dots, names);
    const tip = make("div", { class: "tip", "aria-hidden": "true", hidden: "" });
    stage.append(picture, tip);
    home.classList.add("live");

    let width = 0, height = 0, zoom = 1, panX = 0, panY = 0, frame = 0, shrink = 1;
    let shown = [], edges = [], cursor = 0, chosen = null, hot = null, walked = null;
    const ruler = document.createElement("canvas").getContext("2d");

    const said = (labels, values) =>
      labels.map((label, i) => [label, values[i]]).filter(([, value]) => value !== "");
    const aloud = (labels, values) =>
      said(labels, values).map((pair) => pair.join(" ")).join(", ");
    const radius = (node) => shrink * (spec.directed
      ? min(6 + 3 * sqrt(node.degree), 21) : 5 + 15 * sqrt(node.size));

    const nodes = spec.nodes.map((given, i) => {
      const dot = svg("circle", { class: `dot ${given.hue}` });
      dot.style.setProperty("--v", given.v);
      const parts = given.ring ? [svg("circle", { class: "ring" }), dot] : [dot];
      const g = svg("g", { class: "node", role: "button", tabindex: "-1", "data-node": i,
        "aria-pressed": "false" }, ...parts);
      const text = svg("text", { class: "name", "data-node": i }, given.label);
      return { ...given, i, g, dot, ring: given.ring && parts[0], text, at: null, degree: 0, side: 0 };
    });
    const links = spec.edges.map(([s, t, w, facts], i) => {
      const line = svg("path", { class: "line" }), head = svg("path", { class: "head" });
      const hit = svg("path", { class: "hit" });
      const ink = svg("g", { opacity: (0.22 + 0.68 * w).toFixed(3) }, line, head);
      const g = svg("g", { class: "edge", role: "button", tabindex: "-1", "data-edge": i }, ink, hit);
      line.setAttribute("stroke-width", (1 + 4.5 * w).toFixed(2));
      const e = { i, s, t, w, facts, g, line, head, hit };
      g.setAttribute("aria-label", `Edge ${nodes[s].name}${spec.directed ? " to " : " and "}` +
        `${nodes[t].name}: ${aloud(spec.edgeFacts, facts)}`);
      return e;
    });

    // Places are in pixels of the stage, before zoom and pan.
    const seen = (p) => [p[0] * zoom + panX, p[1] * zoom + panY];
    const put = (node, [x, y]) => {  // where it can be caught again
      node.at = [(clamp(x, node.r, width - node.r) - panX) / zoom,
        (clamp(y, node.r, height - node.r) - panY) / zoom];
    };
    const box = (node) => {
      const r = radius(node) + (node.ring ? 6 : 3), half = max(r, node.wide / 2 + 4);
      return [-half, -r, half, r + 15];
    };
    const drawEdge = (e) => {
      const a = nodes[e.s], b = nodes[e.t];
      const [x0, y0] = seen(a.at), [x1, y1] = seen(b.at), w = 1 + 4.5 * e.w;
      const bend = spec.directed ? BEND : 0;
      const mx = (x0 + x1) / 2 + bend * (y1 - y0), my = (y0 + y1) / 2 - bend * (x1 - x0);
      const l0 = hypot(mx - x0, my - y0) || 1, l1 = hypot(x1 - mx, y1 - my) || 1;
      const [ux, uy, vx, vy] = [(mx - x0) / l0, (my - y0) / l0, (x1 - mx) / l1, (y1 - my) / l1];
      const r0 = a.r + 1, r1 = b.r + 1, head = 5 + 1.6 * w;
      const f = (v) => v.toFixed(1);
      const tx = x1 - vx * r1, ty = y1 - vy * r1, back = spec.directed ? head * 0.8 : 0;
      const d = `M${f(x0 + ux * r0)},${f(y0 + uy * r0)}Q${f(mx)},${f(my)} ` +
        `${f(tx - vx * back)},${f(ty - vy * back)}`;
      e.line.setAttribute("d", d);
      e.hit.setAttribute("d", d);
      e.mid = [(x0 + 2 * mx + x1) / 4, (y0 + 2 * my + y1) / 4];
      if (!spec.directed) return;
      const [bx, by, h] = [tx - vx * head, ty - vy * head, head * 0.45];
      e.head.setAttribute("d", `M${f(tx)},${f(ty)}L${f(bx + vy * h)},${f(by - vx * h)} ` +
        `${f(bx - vy * h)},${f(by + vx * h)}Z`);
    };
    const SIDES = [(r) => [0, r + 13, 0.5], (r) => [0, -r - 5, 0.5], (r) => [r + 5, 4, 0],
      (r) => [-r - 5, 4, 1]];
    const ANCHORS = { 0: "start", 0.5: "middle", 1: "end" };
    const drawNode = (node) => {
      const [x, y] = seen(node.at), [dx, dy, share] = SIDES[node.side](node.r);
      node.g.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      node.text.setAttribute("x", (x + dx).toFixed(1));
      node.text.setAttribute("y", (y + dy).toFixed(1));
      node.text.setAttribute("text-anchor", ANCHORS[share]);
    };
    const draw = () => { edges.forEach(drawEdge); shown.forEach(drawNode); };

    // Labels: each on the side where it covers least, or left out.
    const overlap = (a, b) => max(0, min(a[2], b[2]) - max(a[0], b[0])) *
      max(0, min(a[3], b[3]) - max(a[1], b[1]));
    const label = () => {
      const placed = [];
      const circles = shown.map((node) => {
        const [x, y] = seen(node.at);
        return [x - node.r, y - node.r, x + node.r, y + node.r];
      });
      for (const node of shown) {
        const [x, y] = seen(node.at);
        let best = { cost: Infinity };
        SIDES.forEach((place, side) => {
          const [dx, dy, share] = place(node.r), left = x + dx - share * node.wide;
          const b = [left - 2, y + dy - 11, left + node.wide + 2, y + dy + 4];
          const words = placed.reduce((sum, other) => sum + overlap(b, other), 0);
          const under = circles.reduce((sum, c, j) => shown[j] === node ? sum : sum + overlap(b, c), 0);
          const out = max(0, -b[0]) + max(0, b[2] - width) +
            max(0, -b[1]) + max(0, b[3] - height);
          const cost = 4 * words + under + 40 * out + side;
          if (cost < best.cost) best = { cost, side, b, words, under, out };
        });
        node.side = best.side;
        const crowded = shown.length > 12 && (best.words + best.out > 4 || best.under > 0.3 * node.wide);
        node.text.classList.toggle("crowded", crowded);
        if (!crowded) placed.push(best.b);
        drawNode(node);
      }
    };

    // The best features and the heaviest edges between them.
    const change = (moving) => {
      wanted.nodes = clamp(wanted.nodes, min(2, nodes.length), nodes.length);
      const possible = links.filter((e) => e.s < wanted.nodes && e.t < wanted.nodes);
      shown = nodes.slice(0, wanted.nodes);
      edges = possible.slice(0, wanted.edges).filter((e) => e.w >= wanted.weight / 100);
      const limits = { nodes: [shown.length, nodes.length],
        edges: [min(wanted.edges, possible.length), possible.length], weight: [wanted.weight, 100] };
      for (const [name, input] of Object.entries(sliders)) {
        [input.max, input.value] = limits[name].reverse();
        const text = name !== "weight" ? input.value : wanted.weight
          ? String(+(wanted.weight / 100 * spec.heaviest).toPrecision(2)) : "any";
        input.setAttribute("aria-valuetext", text);
        input.nextElementSibling.textContent = text;
      }
      find(".status").textContent = `${shown.length} ` +
        `${shown.length === 1 ? spec.many.slice(0, -1) : spec.many} and ${edges.length} of ` +
        `${possible.length} edges between them`;
      for (const node of nodes) node.degree = 0;
      for (const e of edges) { nodes[e.s].degree++; nodes[e.t].degree++; }
      shrink = 1;
      const taken = shown.reduce((sum, node) => sum + 4 * (radius(node) + 4) ** 2, 0);
      shrink = max(0.3, min(1, sqrt(0.25 * width * height / taken)));
      for (const node of shown) {
        node.r = radius(node);
        node.dot.setAttribute("r", node.r);
        if (node.ring) {
          node.ring.setAttribute("r", node.r + 3);
          node.r += 4;
        }
        const { degree } = node;
        node.g.setAttribute("aria-label", `${node.name}: ${aloud(spec.nodeFacts, node.facts)}, ` +
          `${degree} ${degree === 1 ? "edge" : "edges"} shown`);
      }
      const focus = document.activeElement;
      lines.replaceChildren(...[...edges].reverse().map((e) => e.g));
      dots.replaceChildren(...shown.map((node) => node.g));
      names.replaceChildren(...shown.map((node) => node.text));
      if (focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
      if (cursor >= shown.length) point(0);
      if (chosen !== null && chosen >= shown.length) choose(null);
      else if (chosen !== null) tell();
      settle(moving);
    };
    const settle = (moving) => {
      cancelAnimationFrame(frame);
      [zoom, panX, panY] = [1, 0, 0];
      const pad = spec.directed ? min(width, height) / 20 : 3;  // for edges that bend out
      const to = layout(edges, shown.map(box), [pad, pad, width - pad, height - pad]);
      const from = shown.map((node, i) => node.at ?? to[i]);
      const start = performance.now();
      const step = (now) => {
        const part = moving && !still.matches ? min(1, (now - start) / MOVE) : 1;
        const eased = 1 - (1 - part) ** 3;
        shown.forEach((node, i) => {
          node.at = [0, 1].map((d) => from[i][d] + (to[i][d] - from[i][d]) * eased);
        });
        draw();
        if (part < 1) frame = requestAnimationFrame(step);
        else { label(); mark(); }
      };
      step(start);
    };
    const again = () => { draw(); label(); place(); };

    // What is under the pointer or has the focus comes forward.
    const mark = () => {
      const node = hot?.node ?? (hot ? null : chosen), edge = hot?.edge ?? null;
      const near = new Set();
      for (const e of edges) {
        const on = edge === e.i || node === e.s || node === e.t;
        e.g.classList.toggle("on", on);
        e.g.classList.toggle("off", !on && (node !== null || edge !== null));
        if (on) near.add(e.s).add(e.t);
      }
      for (const one of shown) {
        const on = node === one.i || near.has(one.i);
        const off = !on && (node !== null || edge !== null);
        for (const part of [one.g, one.text]) {
          part.classList.toggle("off", off);
          part.classList.toggle("on", on);
        }
        one.g.classList.toggle("chosen", chosen === one.i);
        one.g.setAttribute("aria-pressed", String(chosen === one.i));
      }
    };
    const heat = (next, by) => {
      hot = next;
      mark();
      tip.hidden = !hot || hot.node === (chosen ?? -1);  // the panel says it
      if (!hot) return;
      const one = hot.node === undefined ? links[hot.edge] : nodes[hot.node];
      const title = hot.node === undefined
        ? [bdi(nodes[one.s].name), spec.directed ? " → " : " – ", bdi(nodes[one.t].name)] : [bdi(one.name)];
      const facts = hot.node === undefined ? said(spec.edgeFacts, one.facts)
        : said(spec.tip.map((i) => spec.nodeFacts[i]), spec.tip.map((i) => one.facts[i]));
      tip.replaceChildren(make("b", {}, ...title), ...facts.map(([name, value]) =>
        make("span", {}, `${name} `, make("i", {}, value))));
      hot.by = by;
      place();
    };
    const place = () => {
      if (!hot) return;
      const edge = hot.node === undefined;
      const [x, y] = hot.by ?? (edge ? links[hot.edge].mid : seen(nodes[hot.node].at));
      const gap = edge ? 12 : nodes[hot.node].r + 8, { offsetWidth: w, offsetHeight: h } = tip;
      const right = x + gap + w <= width, under = edge || (!right && x - gap - w < 0);
      const low = y + gap + 14, top = !under ? y - h / 2 : low + h <= height ? low : y - gap - h;
      tip.style.left = `${clamp(right ? x + gap : x - gap - w, 0, max(0, width - w))}px`;
      tip.style.top = `${clamp(top, 0, max(0, height - h))}px`;
    };

    // The panel of the feature clicked.
    const choose = (i, move) => {
      chosen = i;
      if (hot?.node === i) tip.hidden = true;
      mark();
      tell(move);
      chosenOne?.(i === null ? null : nodes[i]);
    };
    const tell = (move) => {
      panel.classList.toggle("empty", chosen === null);
      if (chosen === null) {
        panel.replaceChildren(make("p", { class: "quiet" }, spec.empty));
        return;
      }
      const node = nodes[chosen];
      const close = make("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
      close.addEventListener("click", leave);
      const facts = make("dl", { class: "pairs" }, ...said(spec.nodeFacts, node.facts).map((pair) =>
        make("div", {}, make("dt", {}, pair[0]), make("dd", {}, pair[1]))));
      const title = make("h3", { tabindex: "-1" }, bdi(node.name));
      title.classList.toggle("long", node.name.length > 60);
      const parts = [close, title, facts];
      const mine = edges.filter((e) => e.s === chosen || e.t === chosen);
      if (mine.length) {
        parts.push(make("h4", {}, `Edges shown (${mine.length})`), make("ul", { class: "ends" },
          ...mine.map((e) => {
            const other = nodes[e.s === chosen ? e.t : e.s];
            const way = !spec.directed ? "with " : e.s === chosen ? "to " : "from ";
            const go = make("button", { type: "button" }, way, bdi(other.name));
            go.addEventListener("click", () => { point(other.i); choose(other.i, true); });
            return make("li", {}, go, make("span", { class: "num" }, e.facts[0]));
          })));
      }
      const [text, label] = [listed.text, "class"].map((key) => terms.columns.indexOf(key));
      if (node.rules.length) {
        const then = (row) => row[label] ? [listed.between, bdi(row[label])] : [];
        parts.push(make("h4", {}, `${listed.title} (${node.rules.length})`),
          make("ol", { class: "said" }, ...node.rules.slice(0, 8).map((r) => make("li", {},
            listed.before, bdi(terms.rows[r][text]), ...then(terms.rows[r]),
            make("small", {}, ` ${listed.notes[r]}`)))));
        parts.push(make("p", {}, make("a", { href: `#${listed.table}` }, listed.link)));
      } else {
        parts.push(make("p", { class: "quiet" }, listed.none));
      }
      panel.replaceChildren(...parts);
      panel.scrollTop = 0;
      if (move) title.focus({ preventScroll: window.innerWidth >= 832 });
    };
    const leave = () => {
      const before = chosen;
      choose(null);
      if (before !== null) nodes[before].g.focus({ preventScroll: true });
    };
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || chosen === null) return;
      event.preventDefault();
      leave();
    });

    // Keyboard: one stop for Tab, then arrows.
    const point = (i, focus) => {
      nodes[cursor].g.setAttribute("tabindex", "-1");
      cursor = i;
      nodes[cursor].g.setAttribute("tabindex", "0");
      if (focus) nodes[cursor].g.focus({ preventScroll: true });
    };
    const around = (i) => edges.filter((e) => e.s === i || e.t === i);
    const STEPS = { in: () => zoomAt(1.3), out: () => zoomAt(1 / 1.3), reset: () => settle(true) };
    const KEYS = { "+": "in", "=": "in", "-": "out", "0": "reset" };
    const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    picture.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const edge = event.target.dataset.edge, arrow = ARROWS[event.key];
      const onEdge = edge === undefined ? null : links[edge];
      const other = () => onEdge.s === walked ? onEdge.t : onEdge.s;
      if (arrow && event.shiftKey && !onEdge) {
        put(nodes[cursor], seen(nodes[cursor].at).map((v, d) => v + 14 * arrow[d]));
        again();
      } else if (arrow && arrow[1]) {
        const mine = around(onEdge ? walked : cursor);
        if (!onEdge) walked = cursor;
        const at = onEdge ? mine.indexOf(onEdge) + arrow[1] : arrow[1] > 0 ? 0 : mine.length - 1;
        (mine[at]?.g ?? nodes[walked].g).focus({ preventScroll: true });
      } else if (arrow && onEdge) {
        point(arrow[0] > 0 ? other() : walked, true);
      } else if (arrow) {
        point((cursor + arrow[0] + shown.length) % shown.length, true);
      } else if (event.key === "Home" || event.key === "End") {
        point(event.key === "Home" ? 0 : shown.length - 1, true);
      } else if (event.key === "Enter" || event.key === " ") {
        if (onEdge) point(other(), true);
        else choose(cursor, true);
      } else if (event.key === "Escape") {
        if (onEdge) point(walked, true);
        else if (chosen !== null) choose(null);
        else return;
      } else if (KEYS[event.key]) {
        STEPS[KEYS[event.key]]();
      } else {
        return;
      }
      event.preventDefault();
    });
    const under = (target) => {
      const part = target.closest?.("[data-node], [data-edge]");
      if (!part) return null;
      const { node, edge } = part.dataset;
      return node === undefined ? { edge: +edge } : { node: +node };
    };
    stage.addEventListener("focusin", (event) => {
      const it = under(event.target);
      if (it?.node !== undefined) point(it.node);
      const onto = it?.edge === undefined ? null : links[it.edge];
      if (onto && walked !== onto.s && walked !== onto.t) walked = onto.s;
      heat(it);
    });
    stage.addEventListener("focusout", () => heat(null));

    // Pointer: a node is dragged, the ground is panned, two fingers zoom.
    const zoomAt = (by, x = width / 2, y = height / 2) => {
      const next = clamp(zoom * by, NEAR, FAR);
      panX = x - (x - panX) * next / zoom;
      panY = y - (y - panY) * next / zoom;
      zoom = next;
      again();
    };
    const fingers = new Map();
    let held = null, moved = 0;
    const spot = (event) => {
      const { left, top } = picture.getBoundingClientRect();
      return [event.clientX - left, event.clientY - top];
    };
    picture.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      fingers.set(event.pointerId, spot(event));
      held = fingers.size === 1 ? under(event.target) : null;
      if (held?.node !== undefined) {
        const [at, start] = [seen(nodes[held.node].at), spot(event)];
        held.grip = [at[0] - start[0], at[1] - start[1]];
      }
      moved = 0;
      event.target.setPointerCapture(event.pointerId);
    });
    picture.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId), now = spot(event);
      if (!before) {
        if (event.pointerType !== "mouse") return;
        const it = under(event.target);
        if (it?.node !== hot?.node || it?.edge !== hot?.edge) {
          heat(it, it?.edge === undefined ? undefined : now);
        }
        return;
      }
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      moved += hypot(dx, dy);
      fingers.set(event.pointerId, now);
      if (moved < 4) return;
      cancelAnimationFrame(frame);
      stage.classList.add("moving");
      if (fingers.size > 1) {
        const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
        const from = hypot(before[0] - other[0], before[1] - other[1]) || 1;
        panX += dx / 2; panY += dy / 2;
        zoomAt(hypot(now[0] - other[0], now[1] - other[1]) / from,
          (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
        return;
      }
      if (held?.node !== undefined) {
        const node = nodes[held.node];
        put(node, [now[0] + held.grip[0], now[1] + held.grip[1]]);
        edges.filter((e) => e.s === node.i || e.t === node.i).forEach(drawEdge);
        drawNode(node);
        place();
      } else {
        panX += dx; panY += dy;
        draw();
        place();
      }
    });
    const up = (event) => {
      if (!fingers.delete(event.pointerId)) return;
      stage.classList.remove("moving");
      if (moved >= 4) label();
    };
    picture.addEventListener("pointerup", up);
    picture.addEventListener("pointercancel", up);
    picture.addEventListener("pointerleave", () => { if (!fingers.size) heat(null); });
    picture.addEventListener("click", (event) => {
      if (moved >= 4) { moved = 0; return; }
      const it = under(event.target);
      if (it?.node !== undefined) {
        point(it.node);
        choose(chosen === it.node ? null : it.node);
      } else if (it) {
        heat(it, spot(event));
      } else if (chosen !== null) {
        choose(null);
      }
    });
    picture.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;  // the page scrolls on
      event.preventDefault();
      zoomAt(Math.exp(-clamp(event.deltaY, -60, 60) / 150), ...spot(event));
    }, { passive: false });
    picture.addEventListener("touchstart", (event) => {
      if (event.touches.length > 1) event.preventDefault();
    }, { passive: false });

    for (const [name, input] of Object.entries(sliders)) {
      input.addEventListener("input", () => { wanted[name] = +input.value; change(true); });
    }
    for (const button of home.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", STEPS[button.dataset.zoom]);
    }
    for (const button of home.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => {
        const [n, e] = button.dataset.view.split(",").map(Number);
        Object.assign(wanted, { nodes: n, edges: e, weight: 0 });
        change(true);
      });
    }

    new ResizeObserver(() => {
      const { clientWidth: w, clientHeight: h } = stage;
      if (!w || (w === width && h === height)) return;
      [width, height] = [w, h];
      make(picture, { width, height, viewBox: `0 0 ${width} ${height}` });
      ruler.font = `12px ${getComputedStyle(stage).fontFamily}`;
      for (const node of nodes) node.wide = ruler.measureText(node.label).width;
      change(false);
    }).observe(stage);
    if (nodes.length) point(0);
    tell();
    return {
      open: (i) => {
        if (i >= wanted.nodes) { wanted.nodes = i + 1; change(false); }
        point(i);
        choose(i);
      },
    };
  };

  // Their table: by class and by feature.
  const filters = ["class", "feature"]
    .map((name) => document.getElementById(`${listed.table}-${name}`));
  const filter = () => {
    const [label, feature] = filters.map((select) => select?.value ?? "");
    const table = document.getElementById(`table-${listed.table}`);
    let found = 0;
    for (const tr of table.tBodies[0].rows) {
      const [of, with_] = data.rules[tr.dataset.row];
      tr.hidden = (label !== "" && of !== +label) ||
        (feature !== "" && !with_.includes(+feature));
      found += tr.hidden ? 0 : 1;
    }
    document.getElementById(`${listed.table}-found`).textContent =
      found < data.rules.length ? `${found} of ${data.rules.length}` : "";
  };
  for (const select of filters) select?.addEventListener("change", filter);
  const follow = (node) => {
    if (!filters[1]) return;
    filters[1].value = node && node.named !== null ? String(node.named) : "";
    filter();
  };

  const main = document.querySelector("[data-graph=main]");
  if (main && data.main) {
    const { open } = graph(main, data.main, follow);
    for (const a of document.querySelectorAll("#table-features a")) {
      a.addEventListener("click", () => {
        const folded = main.closest("details");
        if (folded) folded.open = true;
        open(data.places[a.closest("tr").dataset.row]);
      });
    }
  }

  // Rule networks: one class at a time, built when first seen.
  const tabs = [...document.querySelectorAll("[data-tab]")], built = new Set();
  const show = (which) => {
    tabs.forEach((tab, i) => {
      const home = document.querySelector(`[data-graph="${i}"]`);
      tab.setAttribute("aria-pressed", String(i === which));
      home.classList.toggle("away", i !== which);
    });
    if (built.has(which) || !data.networks[which].nodes.length) return;
    built.add(which);
    graph(document.querySelector(`[data-graph="${which}"]`), data.networks[which]);
  };
  tabs.forEach((tab, i) => tab.addEventListener("click", () => show(i)));
  if (tabs.length) show(0);
})();
