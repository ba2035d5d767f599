"use strict";
(() => {
  const root = document.documentElement;
  const tables = JSON.parse(document.getElementById("tables").textContent);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  root.classList.add("js");

  // Theme: the system's until the button is pressed.
  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const showTheme = () => {
    theme.textContent = isDark() ? "Light" : "Dark";
    theme.setAttribute("aria-pressed", String(isDark()));
    theme.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
  };
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  system.addEventListener("change", showTheme);
  showTheme();

  // Sorting: by the numbers that are downloaded, undefined ones last either way.
  const compare = (a, b) =>
    typeof a === "string" || typeof b === "string"
      ? String(a).localeCompare(String(b), "en", { numeric: true })
      : Number(a) - Number(b);
  const sort = (table, column, descending) => {
    const rows = tables[table.dataset.table].rows;
    const value = (tr) => rows[tr.dataset.row][column];
    const sign = descending ? -1 : 1;
    const body = table.tBodies[0];
    const order = [...body.rows].sort((r, s) => {
      const a = value(r), b = value(s);
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
      } else if (compare(a, b) !== 0) {
        return sign * compare(a, b);
      }
      return r.dataset.row - s.dataset.row;
    });
    body.append(...order);
  };
  for (const th of all("th[data-column]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...th.childNodes);
    if (th.title) button.title = th.title;
    th.append(button);
    button.addEventListener("click", () => {
      const before = th.getAttribute("aria-sort");
      const descending = before ? before === "ascending" : th.classList.contains("num");
      for (const other of all("th[aria-sort]", th.parentNode)) other.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(th.closest("table"), Number(th.dataset.column), descending);
    });
  }

  // Search: in every text of the row, near-duplicates included.
  for (const input of all("input[data-search]")) {
    const name = input.dataset.search;
    const texts = tables[name].rows.map((row) =>
      row.filter((v) => typeof v === "string").join("\n").toLowerCase());
    const found = document.querySelector(`[data-found="${name}"]`);
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      let shown = 0;
      for (const tr of document.getElementById(`table-${name}`).tBodies[0].rows) {
        tr.hidden = wanted !== "" && !texts[tr.dataset.row].includes(wanted);
        shown += tr.hidden ? 0 : 1;
      }
      found.textContent = wanted ? `${shown} of ${texts.length}` : "";
    });
  }

  // Downloads are built from the data in the page.
  // An apostrophe stands before text that a spreadsheet would compute, as in tables/*.tsv.
  const formula = /^'*[=+\-@\uff1d\uff0b\uff0d\uff20]./;
  const number = /^([+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-](inf|nan))$/i;
  const field = (v) => {
    const text = v === null ? "" : String(v).replace(/[\t\r\n]+/g, " ");
    return formula.test(text) && !number.test(text) ? `'${text}` : text;
  };
  const tsv = ({ columns, rows }) =>
    [columns, ...rows].map((row) => row.map(field).join("\t")).join("\n") + "\n";
  for (const button of all("button[data-download]")) {
    button.addEventListener("click", () => {
      const name = button.dataset.download;
      const blob = new Blob([tsv(tables[name])], { type: "text/tab-separated-values" });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${name}.tsv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  }

  // Copying: the clipboard where the browser lets a file use it, else the old command.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "hidden";
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  for (const button of all("button[data-copy]")) {
    const words = button.textContent;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const items = all("li", source);
      const text = (items.length ? items : [source]).map((e) => e.textContent.trim()).join("\n");
      button.textContent = (await copy(text)) ? "Copied" : "Select and copy by hand";
      button.focus();
      setTimeout(() => { button.textContent = words; }, 2000);
    });
  }

  // Curves: ticked methods come forward in every chart.
  for (const box of all("input[data-series]")) {
    const show = () => {
      for (const line of all(`.thin.s${box.dataset.series}`)) {
        line.classList.toggle("on", box.checked);
        if (box.checked) line.parentNode.insertBefore(line, line.parentNode.querySelector(".head"));
      }
    };
    box.addEventListener("change", show);
    show();
  }

  // Wide tables: an edge is shaded, and a note stands above, while columns lie beyond it.
  for (const box of all(".edge > .scroll")) {
    const note = box.parentNode.previousElementSibling?.querySelector(".sideways");
    const mark = () => {
      const left = box.scrollWidth - box.clientWidth - box.scrollLeft;
      box.parentNode.classList.toggle("before", box.scrollLeft > 1);
      box.parentNode.classList.toggle("after", left > 1);
      if (note) note.hidden = box.scrollWidth - box.clientWidth <= 1;
    };
    box.addEventListener("scroll", mark, { passive: true });
    new ResizeObserver(mark).observe(box);
  }

  // A feature's name leads to its details, which open.
  const reveal = () => {
    const wanted = document.getElementById(location.hash.slice(1));
    if (!wanted?.matches(".feature")) return;
    for (let d = wanted; d; d = d.parentElement.closest("details")) d.open = true;
    wanted.scrollIntoView();
    wanted.querySelector("summary").focus({ preventScroll: true });
  };
  for (const a of all('a[href^="#feature-"]')) {
    a.addEventListener("click", () => setTimeout(reveal));
  }
  addEventListener("hashchange", reveal);
  reveal();

  // Contents: the section in view.
  const links = new Map(all("nav a").map((a) => [a.hash.slice(1), a]));
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const a of links.values()) a.removeAttribute("aria-current");
      links.get(target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-15% 0px -75% 0px" });
  for (const section of all("main > section")) seen.observe(section);
})();
