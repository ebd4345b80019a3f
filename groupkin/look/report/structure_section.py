"""The structure in a report: diagram, graph and the table of the groups."""

from __future__ import annotations

from groupkin.errors import OutputError
from groupkin.look.diagrams.structural_diagram import driven_freedoms
from groupkin.look.drawing import structure_picture
from groupkin.look.markup import Html, element, group_sign, joined, picture
from groupkin.look.report.layout import figure, note
from groupkin.look.report.mechanism_section import listing
from groupkin.look.report.subject import Section, Subject
from groupkin.structure import tables
from groupkin.structure.decomposition import Structure

CAPTIONS = {
    "diagram": "Structural diagram",
    "graph": "Structural graph",
}

WIDEST = 6.5
"""Inches of a picture up to which two fit beside each other."""


def section(subject: Subject) -> Section:
    """Report the structural groups of a mechanism and how they depend on each other."""
    structure = subject.structure
    rows = [
        (group_sign(group.number), *row[1:5], str(driven_freedoms(structure, group)), row[5])
        for group, row in zip(structure.groups, tables.rows(structure), strict=True)
    ]
    columns = (*tables.COLUMNS[:5], "driven", tables.COLUMNS[5])
    joints = [(group_sign(int(row[0])), *row[1:]) for row in tables.joint_rows(structure)]
    remarks = [note(f"Note: {redundancy.text}") for redundancy in structure.redundancies]
    remarks += [note(f"Note: {structure.accepted}")] if structure.accepted else []
    remarks += [
        note(f"Note: group {group.number} ({', '.join(group.bodies)}) {text}")
        for group in structure.groups
        for text in group.notes
    ]
    parts = [
        element("p", "Structural groups are the smallest sets of bodies that can be solved alone, level by level."),
        _pictures(structure),
        listing("Groups", columns, rows, ("level", "driven")),
        listing("Joints of the groups", tables.JOINT_COLUMNS, joints),
        note(tables.LEGEND[0].upper() + tables.LEGEND[1:] + "."),
        *remarks,
    ]
    return Section("Structure", joined(parts))


def _pictures(structure: Structure) -> Html:
    try:
        drawn = {text: structure_picture(structure, kind) for kind, text in CAPTIONS.items()}
    except OutputError as error:  # too many groups
        return note(str(error))
    wide = max(float(each.get_size_inches()[0]) for each in drawn.values()) > WIDEST
    both = joined(figure(picture(each, text), text) for text, each in drawn.items())
    return element("div", both, class_="beside" if wide else "columns")
