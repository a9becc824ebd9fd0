"""What can be wrong with memwiki while a client runs: nothing of it may be felt by the client."""

import json
import shutil
import subprocess
import threading

import memwiki

FAULTS = ["hook gone", "home gone", "home read-only", "recall.bin garbage", "exit 1", "exit 2", "stall", "32 at once"]


def broken(memory: memwiki.Memory, fault: str) -> None:
    """Bring the fault about."""
    place = memory.home
    if fault == "hook gone":
        (place.bin / "hook").unlink()
    elif fault == "home gone":
        shutil.rmtree(place.path)
    elif fault == "home read-only":  # for root, too, whom rights do not hold
        for folder in (place.spool, place.delivered, place.log):
            shutil.rmtree(folder)
            folder.write_text("not a folder")
        place.path.chmod(0o500)
    elif fault == "recall.bin garbage":
        place.snapshot.write_bytes(b"\xff" * 100_000)
    elif fault == "stall":
        (place.bin / "hook").write_text("#!/bin/sh\nexec sleep 7\n")
    elif fault.startswith("exit"):
        (place.bin / "hook").write_text(f"#!/bin/sh\ncat >/dev/null\necho broken >&2\n{fault}\n")


class busy:
    """Thirty-two hooks of another agent's at once, again and again, for as long as the block runs."""

    def __init__(self, memory: memwiki.Memory) -> None:
        self.hook, self.over = memory.home.bin / "hook", threading.Event()
        self.thread = threading.Thread(target=self.crowd)

    def crowd(self) -> None:
        """Rounds of 32."""
        while not self.over.is_set():
            calls = [subprocess.Popen([self.hook, "claude", "PostToolUse"], stdin=subprocess.PIPE) for _ in range(32)]
            for number, call in enumerate(calls):
                call.communicate(json.dumps({"session_id": "crowd", "tool_use_id": str(number)}).encode())
            self.over.wait(0.3)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()
