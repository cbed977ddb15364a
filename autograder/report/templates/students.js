"use strict";
const table = document.getElementById("grades");
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const bare = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();  // ß too becomes SS
const search = document.createElement("input");
search.type = "search";
search.placeholder = "Search names and remarks";
search.setAttribute("aria-label", search.placeholder);
search.addEventListener("input", () => {
  const words = bare(search.value).split(/\s+/);
  for (const row of rows) row.hidden = !words.every((word) => bare(row.textContent).includes(word));
});
table.parentElement.before(search);
const collator = new Intl.Collator(undefined, { numeric: true });
const key = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const order = (a, b) => collator.compare(key(a, column), key(b, column)) * (up ? 1 : -1);
    body.append(...rows.sort(order));
  });
});
