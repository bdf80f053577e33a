"""The manual's way to export a catalog: what it writes, another catalog loads."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig

from harness import check, equal, graph, served


def values(g, urn):
    # As the SDK reads them, that is with the defaults of their models written out.
    return {name: aspect.to_obj() for name, aspect in g.get_entity_semityped(urn).items()}


def export_and_load():
    """Exporting and loading, as the manual says"""
    manual = Path(os.environ["INTEROP_MANUAL"]).read_text()
    [script] = re.findall(r"```python\n(.*?)```", manual, re.DOTALL)
    with TemporaryDirectory() as directory:
        done = subprocess.run([sys.executable, "-c", script], cwd=directory, capture_output=True, text=True)
        check("the manual's script writes an export", done.returncode == 0, done.stderr)
        file = Path(directory) / "export.json"
        urns = sorted({record["entityUrn"] for record in json.loads(file.read_text())})
        check("it holds what is there", len(urns) > 50, urns)
        with served(directory, "--load", str(file)) as url:
            other = DataHubGraph(DatahubClientConfig(server=url))
            here = graph()
            different = [urn for urn in urns if values(here, urn) != values(other, urn)]
            equal("another catalog holds the same after loading it", different, [])


SECTIONS = (export_and_load,)
