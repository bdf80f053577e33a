"""What `import` and `apply` make of a business glossary is what the official source ingests of it."""

import json
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.metadata.schema_classes import CorpGroupInfoClass, CorpUserInfoClass, DomainPropertiesClass, OwnershipTypeInfoClass

from harness import FILES, check, datahub, equal, served
from sdk_checks import proposal

CLI = json.loads(os.environ["INTEROP_SERVE"])[:-1]


def fill(g):
    """Writes what the glossaries refer to."""
    stamp = {"time": 0, "actor": "urn:li:corpuser:datahub"}
    auditor = OwnershipTypeInfoClass.from_obj({"name": "Auditor", "created": stamp, "lastModified": stamp})
    g.emit_mcp(proposal("urn:li:ownershipType:auditor", auditor))
    g.emit_mcp(proposal("urn:li:domain:marketing", DomainPropertiesClass(name="Marketing")))
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


def glossary_of(g):
    """By URN and name, the aspects of all terms and nodes, with the defaults of their models."""
    urns = sorted(g.get_urns_by_filter(entity_types=["glossaryTerm", "glossaryNode"]))
    return {(urn, name): aspect.to_obj() for urn in urns for name, aspect in g.get_entity_semityped(urn).items()}


def without_custom_properties(info):
    return {key: value for key, value in info.items() if key != "customProperties"}


def owners(ownership):
    system = "urn:li:ownershipType:__system__"
    pairs = {(o["owner"], o.get("typeUrn") or system + o["type"].lower()) for o in ownership["owners"]}
    return sorted(pairs) or None


# What differs, by aspect: what is compared, None where nothing is. docs/import.md has the list in words.
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
    "glossaryNodeInfo": without_custom_properties,
    "glossaryTermInfo": without_custom_properties,
}


def compared(glossary):
    aspects = {key: COMPARED.get(key[1], lambda value: value)(value) for key, value in glossary.items()}
    return {key: value for key, value in aspects.items() if value is not None}


def compare(file, auto_id):
    with TemporaryDirectory() as theirs, TemporaryDirectory() as ours:
        with served(theirs) as their_url, served(ours) as our_url:
            graphs = [DataHubGraph(DatahubClientConfig(server=url)) for url in (their_url, our_url)]
            for g in graphs:
                fill(g)
            ingested(file, auto_id, their_url, theirs)
            left_out = applied(file, auto_id, our_url, ours)
            their, our = (glossary_of(g) for g in graphs)
    wanted, got = compared(their), compared(our)
    different = [(key, wanted.get(key), got.get(key)) for key in {*wanted, *got} if wanted.get(key) != got.get(key)]
    check(f"{len(wanted)} aspects are those of the official source", wanted and not different, different[:3])
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
                {urn: aspect["isRelatedTerms"] for (urn, name), aspect in glossary_of(g).items() if name == "glossaryRelatedTerms"}
                for g in graphs
            )
    prefix = "urn:li:glossaryTerm:"
    equal("the import finds the term", our, {f"{prefix}By-id": [f"{prefix}own"], f"{prefix}By-URN": [f"{prefix}own"]})
    made = {f"{prefix}By-id": [f"{prefix}own"], f"{prefix}By-URN": [f"{prefix}urnliglossaryTermown"]}
    equal("the official source makes an id of the URN", their, made)


SECTIONS = (*sections(), references)
