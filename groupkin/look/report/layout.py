"""How reports look: the page around the sections, on screens and on paper."""

from __future__ import annotations

from collections.abc import Sequence

from groupkin.look.markup import Html, dark_colors, element, joined
from groupkin.look.report.subject import Section

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""Without scripts, and without anything from elsewhere."""

STYLE = """
@page { size: A4; margin: 16mm 15mm 18mm; }
:root { color-scheme: light dark; --paper: #fff; --ink: #1b2430; --soft: #5b6472; --line: #dfe3e9; --faint: #f5f6f9;
  --accent: #0072b2; --bad: #fdf3f3; --good: #f1f9f6; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; overflow-wrap: break-word; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 2rem 3rem; }
header { border-top: 4px solid var(--accent); padding-top: 1rem; }
.kicker { margin: 0; color: var(--accent); font-size: 0.78rem; font-weight: 650; letter-spacing: 0.09em;
  text-transform: uppercase; }
h1 { margin: 0.1rem 0 0.2rem; font-size: 2rem; line-height: 1.2; font-weight: 680; letter-spacing: -0.01em; }
.summary { margin: 0; color: var(--soft); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); margin: 1.3rem 0 0; padding: 0;
  border: 1px solid var(--line); border-radius: 8px; overflow: hidden; gap: 1px; background: var(--line); }
.facts div { padding: 0.6rem 0.8rem; background: var(--paper); }
.facts dt { color: var(--soft); font-size: 0.74rem; }
.facts dd { margin: 0; font-size: 1.15rem; font-weight: 620; font-variant-numeric: tabular-nums; line-height: 1.3; }
nav { margin: 1.1rem 0 0; font-size: 0.88rem; }
nav a { margin-right: 1.2rem; color: var(--accent); text-decoration: none; white-space: nowrap; }
nav a:hover { text-decoration: underline; }
section { margin-top: 2.6rem; }
h2 { margin: 0 0 0.9rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); font-size: 1.3rem;
  font-weight: 660; }
h2 .count { color: var(--accent); margin-right: 0.6rem; font-weight: 500; }
h3 { margin: 1.6rem 0 0.4rem; font-size: 0.98rem; font-weight: 650; }
p { margin: 0.5rem 0; max-width: 46rem; }
.note { color: var(--soft); }
.alert { padding: 0.5rem 0.8rem; border-left: 3px solid #c22020; background: var(--bad); max-width: none; }
.good, .alert { break-inside: avoid; }
.good { padding: 0.5rem 0.8rem; border-left: 3px solid #009e73; background: var(--good); max-width: none; }
figure { margin: 0.8rem 0; text-align: center; break-inside: avoid; }
figcaption { color: var(--soft); font-size: 0.82rem; margin-top: 0.3rem; }
svg, img { max-width: 100%; height: auto; max-height: 34rem; object-fit: contain; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem 1.6rem; align-items: end; }
.columns figure { margin: 0.4rem 0; min-width: 0; }
.beside { display: flex; flex-wrap: wrap; gap: 0.4rem 2rem; align-items: end; justify-content: center; }
.beside figure { max-width: 100%; }
.beside figcaption { max-width: 26rem; margin-left: auto; margin-right: auto; }
.tall svg, .tall img { max-height: none; }
table { width: 100%; border-collapse: collapse; font-size: 0.86rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--soft); border-bottom: 1.5px solid var(--ink);
  padding: 0.25rem 0.9rem 0.25rem 0; vertical-align: bottom; }
td { padding: 0.24rem 0.9rem 0.24rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
table.plain { width: auto; border-top: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; white-space: nowrap; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
.group { display: inline-block; width: 0.72em; height: 0.72em; border-radius: 2px; margin-right: 0.4em;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: 0.9em; }
pre { margin: 0.6rem 0; padding: 0.9rem 1rem; background: var(--faint); border-radius: 8px; font-size: 0.76rem;
  line-height: 1.5; white-space: pre-wrap; tab-size: 2; }
@media (max-width: 44rem) {
  main { padding: 1.5rem 1rem; }
  .columns { grid-template-columns: 1fr; }
  section { overflow-x: auto; }
}
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #161b22; --ink: #eef2f7; --soft: #98a2b0; --line: #2a313b; --faint: #1d242d; --accent: #56b4e9;
    --bad: #35191d; --good: #14302a; }
  figure svg { fill: var(--ink); }
  figure > img { background: #fff; padding: 0.5rem; border-radius: 8px; }
  DARK
}
@media print {
  body { font-size: 9.6pt; }
  main { max-width: none; padding: 0; }
  nav { display: none; }
  section { margin-top: 9mm; }
  h1 { font-size: 22pt; } h2 { font-size: 13.5pt; }
  h2, h3, .good, .alert { break-after: avoid; }
  svg, img { max-height: 115mm; }
  pre { padding: 0; background: none; font-size: 7.4pt; }
}
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
{title}
<style>{style}</style>
</head>
<body>
<main>
{content}
</main>
</body>
</html>
"""


def document(kind: str, title: str, summary: str, facts: Sequence[tuple[str, str]], sections: Sequence[Section]) -> str:
    """Write a report as one page that needs nothing else, and runs nothing.

    Parameters
    ----------
    kind : str
        What the report is, above its title.
    title, summary : str
    facts : sequence of (str, str)
        Names and values that stand at its head.
    sections : sequence of Section
    """
    above = [element("p", kind, class_="kicker"), element("h1", title), element("p", summary, class_="summary")]
    head = element("header", joined([*above, _facts(facts), _contents(sections)]))
    parts = [head, *(_numbered(k, section) for k, section in enumerate(sections, 1))]
    name = element("title", f"{title} – {kind}")
    content = joined(parts, "\n")
    return PAGE.format(policy=POLICY, title=name, style=STYLE.replace("DARK", dark_colors(content)), content=content)


def _facts(facts: Sequence[tuple[str, str]]) -> Html:
    cells = (element("div", joined([element("dt", name), element("dd", value)])) for name, value in facts)
    return element("dl", joined(cells), class_="facts")


def _contents(sections: Sequence[Section]) -> Html:
    links = (element("a", f"{k} {section.title}", href=f"#section-{k}") for k, section in enumerate(sections, 1))
    return element("nav", joined(links))


def _numbered(number: int, section: Section) -> Html:
    heading = element("h2", joined([element("span", number, class_="count"), element("span", section.title)]))
    return element("section", joined([heading, section.content]), id=f"section-{number}")


def figure(content: Html, caption: str, tall: bool = False) -> Html:
    """Put a picture and its caption together; a tall one may be as high as it is."""
    return element("figure", joined([content, element("figcaption", caption)]), class_="tall" if tall else "picture")


def titled(title: str, content: Html) -> Html:
    """Put a heading above something, unless it is empty."""
    return joined([element("h3", title), content]) if content else content


def note(text: str) -> Html:
    """Write a remark."""
    return element("p", text, class_="note")
