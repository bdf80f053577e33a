"""Counts checks, and runs the official command line."""

import json
import os
import subprocess
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path

from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig

FILES = Path(__file__).parent / "files"
URL = os.environ["DATAHUB_GMS_URL"]
TOKEN = os.environ["DATAHUB_GMS_TOKEN"]

passed = 0
failed = 0


def graph(**options):
    """A client of the catalog, over Rest.li unless told otherwise."""
    return DataHubGraph(DatahubClientConfig(server=URL, token=TOKEN, **options))


def check(title, holds, seen=None):
    """Counts one check and prints its outcome; `seen` is printed when it fails."""
    global passed, failed
    if holds:
        passed += 1
        print(f"ok      {title}")
    else:
        failed += 1
        print(f"NOT OK  {title}\n        {seen!r}")
    return holds


def equal(title, actual, expected):
    return check(title, actual == expected, {"actual": actual, "expected": expected})


@contextmanager
def served(directory, *more):
    """Serves another catalog, without a token, in a directory; answers with its address."""
    serve = json.loads(os.environ["INTEROP_SERVE"])
    options = ["--port", "0", "--no-auth", "--data", str(Path(directory) / "data"), *more]
    server = subprocess.Popen([*serve, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield server.stdout.readline().split()[-1]
    finally:
        server.terminate()
        server.wait()


def section(work):
    """Runs one group of checks; an error in it is one failed check."""
    print(f"\n{work.__doc__}")
    try:
        work()
    except Exception:
        check(work.__name__, False, traceback.format_exc())


def datahub(*arguments, code=0, url=None):
    """Runs the official command line, on a catalog without a token if `url` is given, and answers what it prints."""
    command = Path(sys.executable).parent / "datahub"
    environment = {**os.environ, **({"DATAHUB_GMS_URL": url, "DATAHUB_GMS_TOKEN": ""} if url else {})}
    done = subprocess.run([command, *arguments], env=environment, capture_output=True, text=True, timeout=300)
    check(f"datahub {' '.join(arguments)}", done.returncode == code, done.stdout + done.stderr)
    return done.stdout


def datahub_json(*arguments):
    text = datahub(*arguments)
    return json.loads(text[text.index("{") :])


def graphql(query, **variables):
    return graph().execute_graphql(query, variables)


def summary():
    print(f"\n{passed} checks passed, {failed} failed")
    return 1 if failed or not passed else 0
