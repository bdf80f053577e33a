"""The official client and ours on one catalog in turns: nobody destroys what the other wrote, or our plan shows it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from datahub.metadata import schema_classes as models
from datahub.specific.dataset import DatasetPatchBuilder

from apply_checks import in_sync, ours
from harness import check, datahub, equal, graph, graphql
from sdk_checks import dataset_urn, proposal

RETENTION = "urn:li:structuredProperty:turns.retention"
CADENCE = "urn:li:structuredProperty:turns.cadence"
PRODUCT = "urn:li:dataProduct:turns-invoicing"


def retention(name, *days):
    values = "\n".join(f"    - value: {each}" for each in days)
    return f"""- id: turns.retention
  type: number
  display_name: {name}
  entity_types: [dataset]
  structured_property_settings: {{ show_in_search_filters: true }}
  allowed_values:
{values}
- id: turns.cadence
  type: string
  cardinality: MULTIPLE
  entity_types: [dataset]
"""


def declared(name, *days):
    values = ", ".join(f"{{ value: {each} }}" for each in days)
    return f"""
- kind: StructuredProperty
  id: turns.retention
  display_name: {name}
  value_type: number
  entity_types: [dataset]
  allowed_values: [{values}]
"""


def properties_upsert(text, code=0):
    with TemporaryDirectory() as directory:
        file = Path(directory) / "properties.yaml"
        file.write_text(text)
        datahub("properties", "upsert", "-f", str(file), code=code)


def definitions():
    """Definitions of structured properties in turns"""
    g = graph()

    def stored():
        found = g.get_aspect(RETENTION, models.StructuredPropertyDefinitionClass)
        return found.displayName, [each.value for each in found.allowedValues]

    properties_upsert(retention("Retention", 30, 90))
    with TemporaryDirectory() as directory:
        text = ours(directory, declared("Retention", 30, 90), "plan", "--detailed-exitcode")
        equal("our plan of what they wrote is empty", text, in_sync(1))
        ours(directory, declared("Retention, days", 30, 90, 365), "apply", "--auto-approve")
        equal("our apply changes what is declared", stored(), ("Retention, days", [30.0, 90.0, 365.0]))
        settings = g.get_aspect(RETENTION, models.StructuredPropertySettingsClass)
        check("and leaves their settings", settings.showInSearchFilters)
        properties_upsert(retention("Retention", 30, 90), code=1)
        equal("their older file is refused: it would take an allowed value away", stored()[1], [30.0, 90.0, 365.0])
        properties_upsert(retention("Keep", 30, 90, 365))
        text = ours(directory, declared("Retention, days", 30, 90, 365), "plan", "--detailed-exitcode", code=2)
        check("what they overwrite our plan shows", "Keep" in text and "Retention, days" in text, text)


def values():
    """Values of structured properties in turns"""
    g, urn = graph(), dataset_urn("turns")
    g.emit_mcp(proposal(urn, models.StatusClass(removed=False)))
    manifest = f'\n- {{ kind: Dataset, urn: "{urn}", structured_properties: {{ turns.retention: 30 }} }}\n'

    def stored():
        found = g.get_aspect(urn, models.StructuredPropertiesClass).properties
        return {each.propertyUrn: each.values for each in found}

    both = {RETENTION: [30.0], CADENCE: ["monthly"]}
    with TemporaryDirectory() as directory:
        for mcp in DatasetPatchBuilder(urn).set_structured_property("turns.cadence", "monthly").build():
            g.emit_mcp(mcp)
        ours(directory, manifest, "apply", "--auto-approve")
        equal("our apply leaves their value", stored(), both)
        for mcp in DatasetPatchBuilder(urn).set_structured_property("turns.cadence", "weekly").build():
            g.emit_mcp(mcp)
        text = ours(directory, manifest, "plan", "--detailed-exitcode")
        equal("their patch leaves ours", text, in_sync(1))
        assignment = models.StructuredPropertyValueAssignmentClass(propertyUrn=CADENCE, values=["monthly"])
        g.emit_mcp(proposal(urn, models.StructuredPropertiesClass(properties=[assignment])))
        text = ours(directory, manifest, "plan", "--detailed-exitcode", code=2)
        check("what a connector overwrites our plan shows", "turns.retention" in text, text)
        ours(directory, manifest, "apply", "--auto-approve")
        equal("and our apply puts it back beside theirs", stored(), both)


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


SECTIONS = (definitions, values, data_product, links_and_deprecation)
