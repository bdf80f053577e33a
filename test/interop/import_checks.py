"""What `import` and `apply` make of files of the official client is what the client makes of them."""

import json
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.metadata.schema_classes import (
    CorpGroupInfoClass,
    CorpUserInfoClass,
    DomainPropertiesClass,
    GlossaryTermInfoClass,
    OwnershipTypeInfoClass,
    StatusClass,
    TagPropertiesClass,
)

from harness import FILES, check, datahub, equal, served
from sdk_checks import proposal

CLI = json.loads(os.environ["INTEROP_SERVE"])[:-1]


PETS = "urn:li:dataset:(urn:li:dataPlatform:snowflake,pets.details,PROD)"


def fill(g):
    """Writes what the files refer to."""
    stamp = {"time": 0, "actor": "urn:li:corpuser:datahub"}
    auditor = OwnershipTypeInfoClass.from_obj({"name": "Auditor", "created": stamp, "lastModified": stamp})
    g.emit_mcp(proposal("urn:li:ownershipType:auditor", auditor))
    g.emit_mcp(proposal("urn:li:domain:marketing", DomainPropertiesClass(name="Marketing")))
    for urn in (PETS, "urn:li:dashboard:(looker,pets.19)"):
        g.emit_mcp(proposal(urn, StatusClass(removed=False)))
    for tag in ("adoption", "tier one"):
        g.emit_mcp(proposal(f"urn:li:tag:{tag}", TagPropertiesClass(name=tag)))
    balance = GlossaryTermInfoClass(definition="", termSource="INTERNAL")
    g.emit_mcp(proposal("urn:li:glossaryTerm:Clients.Balance", balance))
    for user in ("ada", "mjames"):
        g.emit_mcp(proposal(f"urn:li:corpuser:{user}", CorpUserInfoClass(active=True)))
    for group in ("finance", "Trust and Safety"):
        g.emit_mcp(proposal(f"urn:li:corpGroup:{group}", CorpGroupInfoClass(admins=[], members=[], groups=[])))


def ingested(file, auto_id, url, directory):
    """The glossary that the official source writes into a catalog."""
    recipe = Path(directory) / "recipe.json"
    source = {"type": "datahub-business-glossary", "config": {"file": str(file), "enable_auto_id": auto_id}}
    recipe.write_text(json.dumps({"source": source, "sink": {"type": "datahub-rest", "config": {"server": url}}}))
    datahub("ingest", "run", "-c", str(recipe))


def applied(file, auto_id, url, directory):
    """Imports a glossary and applies it to a catalog; answers what the import says that it leaves out."""
    flags = ["--enable-auto-id"] if auto_id else []
    environment = {**os.environ, "DATAHUB_GMS_URL": url, "DATAHUB_GMS_TOKEN": ""}

    def run(*arguments):
        done = subprocess.run([*CLI, *arguments], cwd=directory, env=environment, capture_output=True, text=True)
        check(f"datahub-gitops {' '.join(arguments)}", done.returncode == 0, done.stdout + done.stderr)
        return done.stderr

    left_out = run("import", str(file), *flags)
    run("fmt", "--check")
    run("validate")
    run("apply", "--auto-approve")
    run("plan", "--detailed-exitcode")
    return left_out


def aspects_of(g, *types):
    """By URN and name, the aspects of all entities of some types, with the defaults of their models."""
    urns = sorted(g.get_urns_by_filter(entity_types=[*types]))
    return {(urn, name): aspect.to_obj() for urn in urns for name, aspect in g.get_entity_semityped(urn).items()}


def without(*fields):
    return lambda value: {key: part for key, part in value.items() if key not in fields}


def definition(property):
    lists = {field: sorted(property.get(field) or [], key=str) for field in ("allowedValues", "entityTypes")}
    return {**without("typeQualifier", "immutable")(property), **lists}


def product(properties):
    assets = sorted(asset["destinationUrn"] for asset in properties["assets"])
    return {**without("customProperties")(properties), "assets": assets}


def owners(ownership):
    system = "urn:li:ownershipType:__system__"
    pairs = {(o["owner"], o.get("typeUrn") or system + o["type"].lower()) for o in ownership["owners"]}
    return sorted(pairs) or None


