"""Merge conflicts that nobody has resolved yet: a stash pop, a merge that was committed as it was."""


def conflict_line(text: str) -> int:
    """The line (from 1) of the first marker of a merge conflict in `text`; 0 when there is none.

    Markers stand at the start of a line, so an example in a note is kept by indenting it. `=======` alone underlines a
    heading.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return 0
    divided = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("<<<<<<< ") or (divided and line.startswith(">>>>>>> ")):
            return number
        divided = divided or line == "======="
    return 0
