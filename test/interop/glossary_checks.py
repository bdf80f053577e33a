"""`datahub ingest` of a business glossary through the sink `datahub-rest`."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.mcp_builder import mcps_from_mce
from datahub.ingestion.api.common import PipelineContext
from datahub.ingestion.source.metadata.business_glossary import BusinessGlossaryFileSource
from datahub.metadata.schema_classes import DomainPropertiesClass, MetadataChangeEventClass, OwnershipTypeInfoClass

from harness import FILES, TOKEN, URL, check, datahub, equal, graph, graphql
from ingest_checks import plain
from sdk_checks import proposal

GLOSSARY = FILES / "business_glossary.yml"


def aspects_of(config, g):
    """The aspects that the source makes of the file, by URN and name."""
    aspects = {}
    for unit in BusinessGlossaryFileSource.create(config, PipelineContext(run_id="interop", graph=g)).get_workunits():
        record = unit.metadata
        items = mcps_from_mce(record) if isinstance(record, MetadataChangeEventClass) else [record]
        for item in items:
            assert isinstance(item, MetadataChangeProposalWrapper)
            aspects[(str(item.entityUrn), item.aspectName)] = item.aspect
    return aspects


def without_times(aspect):
    value = plain(aspect)
    for element in value.get("elements", []):
        element.pop("createStamp", None)
    return value


def ingest(title, auto_id):
    config = {"file": str(GLOSSARY), "enable_auto_id": auto_id}
    g = graph()
    stamp = {"time": 0, "actor": "urn:li:corpuser:datahub"}
    info = OwnershipTypeInfoClass.from_obj({"name": "Auditor", "created": stamp, "lastModified": stamp})
    g.emit_mcp(proposal("urn:li:ownershipType:auditor", info))
    g.emit_mcp(proposal("urn:li:domain:interop-privacy", DomainPropertiesClass(name="Interop Privacy")))
    wanted = aspects_of(config, g)
    with TemporaryDirectory() as directory:
        recipe = Path(directory) / "recipe.json"
        sink = {"type": "datahub-rest", "config": {"server": URL, "token": TOKEN}}
        source = {"type": "datahub-business-glossary", "config": config}
        recipe.write_text(json.dumps({"source": source, "sink": sink}))
        datahub("ingest", "run", "-c", str(recipe))
    different = []
    for (urn, name), aspect in wanted.items():
        got = g.get_aspect(urn, type(aspect))
        if got is None or without_times(got) != without_times(aspect):
            different.append((urn, name, got and without_times(got), without_times(aspect)))
    equal(f"{title}: {len(wanted)} aspects read back as the source made them", different[:3], [])
    return {urn for urn, _ in wanted}


def by_names():
    """ingest of a business glossary, with ids of names"""
    urns = ingest("ids of names", False)
    check("a term's id is its path", "urn:li:glossaryTerm:Classification.Confidential" in urns, urns)
    seen = graphql(
        """{ confidential: glossaryTerm(urn: "urn:li:glossaryTerm:Classification.Confidential") {
               exists name properties { name customProperties { key value } } domain { domain { urn } }
               parentNodes { nodes { urn properties { name } } } }
             health: glossaryTerm(urn: "urn:li:glossaryTerm:Classification.By-law.Health") {
               properties { termSource sourceRef } parentNodes { nodes { properties { name } } }
               ownership { owners { ownershipType { urn } } } }
             node: glossaryNode(urn: "urn:li:glossaryNode:Classification") { childrenCount { termsCount nodesCount } } }"""
    )
    equal(
        "GraphQL reads a term",
        seen["confidential"],
        {
            "exists": True,
            "name": "Confidential",
            "properties": {"name": "Confidential", "customProperties": [{"key": "level", "value": "3"}]},
            "domain": {"domain": {"urn": "urn:li:domain:interop-privacy"}},
            "parentNodes": {
                "nodes": [{"urn": "urn:li:glossaryNode:Classification", "properties": {"name": "Classification"}}]
            },
        },
    )
    equal(
        "and one from elsewhere, two nodes deep",
        (
            seen["health"]["properties"],
            [n["properties"]["name"] for n in seen["health"]["parentNodes"]["nodes"]],
            [o["ownershipType"]["urn"] for o in seen["health"]["ownership"]["owners"]],
        ),
        (
            {"termSource": "EXTERNAL", "sourceRef": "GDPR"},
            ["By law", "Classification"],
            ["urn:li:ownershipType:auditor", "urn:li:ownershipType:__system__business_owner"],
        ),
    )
    equal("and a node", seen["node"], {"childrenCount": {"termsCount": 2, "nodesCount": 1}})


def by_automatic_ids():
    """ingest of a business glossary, with automatic ids"""
    ingest("automatic ids", True)


SECTIONS = (by_names, by_automatic_ids)
