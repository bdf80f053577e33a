"""What the official client wrote, our plan reads without a difference; what our apply wrote, the official client reads."""

import json
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from datahub.metadata.schema_classes import (
    CorpUserEditableInfoClass,
    CorpUserInfoClass,
    DatasetPropertiesClass,
    DomainPropertiesClass,
    DomainsClass,
    GlobalTagsClass,
    OwnershipClass,
    TagPropertiesClass,
)
from datahub.emitter.mcp import MetadataChangeProposalWrapper

from harness import FILES, URL, check, datahub, datahub_json, equal, graph

LEDGER = "urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.ledger,PROD)"


def ours(directory, manifest, *arguments, code=0):
    """Runs our own command line on one manifest."""
    catalog = Path(directory) / "catalog"
    catalog.mkdir(exist_ok=True)
    (catalog / "all.yaml").write_text(manifest)
    cli = json.loads(os.environ["INTEROP_SERVE"])[:-1]
    done = subprocess.run([*cli, *arguments], cwd=directory, capture_output=True, text=True, timeout=120)
    check(f"datahub-gitops {' '.join(arguments)}", done.returncode == code, done.stdout + done.stderr)
    return done.stdout


def in_sync(count):
    return f"Server: {URL}\n\nNo changes. {count} {'entity' if count == 1 else 'entities'} in sync.\n"


def plan_of_what_the_official_client_wrote():
    """Our plan of what the official command line wrote"""
    datahub("user", "upsert", "-f", str(FILES / "users.yaml"))
    datahub("group", "upsert", "-f", str(FILES / "groups.yaml"))
    manifest = """
- { kind: User, id: alice@shop.example, slack: "@alice", description: Cares for orders. }
- { kind: User, id: bob@shop.example, display_name: Bob, email: bob@shop.example, title: Analyst }
- { kind: Group, id: stewards@shop.example, display_name: Stewards, description: Keep the catalog tidy. }
"""
    with TemporaryDirectory() as directory:
        text = ours(directory, manifest, "plan", "--detailed-exitcode")
        equal("there is no difference", text, in_sync(3))
        memberships = manifest + "- { kind: Group, id: stewards@shop.example, members: [alice@shop.example] }\n"
        lines = [line for line in memberships.splitlines() if "display_name: Stewards" not in line]
        text = ours(directory, "\n".join(lines), "plan", "--detailed-exitcode")
        equal("nor in the members of its group", text, in_sync(3))


def apply_read_by_the_official_client():
    """What our apply wrote, as the official client reads it"""
    g = graph()
    g.emit_mcp(MetadataChangeProposalWrapper(entityUrn=LEDGER, aspect=DatasetPropertiesClass(name="ledger")))
    manifest = """
- { kind: Domain, id: interop-books, name: Books, parent_domain: interop-money }
- { kind: Domain, id: interop-money, name: Money, description: All of it. }
- { kind: Tag, id: interop-audited, name: Audited, color_hex: "#00aa00" }
- { kind: User, id: interop-erin, display_name: Erin, title: Auditor, slack: "@erin", groups: [interop-audit] }
- { kind: Group, id: interop-audit, display_name: Audit }
- kind: Dataset
  platform: snowflake
  name: shop.ledger
  domain: interop-books
  tags: [interop-audited]
  owners: [{ user: interop-erin, type: DATA_STEWARD }, { group: interop-audit }]
"""
    with TemporaryDirectory() as directory:
        ours(directory, manifest, "apply", "--auto-approve")
        text = ours(directory, manifest, "plan", "--detailed-exitcode")
        equal("the second plan is empty", text, in_sync(6))
    books = g.get_aspect("urn:li:domain:interop-books", DomainPropertiesClass)
    equal("the domain and the one above it", (books.name, books.parentDomain), ("Books", "urn:li:domain:interop-money"))
    tag = g.get_aspect("urn:li:tag:interop-audited", TagPropertiesClass)
    equal("the tag and its colour", (tag.name, tag.colorHex), ("Audited", "#00aa00"))
    info = g.get_aspect("urn:li:corpuser:interop-erin", CorpUserInfoClass)
    equal("the user", (info.active, info.displayName, info.title), (True, "Erin", "Auditor"))
    editable = g.get_aspect("urn:li:corpuser:interop-erin", CorpUserEditableInfoClass)
    equal("what the user can edit", editable.slack, "@erin")
    equal("the dataset's domain", g.get_aspect(LEDGER, DomainsClass).domains, ["urn:li:domain:interop-books"])
    tags = [each.tag for each in g.get_aspect(LEDGER, GlobalTagsClass).tags]
    equal("its tags", tags, ["urn:li:tag:interop-audited"])
    owners = {(each.owner, each.type) for each in g.get_aspect(LEDGER, OwnershipClass).owners}
    expected = {("urn:li:corpuser:interop-erin", "DATA_STEWARD"), ("urn:li:corpGroup:interop-audit", "TECHNICAL_OWNER")}
    equal("its owners", owners, expected)
    membership = datahub_json("get", "urn", "--urn", "urn:li:corpuser:interop-erin", "-a", "nativeGroupMembership")
    equal("the membership", membership, {"nativeGroupMembership": {"nativeGroups": ["urn:li:corpGroup:interop-audit"]}})
    check("the group exists", "true" in datahub("exists", "--urn", "urn:li:corpGroup:interop-audit").lower())


SECTIONS = (plan_of_what_the_official_client_wrote, apply_read_by_the_official_client)
