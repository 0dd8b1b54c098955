"""What a corpus tells about its papers, their pages and sections."""

import json

NIGHT = "lindqvist2019"


def test_papers_are_all_there_in_order_of_their_keys(corpus):
    listed = corpus.papers()
    keys = [key for (key,) in corpus.sql("SELECT key FROM papers ORDER BY key").fetchall()]
    assert [paper.key for paper in listed] == keys
    assert corpus.papers(limit=2, offset=1) == listed[1:3]
    assert corpus.papers(limit=0) == ()
    assert all(paper.covered and paper.pages and paper.paragraphs for paper in listed)
    assert json.loads(json.dumps(listed[0].to_dict()))["key"] == listed[0].key


def test_words_are_looked_for_in_all_that_names_a_paper(corpus):
    paper = corpus.paper(NIGHT)
    author = paper.authors[0].split()[0].strip(",")
    for words in (NIGHT, author.upper(), f"{paper.year} {author}", paper.title.lower()):
        assert paper in corpus.papers(words), words
    assert corpus.papers(f"{author} 1066") == ()
    assert corpus.papers("%") == ()  # a word, not a pattern


def test_accents_do_not_matter_in_names(corpus):
    accented = {
        word
        for paper in corpus.papers()
        for author in paper.authors
        for word in author.split()
        if not word.isascii()
    }
    for word in accented:
        plain = corpus.sql("SELECT strip_accents(?)", [word]).fetchone()[0]
        assert corpus.papers(plain) == corpus.papers(word) != ()


def test_an_outline_names_each_heading_where_it_stands(corpus):
    outline = corpus.outline(NIGHT)
    assert len(outline) > 2
    document = corpus.document(NIGHT)
    for section in outline:
        assert section.section_title in document[section.cursor : section.cursor + 200]
        assert section.section_title in corpus.page(NIGHT, section.page)
        parts = (section.section_number or "").rstrip(".").count(".")
        assert section.level == parts + 1
    assert [section.cursor for section in outline] == sorted(section.cursor for section in outline)
