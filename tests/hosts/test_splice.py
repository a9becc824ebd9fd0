"""Edits in JSON text: what was not edited keeps its bytes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.hosts.splice import Broken, appended, cut, nodes, parse, replaced

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
INDENTS = st.sampled_from([None, 0, 1, 2, 4, "\t"])


@given(VALUES, INDENTS, st.booleans())
def test_reads_what_json_reads(value: Any, indent: Any, windows: bool) -> None:
    text = json.dumps(value, indent=indent)
    text = "\ufeff \n" + text.replace("\n", "\r\n" if windows else "\n") + "\n"
    root = parse(text)
    assert root.value == value
    for node in nodes(root):
        assert json.loads(text[node.start : node.end]) == node.value


@given(VALUES, VALUES, INDENTS, st.booleans(), st.data())
def test_an_append_can_be_cut_again(value: Any, new: Any, indent: Any, windows: bool, data: st.DataObject) -> None:
    text = json.dumps({"a": [], "b": {"c": value}, "d": [value]}, indent=indent)
    text = text.replace("\n", "\r\n") if windows else text
    root = parse(text)
    places = [node for node in nodes(root) if isinstance(node.value, dict | list)]
    place = data.draw(st.sampled_from(places))
    key = "new key" if isinstance(place.value, dict) else ""
    index = places.index(place)
    longer = appended(text, place, new, key)
    wanted = [node for node in nodes(parse(longer)) if isinstance(node.value, dict | list)][index]
    assert wanted.value == ({**place.value, key: new} if key else [*place.value, new])
    assert longer.startswith(text[: place.start])
    assert longer.endswith(text[place.end :])
    back = cut(longer, wanted, len(wanted.items) - 1)
    if place.items:
        assert back == text
    else:
        assert parse(back).value == parse(text).value


@given(VALUES, INDENTS, st.data())
def test_cutting_any_child_leaves_the_rest(value: Any, indent: Any, data: st.DataObject) -> None:
    text = json.dumps([value, {"k": value, "l": 1}], indent=indent)
    places = [node for node in nodes(parse(text)) if node.items]
    place = data.draw(st.sampled_from(places))
    index = data.draw(st.integers(0, len(place.items) - 1))
    shorter = cut(text, place, index)
    found = parse(shorter[: place.start] + shorter[place.start :])
    rest = next(node for node in nodes(found) if node.start == place.start and isinstance(node.value, dict | list))
    if place.keys:
        assert rest.value == {key: one for n, (key, one) in enumerate(place.value.items()) if n != index}
    else:
        assert rest.value == [one for n, one in enumerate(place.value) if n != index]


def test_style_is_taken_from_the_neighbours() -> None:
    tabbed = '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'
    assert appended(tabbed, parse(tabbed), [1], "c") == '{\n\t"a": {\n\t\t"b": 1\n\t},\n\t"c": [\n\t\t1\n\t]\n}\n'
    line = '{"a": 1}'
    assert appended(line, parse(line), [1], "c") == '{"a": 1, "c": [1]}'
    windows = '{\r\n   "a": 1\r\n}'
    assert appended(windows, parse(windows), [1], "c") == '{\r\n   "a": 1,\r\n   "c": [\r\n      1\r\n   ]\r\n}'
    assert appended("{}", parse("{}"), 1, "c") == '{\n  "c": 1\n}'
    deep = '{\n    "a": [\n        {"x": 1}\n    ]\n}'
    inside = parse(deep).items[0]
    assert (
        appended(deep, inside, {"y": 2})
        == '{\n    "a": [\n        {"x": 1},\n        {\n            "y": 2\n        }\n    ]\n}'
    )
    assert replaced(deep, inside.items[0], 7) == '{\n    "a": [\n        7\n    ]\n}'


def test_comments_stay_where_they_were() -> None:
    text = '// top\n{\n  "a": 1, // one\n  /* two */ "b": 2 // last\n  // end\n}\n'
    root = parse(text, comments=True)
    assert root.value == {"a": 1, "b": 2}
    longer = appended(text, root, 3, "c", comments=True)
    assert longer == '// top\n{\n  "a": 1, // one\n  /* two */ "b": 2, // last\n  "c": 3\n  // end\n}\n'
    assert cut(longer, parse(longer, comments=True), 2, comments=True) == text
    trailing = '{\n  "a": [1, 2,],\n}\n'
    longer = appended(trailing, parse(trailing, comments=True), 3, "c", comments=True)
    assert longer == '{\n  "a": [1, 2,],\n  "c": 3,\n}\n'
    assert cut(longer, parse(longer, comments=True), 1, comments=True) == trailing
    only = "{\n  // nothing yet\n}"
    longer = appended(only, parse(only, comments=True), 1, "a", comments=True)
    assert parse(longer, comments=True).value == {"a": 1}
    assert "// nothing yet\n" in longer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ('{\n"a": 1\n"b": 2}', 3),
        ('{"a": 1,\n}', 2),
        ("[1,\r\n2\r\n", 3),
        ('{"a"\n 1}', 2),
        ("{1: 2}", 1),
        ('{"a": tru}', 1),
        ('{"a": 01}', 1),
        ('{"a": "\n"}', 1),
        ('{"a": 1}\n\n{}', 3),
        ('{\n// no\n"a": 1}', 2),
        ("[" * 100_000, 1),
    ],
)
def test_a_broken_text_names_its_line(text: str, line: int) -> None:
    with pytest.raises(Broken) as caught:
        parse(text)
    assert caught.value.line == line


def test_the_last_of_two_keys_counts() -> None:
    text = '{"hooks": 1, "hooks": {"a": 2}}'
    found = parse(text).get("hooks")
    assert found is not None
    assert found.value == {"a": 2}
