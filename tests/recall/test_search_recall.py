"""`memwiki search`, `memwiki recall` and its stream, as a person or a program runs them."""

import json
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest
from recall_place import CASES, Place, note

from memwiki.config import change
from memwiki.recall.explain import explain, search

Run = Callable[..., CompletedProcess[str]]
QUERIES = [line.split("\t") for line in (CASES / "54-search-query-syntax/queries.tsv").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def syntax(module_place) -> Place:
    """The vault of case 54."""
    return module_place(CASES / "54-search-query-syntax/vault")


@pytest.mark.parametrize(("query", "wanted"), QUERIES)
def test_case_54_queries_are_words(syntax: Place, query: str, wanted: str) -> None:
    found = [hit.path for hit in search(syntax.home, query)]
    if wanted == "-":
        assert found == []
    elif wanted != "?":
        assert f"{wanted}.md" in found[:3]


def test_case_54_the_command_takes_any_query(syntax: Place, run: Run) -> None:
    env = {"MEMWIKI_HOME": str(syntax.home.path)}
    for query in ("-", "NEAR(a b)", "'; DROP TABLE notes;--", "*", "", "%s"):
        done = run("search", query, env=env)
        assert done.stderr == ""
    found = json.loads(run("search", "C++", "--json", "--limit", "1", env=env).stdout)
    (hit,) = found["results"]
    assert set(hit) == {"path", "title", "type", "score", "snippet"}
    assert (hit["path"], hit["title"], hit["type"]) == ("cpp.md", "C++ build", "fact")
    assert "foo.bar() in C++ builds" in hit["snippet"]
    assert json.loads(run("search", "zzz", "--json", env=env).stdout) == {"results": []}
    assert "No note has these words." in run("search", "zzz", env=env).stdout


@pytest.mark.parametrize("query", ["builds " * 25_000, " ".join(f"w{n}" for n in range(5000)) + " builds"])
def test_case_54_huge_queries(syntax: Place, query: str) -> None:
    assert search(syntax.home, query)[0].path == "cpp.md"


def test_search_keeps_to_a_prefix_a_type_and_a_limit(place, run: Run) -> None:
    notes = {f"project/shop/n{n}.md": note(f"The kestrel has port {n}.", type="fact") for n in range(40)}
    notes["tools/kestrel.md"] = note(
        "The kestrel is a bird, says a long line. " * 9 + "Port 99 it is.", type="decision"
    )
    here = place(notes)
    everything = run("search", "kestrel port", "--limit", "41").stdout
    assert everything.count(".md  ") == 41
    assert len(search(here.home, "kestrel port", within="project/shop/n1", limit=40)) == 11
    only = search(here.home, "kestrel port", type="decision")
    assert [hit.path for hit in only] == ["tools/kestrel.md"] and len(only[0].snippet) <= 160
    assert search(here.home, "kestrel", within="nowhere") == []


def test_search_finds_what_is_private_to_the_person(place) -> None:
    token = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    here = place({"tools/a.md": note(f"The kestrel token is {token}."), "persona/x/b.md": note("The kestrel of x.")})
    found = search(here.home, "kestrel")
    assert {hit.path for hit in found} == {"tools/a.md", "persona/x/b.md"}
    assert not any(token[:12] in hit.snippet for hit in found)


@pytest.mark.parametrize("content", [None, b"garbage"])
def test_a_snapshot_that_is_missing_or_broken_is_written_before_the_answer(
    place, run: Run, content: bytes | None
) -> None:
    here = place({"tools/a.md": note("kestrel")})
    here.home.snapshot.unlink()
    if content is not None:
        here.home.snapshot.write_bytes(content)
    for verb in ("search", "recall"):
        assert "tools/a.md" in run(verb, "kestrel").stdout


def test_recall_says_why_each_note_is_in_or_out(place, run: Run) -> None:
    token = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    here = place(
        {
            "tools/proxy.md": note("The staging proxy listens on port 8443.", "Staging proxy", type="fact"),
            "tools/secret.md": note(f"The staging proxy token is {token}.", "Token of the staging proxy"),
            "project/other/proxy.md": note("The staging proxy of another port.", "Theirs"),
            "tools/lantern.md": note("The lantern port is closed.", "Lantern"),
        }
    )
    prompt = "which port does the staging proxy listen on?"
    said = json.loads(run("recall", prompt, "--json").stdout)
    assert said["host"] == "claude" and said["text"] == here.ask(prompt)
    why = {row["path"]: (row["inject"], row["why"]) for row in said["notes"]}
    assert why["tools/proxy.md"] == (True, "relevant")
    assert why["tools/secret.md"] == (False, "holds what looks like a secret")
    assert why["project/other/proxy.md"] == (False, "is for others")
    assert why["tools/lantern.md"][0] is False
    table = run("recall", prompt).stdout
    assert "in   tools/proxy.md" in table and "This is what the agent would be given." in table and "8443" in table
    assert "The prompt has no words to look for." in run("recall", "👍").stdout
    assert "No word of the prompt is in the memory." in run("recall", "xylophone").stdout
    assert run("recall", check=False).returncode == 2


def test_recall_explains_what_does_not_fit_and_what_is_gone(place, run: Run) -> None:
    here = place(
        {f"tools/proxy-{n}.md": note(f"The staging proxy {n} has port 80{n}. " + "x " * 300) for n in range(3)}
    )
    (here.vault / "tools/proxy-0.md").unlink()
    change(here.home, "recall.max_bytes", 1000)
    here.sync()
    here.write("tools/proxy-0.md", "The staging proxy")
    (here.vault / "tools/proxy-0.md").unlink()
    said = json.loads(run("recall", "which port has the staging proxy 1?", "--json").stdout)
    why = {row["path"]: row["why"] for row in said["notes"]}
    assert why == {"tools/proxy-1.md": "relevant", "tools/proxy-2.md": "does not fit: a card only"}


def test_the_stream_answers_line_by_line_as_the_hook_would(place, run: Run) -> None:
    here = place(
        {
            "tools/proxy.md": note("The staging proxy listens on port 8443.", "Staging proxy"),
            "tools/lantern.md": note("The lantern port is closed.", "Lantern"),
        }
    )
    asked = [
        {"query": "which port does the staging proxy listen on?", "k": 5},
        {"query": "ok, run the tests", "k": 5},
        {"query": "port", "k": 1},
    ]
    lines = [json.dumps(asked[0]), "no json", json.dumps(asked[1]), json.dumps(asked[2]), '{"k": 1}', "[]"]
    answers = [
        json.loads(line) for line in run("recall", "--stream", input="\n".join(lines) + "\n").stdout.splitlines()
    ]
    assert len(answers) == len(lines)
    first, bad, talk, port, missing, lists = answers
    assert first["results"][0] | {"score": 0} == {
        "path": "tools/proxy.md",
        "title": "Staging proxy",
        "score": 0,
        "inject": True,
    }
    assert "8443" in here.ask(asked[0]["query"])
    assert not any(row["inject"] for row in talk["results"])
    assert len(port["results"]) == 1
    assert all("error" in answer and answer["results"] == [] for answer in (bad, missing, lists))


ALIASES = {
    "brackets": "aliases: [CI, Buildkite, build farm]",
    "lines": "aliases:\n  - Buildkite\n  - farm",
    "commas": "aliases: farm, Buildkite",
    "alone": "aliases: Buildkite",
    "older": "alias: Buildkite",
}


@pytest.mark.parametrize("form", ALIASES)
def test_case_79_an_alias_finds_the_note(place, form: str) -> None:
    here = place(
        {
            "tools/ci.md": f"---\ntitle: Continuous integration\n{ALIASES[form]}\nzettel: n4711\n---\nSpot machines.\n",
            **{f"tools/fruit-{n}.md": note(f"Fruit {n} is sold.", f"Fruit {n}") for n in range(3)},
            "tools/queue.md": note("Queues are long. Some plans mention Buildkite.", "Queues"),
        }
    )
    # The alias weighs as a title does: more than the same word in a body.
    assert [hit.path for hit in search(here.home, "Buildkite")] == ["tools/ci.md", "tools/queue.md"]
    assert "Spot machines" in here.ask("why is Buildkite slow today?")
    assert search(here.home, "n4711") == []


@pytest.mark.parametrize(
    ("head", "query"),
    [
        ("title: Will", "Will"),
        ("title: Will", "who is Will?"),
        ("title: NO", "no"),
        ("title: The The", "the the"),
        ("tags: [NO]", "NO"),
        ("tags: IT", "it"),
        ("tags: [IT, law]", "ask the IT"),
        ("aliases: US", "us"),
        ("title: null", "null"),
        ("title: 2024", "2024"),
        ("title: [zebra]", "zebra"),
        ("title: true", "true"),
    ],
)
def test_names_are_found_whatever_yaml_or_the_stop_words_make_of_them(place, head: str, query: str) -> None:
    here = place(
        {
            "tools/a.md": f"---\n{head}\n---\nLaptops come from the depot.\n",
            "tools/b.md": note("What no one is to do.", "Rules"),
        }
    )
    assert [hit.path for hit in search(here.home, query)] == ["tools/a.md"]
    assert [one.path for one in explain(here.home, query).notes] == ["tools/a.md"]


def test_a_capital_asks_for_a_name_that_is_a_stop_word_and_talk_does_not(place) -> None:
    here = place({"tools/will.md": note("Reviews on Fridays.", "Will"), "tools/b.md": note("Pears.", "Fruit")})
    assert "Fridays" in here.ask("who is Will?")
    assert here.ask("what will it do to us") == ""
    assert here.ask("Will it do that") == ""
