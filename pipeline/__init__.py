"""PDFs to a corpus: extract, embed, publish."""

import lookup  # noqa: F401  # it says that onnxruntime tells nobody, before PyMuPDF loads that
