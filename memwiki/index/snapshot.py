"""Writing `recall.bin`, from which hooks rank and inject; `recall.snapshot` reads it and says how it is laid out.

The base holds all notes and takes time in their number. What changes later goes to a small `recall.delta` beside it,
until that would hold a tenth of the base. A delta carries its base's stamp, so a new base makes the old delta void.
"""

import secrets
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from pathlib import Path
from struct import Struct

from ..capture.project import normal
from ..config import Config
from ..files import write_atomic
from ..recall.analysis import runs
from ..recall.overview import Row, unpacked
from ..recall.snapshot import HEADER, MAGIC, OUTSIDE, PIN, SECRET, Part, Snapshot, overview_key, path_key
from ..settings import SETTINGS
from ..vault.paths import namespace
from .analysis import Analysis
from .grams import counting
from .overview import packed, row_of

# Content stems of a note, for impacts: a fixed figure, so that they stay right whatever else comes and goes.
_TYPICAL = 100
_LEAST_DELTA = 100  # notes: below that a delta is never too large
_IMPACT = 255  # the highest: what one byte holds
_RECORD, _UNIT = "\x1e", "\x1f"
_USED = tuple(
    f"recall.{name}"
    for name in (
        "max_bytes",
        "notes",
        "guide",
        "mode",
        "proof",
        "path_rules",
        "recap",
        "start_bytes",
        "notice",
        "unreviewed",
    )
)


@dataclass(frozen=True, slots=True)
class Stored:
    """One note as the snapshot keeps it. `hash` is its content hash (`recall.disk.digest`), `text` the whole file.

    `namespace` is `vault.paths.namespace` of the path, or OUTSIDE where hooks may never give the note.
    `mtime_ns` and `size` are the work file's when `text` was read (anything else when it was not on disk).
    """

    path: str
    title: str
    description: str
    type: str
    pin: bool
    namespace: str
    hash: str
    text: str
    mtime_ns: int
    size: int
    analysis: Analysis
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Meta:
    """What a hook must know beside the notes. `vault` and `git_dir` are absolute, `commit` is the tip ("" unborn).

    `folders` maps a folder below `project/` to the keys of the projects it is for; `aliases` are groups of keys of one
    project; `paused` are project keys;
    `unreviewed` maps a note's path to why nobody has reviewed it (see `provenance`);
    `recaps` maps a project's key to its recap, for session starts that give one;
    `pending` counts the candidates that wait for review;
    `closed` are globs of notes in profile, tools and project that hooks may not give, also before a sync has read them;
    `settings` maps (scope, setting) to its value as text, the scope being "", `hosts/NAME` or `projects/KEY`.
    """

    vault: str
    git_dir: str
    branch: str
    commit: str
    folders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    aliases: Sequence[Sequence[str]] = ()
    paused: Sequence[str] = ()
    settings: Mapping[tuple[str, str], str] = field(default_factory=dict)
    pending: int = 0
    recaps: Mapping[str, str] = field(default_factory=dict)
    unreviewed: Mapping[str, str] = field(default_factory=dict)
    closed: Sequence[str] = ()


def settings_of(config: Config) -> dict[tuple[str, str], str]:
    """The settings that a hook reads, for `Meta`; variables of the environment are read by the hook itself."""
    scopes = {"": config.values}
    scopes |= {f"hosts/{name}": values for name, values in config.hosts.items()}
    scopes |= {f"projects/{normal(key)}": values for key, values in config.projects.items()}
    found = {("", key): str(SETTINGS[key].default) for key in _USED if key in SETTINGS}
    return found | {
        (scope, key): str(values[key]) for scope, values in scopes.items() for key in _USED if key in values
    }


def write(path: Path, notes: Iterable[Stored], meta: Meta) -> None:
    """Write the base anew, whole or not at all; what it replaces stays readable to those who have it open.

    Raises OSError and leaves everything as it was.
    """
    entries = sorted(notes, key=_order)
    totals = [len(entries), *_sums(entries)]
    lines = _about(entries, 0)
    overviews, replaced = _overviews(entries)
    lines += replaced
    write_atomic(path, _file(secrets.randbits(63), entries, [], totals, lines + _lines(meta), overviews))
    _delta(path).unlink(missing_ok=True)
    _flag(path, lines, meta)


