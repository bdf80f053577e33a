"""`datahub ingest` of metadata files through the sink `datahub-rest`, in its modes and by both protocols."""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.mcp_builder import mcps_from_mce
from datahub.ingestion.source.file import read_metadata_file
from datahub.metadata.schema_classes import ASPECT_NAME_MAP, MetadataChangeEventClass

from harness import FILES, TOKEN, URL, check, datahub, equal, graph


def aspects_of(file):
    """The aspects that a file writes, by URN and name; of several the last. Points in time are left out."""
    aspects = {}
    for record in read_metadata_file(file):
        if isinstance(record, MetadataChangeEventClass):
            proposals = mcps_from_mce(record)
        elif isinstance(record, MetadataChangeProposalWrapper):
            proposals = [record]
        else:
            proposals = [MetadataChangeProposalWrapper.try_from_mcpc(record)]
        for item in proposals:
            if ASPECT_NAME_MAP[item.aspectName].ASPECT_TYPE != "timeseries":
                aspects[(str(item.entityUrn), item.aspectName)] = item.aspect
    return aspects


def plain(aspect):
    # What the server computes: the associations beside the domains, and the owners by type.
    computed = {"domainAssociations", "ownerTypes"}
    return {key: value for key, value in aspect.to_obj().items() if key not in computed}


def ingest(file, mode, endpoint):
    name = f"{file.name}, {mode}, {endpoint}"
    wanted = aspects_of(file)
    g = graph()
    for urn in {urn for urn, _ in wanted}:
        g.delete_entity(urn, hard=True)
    check(f"{name}: nothing is there before", not any(g.exists(urn) for urn in {u for u, _ in wanted}))
    with TemporaryDirectory() as directory:
        recipe = Path(directory) / "recipe.json"
        sink = {"server": URL, "token": TOKEN, "mode": mode, "endpoint": endpoint}
        recipe.write_text(
            json.dumps(
                {
                    "source": {"type": "file", "config": {"path": str(file)}},
                    "sink": {"type": "datahub-rest", "config": sink},
                }
            )
        )
        datahub("ingest", "run", "-c", str(recipe))
    different = []
    for (urn, aspect_name), aspect in wanted.items():
        got = g.get_aspect(urn, type(aspect))
        if got is None or plain(got) != plain(aspect):
            different.append((urn, aspect_name, got and plain(got), plain(aspect)))
    equal(f"{name}: {len(wanted)} aspects read back as they stand in the file", different[:3], [])


def sections_of(file):
    for mode in ("ASYNC_BATCH", "SYNC", "ASYNC"):
        for endpoint in ("RESTLI", "OPENAPI"):

            def section(mode=mode, endpoint=endpoint):
                ingest(file, mode, endpoint)

            section.__doc__ = f"ingest of {file.name}: {mode} by {endpoint}"
            yield section


def mcps():
    """ingest mcps"""
    datahub("ingest", "mcps", str(FILES / "proposals.json"))
    check("the proposals are stored", graph().exists("urn:li:tag:by-mcps"))


FILE = os.environ.get("INTEROP_FILE")
SECTIONS = (
    *sections_of(FILES / "metadata.json"),
    mcps,
    *(sections_of(Path(FILE)) if FILE else ()),
)
