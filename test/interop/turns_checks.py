"""The official client and ours on one catalog in turns: nobody destroys what the other wrote, or our plan shows it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from datahub.metadata import schema_classes as models

from apply_checks import in_sync, ours
from harness import check, datahub, equal, graph, graphql
from sdk_checks import dataset_urn, proposal

PRODUCT = "urn:li:dataProduct:turns-invoicing"


def data_product():
    """A data product in turns"""
    g = graph()
    graphql('mutation { createDomain(input: { id: "turns", name: "Turns" }) }')
    theirs, added = dataset_urn("turns-theirs"), dataset_urn("turns-ours")
    for urn in (theirs, added):
        g.emit_mcp(proposal(urn, models.StatusClass(removed=False)))
    g.emit_mcp(proposal("urn:li:tag:turns", models.TagPropertiesClass(name="turns")))
    file = f"""id: turns-invoicing
domain: urn:li:domain:turns
display_name: Invoicing
assets: ["{theirs}"]
output_ports: ["{theirs}"]
properties: {{ sla: 7am }}
"""
    head = "\n- { kind: DataProduct, id: turns-invoicing, name: Invoicing, domain: turns, assets: "
    same = f'{head}["{theirs}"] }}\n'
    more = f'{head}["{theirs}", "{added}"], tags: [turns] }}\n'

    def stored():
        found = g.get_aspect(PRODUCT, models.DataProductPropertiesClass)
        return {each.destinationUrn: each.outputPort for each in found.assets}, found.customProperties

    def upsert(directory):
        path = Path(directory) / "dataproduct.yml"
        path.write_text(file)
        datahub("dataproduct", "upsert", "-f", str(path))

    with TemporaryDirectory() as directory, TemporaryDirectory() as other:
        upsert(other)
        text = ours(directory, same, "plan", "--detailed-exitcode")
        equal("our plan of what they wrote is empty", text, in_sync(1))
        ours(directory, more, "apply", "--auto-approve")
        equal("our apply leaves their output port and properties", stored(), ({theirs: True, added: False}, {"sla": "7am"}))
        upsert(other)
        equal("their upsert replaces the assets", stored()[0], {theirs: True})
        text = ours(directory, more, "plan", "--detailed-exitcode", code=2)
        check("which our plan shows", "turns-ours" in text and "tags" not in text, text)
        ours(directory, more, "apply", "--auto-approve")
        equal("and our apply puts back", stored(), ({theirs: True, added: False}, {"sla": "7am"}))


def links_and_deprecation():
    """Links and deprecation in turns"""
    g, urn = graph(), dataset_urn("turns-links")
    g.emit_mcp(proposal(urn, models.StatusClass(removed=False)))
    manifest = f"""
- kind: Dataset
  urn: "{urn}"
  links: [{{ url: "https://wiki.acme.com/turns", label: Runbook }}]
  deprecation: {{ note: Replaced. }}
"""
    with TemporaryDirectory() as directory:
        ours(directory, manifest, "apply", "--auto-approve")
        graphql(
            "mutation ($urn: String!, $url: String!) { addLink(input: { resourceUrn: $urn, linkUrl: $url, label: \"Theirs\" }) }",
            urn=urn,
            url="https://wiki.acme.com/theirs",
        )
        found = g.get_aspect(urn, models.InstitutionalMemoryClass).elements
        equal("their link is beside ours", sorted(each.description for each in found), ["Runbook", "Theirs"])
        text = ours(directory, manifest, "plan", "--detailed-exitcode", code=2)
        shown = "https://wiki.acme.com/theirs" in text and "deprecation" not in text
        check("our plan shows what it would remove, and nothing else", shown, text)
        g.emit_mcp(proposal(urn, models.DeprecationClass(deprecated=False, note="", actor="urn:li:corpuser:datahub")))
        text = ours(directory, manifest, "plan", "--detailed-exitcode", code=2)
        check("and a deprecation that they ended", "deprecation" in text, text)


SECTIONS = (data_product, links_and_deprecation)
