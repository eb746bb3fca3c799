"""Writes resources/self_test/answer.json, which every installation's self-test is compared with: after a change of method only.

Run by ``python3 packaging/dev.py stored-answer``; look at the difference before you commit it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from bayescope.engine.app.headless import load_example
from bayescope.engine.app.self_test import run_to_the_end, session_of
from bayescope.engine.app.stored_answer import EXAMPLE, answer_of
from bayescope.engine.session.store import SessionStore

TARGET = Path(__file__).resolve().parents[1] / "resources" / "self_test" / "answer.json"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = session_of(Path(folder))
        SessionStore.create(path, load_example(EXAMPLE), own=True).close()
        run_to_the_end(path)
        with SessionStore.open(path, mode="read") as store:
            answer = answer_of(store)
    TARGET.write_bytes(msgspec.json.format(msgspec.json.encode(answer), indent=1) + b"\n")
    print(f"Wrote {TARGET}: {len(answer.design)} points of the design, log evidence {answer.log_evidence:.3f}.")


if __name__ == "__main__":
    main()
