"""A small client for Cambium: memory for AI agents, versioned like code.

One file, Python 3.9 or later, nothing but the standard library. It talks to the daemon of this
device; see docs/http.md for what it can be asked. `python3 example.py` shows how to use it.
"""

import http.client
import json
import os
import pathlib
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

# Codes that only say "once more": the daemon is making room for another one.
MAKING_ROOM = ("DAEMON_STOPPING", "DAEMON_OLDER")
STARTS_THE_DAEMON = ("npx", "cambium", "spaces", "--json")


class CambiumError(Exception):
    """What could not be done. `code` is for programs, `str(error)` and `hint` for people."""

    def __init__(self, code, message, hint=None, details=None, **_more):
        super().__init__(message)
        self.code = code
        self.hint = hint
        self.details = details or {}


class Cambium:
    """One space, seen by one agent. Whatever the interface has can be asked for by `call`."""

    def __init__(self, agent=None, space="~", home=None, start=STARTS_THE_DAEMON, timeout=30.0):
        self.space = space
        self.agent = agent
        self.timeout = timeout
        self._start = start
        home = home or os.environ.get("CAMBIUM_HOME") or "~/.cambium"
        self._home = pathlib.Path(home).expanduser()

    def remember(self, content, **fields):
        return self.call("POST", "/memories", content=content, **fields)

    def recall(self, query, **options):
        return self.call("GET", "/recall", query=query, **options)["memories"]

    def get(self, memory, **options):
        return self.call("GET", f"/memories/{_quoted(memory)}", **options)

    def revise(self, memory, expect=None, **fields):
        """Sets fields; None takes a value away. With `expect`, the `record` that was read,
        it fails with STALE_EXPECTATION when somebody else has written since."""
        if expect is not None:
            fields["expect"] = expect
        return self.call("PATCH", f"/memories/{_quoted(memory)}", **fields)

    def forget(self, memory, **options):
        return self.call("DELETE", f"/memories/{_quoted(memory)}", **options)

    def call(self, method, path, **given):
        """Makes one call. A write carries a key, so that it can be sent again without being made
        twice: when the connection breaks, it is."""
        url, body = f"/v1/spaces/{_quoted(self.space)}{path}", None
        if method in ("GET", "DELETE"):
            url += _query(given)
        else:
            body = json.dumps(given).encode()
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if method != "GET":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                with self._open(method, url, headers, body) as answer:
                    return json.load(answer)
            except (OSError, http.client.HTTPException, CambiumError) as error:
                if isinstance(error, CambiumError) and error.code not in MAKING_ROOM:
                    raise
                if time.monotonic() > deadline:
                    raise
                self._start_daemon()

    def events(self, last_id=None):
        """Yields (id, name, data) of what happens in the space, from now on or from `last_id` on.
        A `reset` means that something was missed: read anew what you show."""
        headers = {} if last_id is None else {"Last-Event-ID": last_id}
        with self._open("GET", f"/v1/spaces/{_quoted(self.space)}/events", headers) as stream:
            event = {}
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(":")
                if name:
                    event[name] = value[1:] if value.startswith(" ") else value
                elif "data" in event:
                    yield event.get("id"), event["event"], json.loads(event["data"])
                    event = {}

    def _open(self, method, url, headers, body=None):
        """A port and token are read anew each time: the daemon may be another one by now."""
        note = json.loads((self._home / "daemon.json").read_text())
        token = (self._home / "daemon.token").read_text().strip()
        headers = {**headers, "Authorization": f"Bearer {token}"}
        if self.agent is not None:
            headers["Cambium-Agent"] = _quoted(self.agent)
        request = urllib.request.Request(note["url"] + url, body, headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=self.timeout)
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise CambiumError(**json.load(refusal)["error"]) from None

    def _start_daemon(self):
        environment = {**os.environ, "CAMBIUM_HOME": str(self._home)}
        subprocess.run(self._start, env=environment, check=True, stdout=subprocess.DEVNULL)


def _quoted(text):
    return urllib.parse.quote(text, safe="")


def _query(given):
    """Lists repeat their key; true and false are written as JSON has them."""
    pairs = []
    for key, value in given.items():
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is not None:
                pairs.append((key, json.dumps(item) if isinstance(item, bool) else item))
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""
