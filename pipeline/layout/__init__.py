"""Lines to paragraphs in reading order, each with its kind and section: pure functions over lines.

`paragraphs` runs the steps in this order:

    direction         pages whose text runs sideways, downwards or leftwards are read as if rightwards
                      (`vertical_writing`; two printed pages on a sheet as two: pipeline.pdf.sheets)
    furniture         running heads, page numbers, readings above characters are set aside
    page_columns      the strips of white that run down each page are found, by its fragments
    line_merging      fragments become printed lines, never across a gutter of this page or of those around it
    zones             tables, figures and boxes stand apart from running text (`captions`)
    reading_order     each page's lines as columns in reading order, at either side of its strips of white
    footnotes         notes at the foot of a column, in the margin or at the end become columns of their own
    line_features     what is known of each line and the one above it becomes columns of numbers, and labels;
                      what a line is by itself is known to all steps, from the first on
    measures          font size, font, line width and pitch of the document
    paragraph_breaks  columns become paragraphs
    run_in            run-in headings are split off (`boilerplate`)
    kinds             body, heading, caption, reference, ... (`headings`, `boilerplate`, `captions`)
    stitching         halves of paragraphs across columns, pages and figures are joined

Paragraphs carry labels (`printed_paragraph.Label`): their kind, how they begin, and the marks of their lines,
each with the rule or the table that gave it; `pagequote show --paragraphs` prints them.

A page on which a step fails is kept as its lines. `sections` then says under which heading each
paragraph stands, when its text is clean.

The comment beside a constant ends with what 0.8 and 1.25 times its value gain on the shared papers; "flat" is
less than .003 of a measure or one caption (benchmarks/results/layout_thresholds.md).
"""

from pipeline.layout.paragraphs import LaidOut, find_paragraphs, lay_out
from pipeline.layout.printed_paragraph import PrintedParagraph

__all__ = ["LaidOut", "PrintedParagraph", "find_paragraphs", "lay_out"]