def update(path: Path, changed: Iterable[Stored], gone: Iterable[str], meta: Meta) -> bool:
    """Bring the snapshot in step by its delta: `changed` notes are new or replaced, those at `gone` are no more.

    In time of the changes alone. False, and nothing done, when there is no base or too much has changed: write it anew.
    """
    try:
        before = Snapshot(str(path))
    except (OSError, ValueError):
        return False
    with closing(before):
        return _update(path, before, changed, gone, meta)


def _update(path: Path, before: Snapshot, changed: Iterable[Stored], gone: Iterable[str], meta: Meta) -> bool:
    base, last, first = before.parts[0][1], before.last, before.parts[0][1].notes
    fresh = {note.path: note for note in changed}
    touched = fresh.keys() | set(gone)
    if last is not base:  # the delta so far
        earlier = [_stored(before, number) for number in range(first, before.numbers)]
        fresh |= {note.path: note for note in earlier if note.path not in touched}
    dead = set(before.gone())
    for name in touched:
        number = base.find(1, b"=" + path_key(name))
        dead |= {int.from_bytes(number, "little")} if number else set()
    if len(fresh) + len(dead) > max(_LEAST_DELTA, first // 10):
        return False
    entries = sorted(fresh.values(), key=_order)
    lost = [_stored(before, number) for number in sorted(dead)]
    about = base.meta
    totals = [int(x) for x in about["totals"][0]]
    for sign, group in ((1, entries), (-1, lost)):
        sums = [len(group), *_sums(group)]
        totals = [total + sign * change for total, change in zip(totals, sums, strict=True)]
    names = {note.path for note in lost}
    lines = [["span", *row] for row in about.get("span", [])]
    lines += [[key, *row] for key in ("pin", "applies") for row in about.get(key, []) if int(row[0]) not in dead]
    lines += [["secret", row[0]] for row in about.get("secret", []) if row[0] not in names]
    lines += _about(entries, first) + [["gone", *map(str, sorted(dead))]] * bool(dead)
    overviews, replaced = _overviews(entries, base, lost)
    others = [row for row in about.get("superseded", []) if namespace(row[0]) not in overviews]
    lines += [["superseded", *row] for row in others] + replaced
    write_atomic(_delta(path), _file(base.stamp, entries, lost, totals, lines + _lines(meta), overviews))
    _flag(path, lines, meta)
    return True


def _delta(path: Path) -> Path:
    return path.with_suffix(".delta")


def _flag(path: Path, lines: list[list[str]], meta: Meta) -> None:
    """Keep the empty file `recall.paths` there while any note belongs to paths: without it tools start no Python."""
    flag = path.with_suffix(".paths")
    wanted = any(value != "off" for (_, key), value in meta.settings.items() if key == "recall.path_rules")
    if wanted and any(line[0] == "applies" for line in lines):
        flag.touch(mode=0o600)
    else:
        flag.unlink(missing_ok=True)


def _order(note: Stored) -> tuple[bool, str, str]:
    return note.secret, note.namespace, note.path  # the notes of a namespace stand together


def _sums(notes: Sequence[Stored]) -> list[int]:
    return [sum(note.analysis.sizes[i] for note in notes) for i in range(4)]


def _stored(snapshot: Snapshot, number: int) -> Stored:
    """A note as it was handed to the writer."""
    note = snapshot.note(number)
    globs = [row[1:] for row in snapshot.rows("applies") if int(row[0]) == number]
    path = note.field(3)
    outside = any(first <= number < end for space, first, end in snapshot.spans() if space == OUTSIDE)
    return Stored(
        path=path,
        title=note.field(4),
        description=note.field(5),
        type=note.field(6),
        pin=bool(note.flags & PIN),
        namespace=OUTSIDE if outside else namespace(path),
        hash=note.field(7),
        text=note.field(8),
        mtime_ns=note.mtime_ns,
        size=note.size,
        analysis=Analysis(note.head, note.stems, note.fold, note.sizes, tuple(globs[0] if globs else ())),
        secret=bool(note.flags & SECRET),
    )


def _about(entries: list[Stored], first: int) -> list[list[str]]:
    """Meta lines about notes that are numbered from `first`: spans of namespaces, pins, paths with a secret."""
    lines = []
    for (secret, name), group in groupby(enumerate(entries, first), key=lambda entry: _order(entry[1])[:2]):
        numbers = [number for number, _ in group]
        if not secret:
            lines.append(["span", name, str(numbers[0]), str(numbers[-1] + 1)])
    lines += [["pin", str(number)] for number, note in enumerate(entries, first) if note.pin and not note.secret]
    for number, note in enumerate(entries, first):
        if note.analysis.applies_to and not note.secret:
            lines.append(["applies", str(number), *note.analysis.applies_to])
    return lines + [["secret", note.path] for note in entries if note.secret]


def _lines(meta: Meta) -> list[list[str]]:
    return [
        ["vault", meta.vault],
        ["git", meta.git_dir],
        ["branch", meta.branch],
        ["commit", meta.commit],
        ["pending", str(meta.pending)],
        *(["folder", folder, *keys] for folder, keys in meta.folders.items()),
        *(["same", *keys] for keys in meta.aliases),
        *(["unreviewed", path, kind] for path, kind in meta.unreviewed.items()),
        *(["paused", key] for key in meta.paused),
        *(["closed", glob] for glob in meta.closed),
        *(["recap", key, text] for key, text in meta.recaps.items()),
        *(["setting", scope, key, value] for (scope, key), value in meta.settings.items()),
    ]


def _overviews(
    entries: list[Stored], base: Part | None = None, lost: Sequence[Stored] = ()
) -> tuple[dict[str, bytes], list[list[str]]]:
    """The overviews of the namespaces that a session's start gives; of a delta, those that differ from its base's.

    And the meta lines of their notes that others have replaced.
    """
    fresh: defaultdict[str, list[Row]] = defaultdict(list)
    for note in entries:
        row = None if note.secret else row_of(note)
        if row:
            fresh[note.namespace].append(row)
    gone = {note.path for note in lost}
    fewer = Counter(note.namespace for note in lost if not note.secret and row_of(note))
    packs: dict[str, bytes] = {}
    replaced: list[list[str]] = []
    for name in fresh.keys() | fewer.keys():
        if name not in ("tools", "profile") and not name.startswith("project/"):
            continue
        before = base.find(1, overview_key(name)) if base else None
        total, rows = unpacked(before) if before else (0, [])
        rows = [row for row in rows if row.path not in gone] + fresh[name]
        packs[name] = packed(rows, total - fewer[name] + len(fresh[name]))
        replaced += [["superseded", row.path, row.newer] for row in rows if row.newer]
    return packs, replaced


def _file(
    stamp: int,
    entries: list[Stored],
    lost: list[Stored],
    totals: list[int],
    lines: list[list[str]],
    overviews: Mapping[str, bytes],
) -> bytes:
    """The bytes of a base (nothing `lost`) or of a delta, whose counts are less by the base's `lost` notes."""
    postings, heads, small = _tally(entries)
    notes = Counter({stem: len(found) for stem, found in postings.items()})
    if lost:
        fewer, fewer_heads, fewer_small = _tally(lost)
        notes.subtract({stem: len(found) for stem, found in fewer.items()})
        heads.subtract(fewer_heads)
        small.subtract(fewer_small)
    terms, pair = [], Struct("<ii").pack
    for stem, count in notes.items():
        best = sorted(postings.get(stem, ()), key=_IMPACT.__and__, reverse=True)  # equal ones stay by number
        terms.append((stem.encode(), pair(count, heads[stem]) + array("I", best).tobytes()))
    words = sorted(stem for stem in postings if len(stem) > 2 and not runs(stem[0]) and not stem.isdecimal())
    trigrams: dict[str, array[int]] = {}
    for number, word in enumerate(words):
        own = {f"^{word}"[i : i + 3] for i in range(len(word) - 1)}
        for gram in own:
            trigrams.setdefault(gram, array("I")).append(number << 6 | min(63, len(own)))
    entry = [(key.encode(), count.to_bytes(4, "little", signed=True)) for key, count in small.items()]
    entry += [(b"%" + gram.encode(), numbers.tobytes()) for gram, numbers in trigrams.items()]
    entry += [(overview_key(name), pack) for name, pack in overviews.items()]
    entry += [(b"=" + path_key(note.path), number.to_bytes(4, "little")) for number, note in enumerate(entries)]
    text = _RECORD.join(_UNIT.join(map(_plain, line)) for line in [["totals", *map(str, totals)], *lines])
    term_slots, entry_slots = _prime(len(terms)), _prime(len(entry))
    sections = [
        *_table(terms, term_slots),
        *_table(entry, entry_slots),
        *_items([word.encode() for word in words]),
        *_items([_record(note) for note in entries]),
        text.encode("utf-8", "replace"),
    ]
    offsets, at = [], HEADER
    for section in sections:
        offsets.append(at)
        at += len(section)
    header = [MAGIC, at, stamp, len(entries), term_slots, entry_slots, *offsets, len(sections[-1])]
    return array("Q", header).tobytes() + b"".join(sections)


def _tally(notes: list[Stored]) -> tuple[dict[str, list[int]], Counter[str], Counter[str]]:
    """Postings of the content stems, and how many of `notes` have each head stem and each small entry."""
    postings: defaultdict[str, list[int]] = defaultdict(list)
    heads, small = Counter[str](), Counter[str]()
    with counting([note.analysis.fold for note in notes]) as grams:
        for number, note in enumerate(notes):
            one = note.analysis
            content, all_words = one.sizes[0], one.stems[1:-1].split("; ") if one.stems else []
            length = 1.6 * (0.25 + 0.75 * content / _TYPICAL)
            once = number << 8 | round(_IMPACT / (1 + length))  # most stems are there once
            for stem, times in Counter(all_words[:content]).items():
                postings[stem].append(once if times == 1 else number << 8 | round(_IMPACT * times / (times + length)))
            if one.head:
                heads.update(set(one.head[1:-1].split("; ")))
            small.update({f"~{word}" for word in all_words[content:]})
        small.update({f"g{gram}": count for gram, count in grams().items()})
    return postings, heads, small


def _record(note: Stored) -> bytes:
    """One note, for `recall.snapshot.Note`."""
    one = note.analysis
    texts = (one.head, one.stems, one.fold, note.path, note.title, note.description, note.type, note.hash, note.text)
    fields = [text.encode("utf-8", "replace") for text in texts]
    mtime, flags = max(0, note.mtime_ns), SECRET * note.secret | PIN * note.pin
    numbers = [*one.sizes, flags, max(0, note.size) & 0xFFFFFFFF, mtime >> 32, mtime & 0xFFFFFFFF, *map(len, fields)]
    return array("I", numbers).tobytes() + b"".join(fields)


def _plain(text: str) -> str:
    return text.replace(_RECORD, "?").replace(_UNIT, "?")


def _prime(least: int) -> int:
    """An odd number of slots without small factors: keys are numbers, taken modulo it."""
    number = max(3, least | 1)
    while any(number % factor == 0 for factor in range(3, int(number**0.5) + 1, 2)):
        number += 2
    return number


def _table(entries: list[tuple[bytes, bytes]], slots: int) -> tuple[bytes, bytes]:
    """Directory and slots of a hash table."""
    filled: list[list[bytes]] = [[] for _ in range(slots)]
    head = Struct("<BI").pack
    for key, value in entries:
        filled[int.from_bytes(key, "little") % slots].append(head(len(key), len(value)) + key + value)
    return _items([b"".join(slot) for slot in filled], "I")


def _items(items: list[bytes], code: str = "Q") -> tuple[bytes, bytes]:
    """Offsets (one more than there are items) and the items."""
    return array(code, accumulate(map(len, items), initial=0)).tobytes(), b"".join(items)