# What differs, by aspect: what is compared, None where nothing is. docs/internals/import.md has the list in words.
COMPARED = {
    # The source writes that nothing is deleted; without the aspect nothing is, either.
    "status": lambda status: status if status["removed"] else None,
    # The pairs of owner and type are the same, and none is no aspect. The source stores only the older name of a type, and the
    # server also its URN, the time and who wrote.
    "ownership": owners,
    # Lists are sets.
    "glossaryRelatedTerms": lambda related: {key: sorted(set(terms)) for key, terms in related.items()},
    # Manifests do not have them, and the import says so.
    "institutionalMemory": lambda _: None,
    "glossaryNodeInfo": without("customProperties"),
    "glossaryTermInfo": without("customProperties"),
    "propertyDefinition": definition,
    "structuredPropertySettings": lambda _: None,
    "dataProductProperties": product,
    # The time and the author.
    "glossaryTerms": without("auditStamp"),
}


def compared(found):
    aspects = {key: COMPARED.get(key[1], lambda value: value)(value) for key, value in found.items()}
    return {key: value for key, value in aspects.items() if value is not None}


def both(file, auto_id, types, write):
    """The aspects of some types of entities that the official client writes for a file, and what the import leaves out."""
    with TemporaryDirectory() as theirs, TemporaryDirectory() as ours:
        with served(theirs) as their_url, served(ours) as our_url:
            graphs = [DataHubGraph(DatahubClientConfig(server=url)) for url in (their_url, our_url)]
            for g in graphs:
                fill(g)
            write(their_url, theirs)
            left_out = applied(file, auto_id, our_url, ours)
            their, our = (aspects_of(g, *types) for g in graphs)
    wanted, got = compared(their), compared(our)
    different = [(key, wanted.get(key), got.get(key)) for key in {*wanted, *got} if wanted.get(key) != got.get(key)]
    check(f"{len(wanted)} aspects are those of the official client", wanted and not different, different[:3])
    return their, left_out


def compare(file, auto_id):
    def ingest(url, directory):
        ingested(file, auto_id, url, directory)

    their, left_out = both(file, auto_id, ("glossaryTerm", "glossaryNode"), ingest)
    properties = sum(1 for aspect in their.values() if aspect.get("customProperties"))
    links = sum(1 for _, name in their if name == "institutionalMemory")
    named = tuple(left_out.count(f": {field} of ") for field in ("custom_properties", "knowledge_links"))
    equal("what else the source writes is named as left out", named, (properties, links))


def sections():
    for file in sorted((FILES / "glossaries").iterdir()):
        for auto_id in (False, True):

            def section(file=file, auto_id=auto_id):
                compare(file, auto_id)

            section.__doc__ = f"import of {file.name}" + (", with automatic ids" if auto_id else "")
            yield section


REFERENCES = """version: 1
owners: {}
terms:
  - { name: Plain, description: D }
  - { name: With id, id: own, description: D }
  - { name: By id, description: D, inherits: [own] }
  - { name: By URN, description: D, inherits: ["urn:li:glossaryTerm:own"] }
"""


def references():
    """import of terms that refer to others by id and URN, which the official source knows by path only"""
    with TemporaryDirectory() as theirs, TemporaryDirectory() as ours:
        file = Path(ours) / "references.yml"
        file.write_text(REFERENCES)
        with served(theirs) as their_url, served(ours) as our_url:
            graphs = [DataHubGraph(DatahubClientConfig(server=url)) for url in (their_url, our_url)]
            ingested(file, False, their_url, theirs)
            applied(file, False, our_url, ours)
            their, our = (
                {urn: aspect["isRelatedTerms"] for (urn, name), aspect in terms_of(g).items() if name == "glossaryRelatedTerms"}
                for g in graphs
            )
    prefix = "urn:li:glossaryTerm:"
    equal("the import finds the term", our, {f"{prefix}By-id": [f"{prefix}own"], f"{prefix}By-URN": [f"{prefix}own"]})
    made = {f"{prefix}By-id": [f"{prefix}own"], f"{prefix}By-URN": [f"{prefix}urnliglossaryTermown"]}
    equal("the official source makes an id of the URN", their, made)


def terms_of(g):
    return aspects_of(g, "glossaryTerm")


def upserted(command, name, kind, lines):
    """Compares a file of a command of the official client; of these lines the import names what it leaves out."""
    file = FILES / "imports" / name

    def upsert(url, _):
        datahub(command, "upsert", "-f", str(file), url=url)

    _, left_out = both(file, False, (kind,), upsert)
    equal("what no manifest says is named", [line.split(":")[-2] for line in left_out.splitlines() if "Left out" in line], lines)


def properties():
    """import of structured properties, as `datahub properties upsert` writes them"""
    upserted("properties", "properties.yaml", "structuredProperty", ["21", "32", "38"])


def data_products():
    """import of a data product, as `datahub dataproduct upsert` writes it"""
    upserted("dataproduct", "dataproduct.yaml", "dataProduct", ["11", "24"])


SECTIONS = (*sections(), references, properties, data_products)
