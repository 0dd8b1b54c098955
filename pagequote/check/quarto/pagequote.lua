-- Hands the document to `pagequote filter`, which judges its quotations.
function Pandoc(doc)
  return pandoc.utils.run_json_filter(doc, "pagequote", {"filter", FORMAT})
end
