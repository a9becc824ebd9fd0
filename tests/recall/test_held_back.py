"""What is never given although it lies in the vault: file syncs' conflict copies and unresolved merges."""

from collections.abc import Callable

import pytest
from recall_place import Place, note

RULE = "Use {}, never npm, to install dependencies in the storefront."
ASK = "install the dependencies of the storefront with npm"
CONFLICT = "{}\n<<<<<<< Updated upstream\n- port 8443\n=======\n- port 9443\n>>>>>>> Stashed changes\n"


def both(here: Place, session: str) -> str:
    """What a start and a prompt are given together."""
    return here.hook("SessionStart", source="startup", session_id=session) + here.ask(ASK, session=session)


@pytest.mark.parametrize("synced", [True, False])
def test_case_62_a_conflict_copy_is_not_given(place: Callable[..., Place], synced: bool) -> None:
    here = place({"tools/pnpm.md": note(RULE.format("pnpm"), "pnpm"), "profile/lang.md": note("English.", "Language")})
    here.write("tools/pnpm.sync-conflict-20261120-101112-ABCDEF7.md", note(RULE.format("yarn"), "yarn"))
    here.write("profile/lang (Ana's conflicted copy 2026-11-20).md", note("German.", "Language"))
    if synced:
        here.sync()
    said = both(here, "s")
    assert "pnpm" in said and "English." in said
    assert "yarn" not in said and "German." not in said


@pytest.mark.parametrize("committed", [True, False])
def test_an_unresolved_merge_is_not_given(place: Callable[..., Place], committed: bool) -> None:
    rule = RULE.format("pnpm")
    here = place({"tools/pnpm.md": note(rule, "pnpm"), "profile/me.md": note("I am Ada.", "Me")})
    here.write("tools/pnpm.md", CONFLICT.format(rule))
    here.write("profile/me.md", CONFLICT.format("I am Ada."))
    if committed:
        here.git("commit", "-qam", "committed as it was")
    here.sync()
    said = both(here, "s")
    assert "8443" not in said and "9443" not in said and "<<<<" not in said
    here.write("tools/pnpm.md", note(f"{rule}\n\nA heading\n=======", "pnpm"))
    here.sync()
    assert "pnpm" in both(here, "resolved")
