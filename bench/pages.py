"""Page times and memory of the club: `make pages`.

Twenty players answer at three tables while a hundred watchers listen to the first one's events.
Each page is asked for as a browser without cache would; what a watcher waits is from an answer's
acknowledgement to the event that tells of it.  Client and server share the machine, so times are
those of a laptop that does both.
"""

from __future__ import annotations

import argparse
import http.client
import re
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.served import Forms, Server, Visitor, fill, serving

WATCHERS = 100
WARS: tuple[dict[str, Any], ...] = (
    {
        "system": "atlantide",
        "seats": 9,
        "people": {s: f"at-{s}" for s in "ABCDEFGHI"},
        "public": True,
    },
    {"system": "atlantide", "seats": 9, "people": {s: f"is-{s}" for s in "ABCDEFGHI"}},
    {"system": "batailles", "seats": 2, "people": {"A": "ba-A", "B": "ba-B"}},
)


class Watcher(threading.Thread):
    """One open stream; notes when each event came."""

    def __init__(self, server: Server, code: str, cookies: dict[str, str]) -> None:
        super().__init__(daemon=True)
        self.server, self.code, self.cookies = server, code, cookies
        self.heard: list[float] = []

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request("GET", f"/events/{self.code}/", headers={"Cookie": cookie})
        stream = connection.getresponse()
        while line := stream.readline():
            if line.startswith(b"data:"):
                self.heard.append(time.perf_counter())


class Player(threading.Thread):
    """Looks at his page and answers, again and again; notes how long each took."""

    def __init__(self, visitor: Visitor, path: str, until: float) -> None:
        super().__init__(daemon=True)
        self.visitor, self.path, self.until = visitor, path, until
        self.pages: list[float] = []
        self.answers: list[float] = []
        self.acknowledged: list[float] = []

    def run(self) -> None:
        while time.perf_counter() < self.until:
            start = time.perf_counter()
            status, page, _ = self.visitor.get(self.path)
            self.pages.append(time.perf_counter() - start)
            assert status == 200, status
            asked = [fields for action, fields in Forms(page).forms if action.endswith("/answer/")]
            fresh = [fields for fields in asked if not dict(fields).get("standing")]
            if fresh:
                start = time.perf_counter()
                status, _, _ = self.visitor.post(self.path + "answer/", [*fresh[0], ("do", "seal")])
                self.answers.append(time.perf_counter() - start)
                if status == 303:
                    self.acknowledged.append(time.perf_counter())
            time.sleep(1)


def memory(pid: int) -> int:
    """Resident memory of a process, MiB; 0 where the system does not say."""
    try:
        said = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", said)
    return int(found.group(1)) // 1024 if found else 0


def shown(name: str, times: list[float]) -> None:
    """One line: median, the slowest in a hundred, how many."""
    if times:
        ordered = sorted(times)
        last = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
        print(
            f"{name:28} p50 {statistics.median(ordered) * 1000:7.0f} ms   p99 {last * 1000:7.0f} ms   n {len(ordered)}"
        )


def main() -> None:
    """Measure for some seconds and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=30)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        made: Any = fill(data, *WARS)
        with serving(data, "--no-demo") as server:
            assert server.process is not None
            print(f"memory after start           {memory(server.process.pid)} MiB")
            first, people = made["campaigns"][0], made["people"]
            watchers = [Watcher(server, first, people["is-A"]) for _ in range(WATCHERS)]
            for watcher in watchers:
                watcher.start()
            alone = Visitor(server, people["at-A"])
            for path in (
                f"/c/{first}/seat/A/",
                f"/c/{first}/chronicle/",
                f"/c/{first}/trust/",
                "/",
                "/rules/",
                "/consult/",
            ):
                alone.get(path)
                times = []
                for _ in range(10):
                    start = time.perf_counter()
                    alone.get(path)
                    times.append(time.perf_counter() - start)
                shown(re.sub(first, "…", path), times)
            until = time.perf_counter() + seconds
            players = [
                Player(Visitor(server, people[name]), f"/c/{code}/seat/{seat}/", until)
                for war, code in zip(WARS, made["campaigns"], strict=True)
                for seat, name in war["people"].items()
            ]
            for player in players:
                player.start()
            for player in players:
                player.join()
            shown("a seat's page, 20 players", [t for p in players for t in p.pages])
            shown("an answer, 20 players", [t for p in players for t in p.answers])
            told = [t for p in players if f"/{first}/" in p.path for t in p.acknowledged]
            waits = [
                min((heard - t for heard in watcher.heard if heard >= t), default=seconds)
                for watcher in watchers
                for t in told
            ]
            shown("a watcher hears of it, 100", waits)
            print(f"memory at the end            {memory(server.process.pid)} MiB")


if __name__ == "__main__":
    main()
