"""The remedy for each reason of a failure."""

WHAT_TO_DO = {
    "missing file": "Put the file there, or correct the entry of the .bib.",
    "unreadable": "Make the file readable.",
    "unreadable name": "Rename the file; its name is not UTF-8.",
    "empty file": "Fetch the file again.",
    "duplicate key": "Rename one of the files, or give each its own key in a .bib.",
    "duplicate entry": "Keep one of the .bib's entries.",
    "broken entry": "Correct the entry of the library.",
    "no PDF": "No failure: add the PDFs of these entries, if you want to quote them.",
    "added": "The library has it, too: pagequote add --remove KEY.",
    "not a PDF": "Fetch the PDF itself; this is often a sign-in page.",
    "no pages": "Fetch the PDF again, or repair it (mutool clean, qpdf).",
    "damaged": "Fetch the file again, or repair it (a PDF with mutool clean or qpdf).",
    "unknown format": "Leave it out: of XML, articles in JATS and TEI are read.",
    "no text": "Fetch the whole text, or leave it out.",
    "other text": "Rename or remove the XML beside the PDF, or put the right one there.",
    "password": "Save it without a password, with qpdf --decrypt for example.",
    "timeout": "Give it more time with --deadline, or leave it out.",
    "memory": "Give it more with --memory, or leave it out.",
    "crash": "Repair the PDF (mutool clean, qpdf), or leave it out.",
    "changed": "Nothing: the next build reads it.",
    "ocr": "Mend the installation of Tesseract, or build with --ocr off.",
    "ocr timeout": "Nothing: the next build tries the pages again. The other pages are in the release.",
    "layout": "Report it, with the PDF if you may. The page is in the release as its lines.",
    "error": "Report it, with the PDF if you may.",
}
"""By reason, in the order in which a person would try them."""
