"""Structured properties, data products, deprecation and links: the official client and GraphQL in turns."""

from datahub.configuration.common import OperationalError
from datahub.metadata import schema_classes as models
from datahub.specific.dataproduct import DataProductPatchBuilder
from datahub.specific.dataset import DatasetPatchBuilder

from cli_checks import ORDERS
from harness import FILES, check, datahub, equal, graph, graphql
from sdk_checks import both_doors, dataset_urn, proposal

PRODUCT = "urn:li:dataProduct:interop-invoicing"
DOMAIN = "urn:li:domain:interop-products"
ERIN = "urn:li:corpuser:erin"
WIKI = "https://wiki.acme.com/orders"


def property_urn(name):
    return f"urn:li:structuredProperty:{name}"


def definition(name, value_type, **more):
    return models.StructuredPropertyDefinitionClass(
        qualifiedName=name,
        valueType=f"urn:li:dataType:datahub.{value_type}",
        entityTypes=["urn:li:entityType:datahub.dataset"],
        **more,
    )


def values_of(g, urn):
    found = g.get_aspect(urn, models.StructuredPropertiesClass)
    return {each.propertyUrn: each.values for each in found.properties} if found else None


def refused(work):
    try:
        work()
    except OperationalError:
        return True
    return False


def properties(door, g, name):
    """Structured properties by the client and by GraphQL"""
    urn, days, cadence = dataset_urn(f"properties-{name}"), f"interop.{name}.days", f"interop.{name}.cadence"
    g.emit_mcp(proposal(urn, models.StatusClass(removed=False)))
    allowed = [models.PropertyValueClass(value=90.0), models.PropertyValueClass(value=365.0)]
    g.emit_mcp(proposal(property_urn(days), definition(days, "number", allowedValues=allowed)))
    g.emit_mcp(proposal(property_urn(cadence), definition(cadence, "string", cardinality="MULTIPLE")))
    for mcp in DatasetPatchBuilder(urn).set_structured_property(days, 90.0).build():
        g.emit_mcp(mcp)
    graphql(
        """mutation ($urn: String!, $property: String!) {
             upsertStructuredProperties(input: { assetUrn: $urn, structuredPropertyInputParams: [
               { structuredPropertyUrn: $property, values: [{ stringValue: "monthly" }] }] }) { properties { associatedUrn } }
           }""",
        urn=urn,
        property=property_urn(cadence),
    )
    both = {property_urn(days): [90.0], property_urn(cadence): ["monthly"]}
    equal(f"a value by a patch and one by GraphQL both stay, {door}", values_of(g, urn), both)
    wrong = models.StructuredPropertiesClass(
        properties=[models.StructuredPropertyValueAssignmentClass(propertyUrn=property_urn(days), values=[30.0])]
    )
    check(f"a value that is not allowed is refused, {door}", refused(lambda: g.emit_mcp(proposal(urn, wrong))))
    fewer = definition(days, "number", allowedValues=allowed[:1])
    check(f"a definition cannot shrink, {door}", refused(lambda: g.emit_mcp(proposal(property_urn(days), fewer))))
    for mcp in DatasetPatchBuilder(urn).remove_structured_property(days).build():
        g.emit_mcp(mcp)
    equal(f"a patch removes one value, {door}", values_of(g, urn), {property_urn(cadence): ["monthly"]})


def members(g):
    found = g.get_aspect(PRODUCT, models.DataProductPropertiesClass)
    return sorted(each.destinationUrn for each in found.assets or []) if found else None


def data_products():
    """dataproduct from the command line, and GraphQL in turns"""
    g = graph()
    graphql('mutation { createDomain(input: { id: "interop-products", name: "Products" }) }')
    g.emit_mcp(proposal(ERIN, models.CorpUserInfoClass(active=True, displayName="Erin")))
    other = dataset_urn("product-member")
    g.emit_mcp(proposal(other, models.StatusClass(removed=False)))
    file = str(FILES / "dataproduct.yaml")
    datahub("dataproduct", "upsert", "-f", file)
    shown = datahub("dataproduct", "get", "--urn", PRODUCT)
    check("dataproduct get shows it", "Invoices and payments." in shown, shown)
    query = """query ($urn: String!) { dataProduct(urn: $urn) {
        properties { name externalUrl numAssets } domain { domain { urn } } ownership { owners { type } } } }"""
    equal(
        "GraphQL reads it",
        graphql(query, urn=PRODUCT)["dataProduct"],
        {
            "properties": {"name": "Invoicing", "externalUrl": "https://wiki.acme.com/invoicing", "numAssets": 1},
            "domain": {"domain": {"urn": DOMAIN}},
            "ownership": {"owners": [{"type": "BUSINESS_OWNER"}]},
        },
    )
    for name in ("batchSetDataProduct", "batchAddToDataProducts"):
        product = "dataProductUrn: $product" if name == "batchSetDataProduct" else "dataProductUrns: [$product]"
        graphql(
            f"mutation ($product: String!, $asset: String!) {{ {name}(input: {{ {product}, resourceUrns: [$asset] }}) }}",
            product=PRODUCT,
            asset=other,
        )
    equal("an asset that GraphQL added is beside the one of the file", members(g), sorted([ORDERS, other]))
    datahub("dataproduct", "remove_asset", "--urn", PRODUCT, "--asset", ORDERS)
    equal("remove_asset leaves the other one", members(g), [other])
    datahub("dataproduct", "add_asset", "--urn", PRODUCT, "--asset", ORDERS)
    for mcp in DataProductPatchBuilder(PRODUCT).remove_asset(other).build():
        g.emit_mcp(mcp)
    equal("a patch of the client does so, too", members(g), [ORDERS])
    datahub("dataproduct", "set_description", "--urn", PRODUCT, "--description", "Changed.")
    datahub("dataproduct", "diff", "-f", file)
    datahub("dataproduct", "delete", "--urn", PRODUCT, "--hard")
    equal("after its deletion it is gone", members(g), None)


def links_and_deprecation():
    """links and deprecation by GraphQL, read by the client"""
    g, urn = graph(), dataset_urn("deprecated")
    g.emit_mcp(proposal(urn, models.StatusClass(removed=False)))
    graphql(
        """mutation ($urn: String!, $url: String!) {
             addLink(input: { resourceUrn: $urn, linkUrl: $url, label: "Runbook" })
             updateDeprecation(input: { urn: $urn, deprecated: true, note: "Old." })
           }""",
        urn=urn,
        url=WIKI,
    )
    links = g.get_aspect(urn, models.InstitutionalMemoryClass).elements
    equal("the client reads a link", [(each.url, each.description) for each in links], [(WIKI, "Runbook")])
    deprecation = g.get_aspect(urn, models.DeprecationClass)
    equal("and the deprecation", (deprecation.deprecated, deprecation.note), (True, "Old."))
    for mcp in DatasetPatchBuilder(urn).add_tag(models.TagAssociationClass(tag="urn:li:tag:tier-1")).build():
        g.emit_mcp(mcp)
    check("what others write leaves both", g.get_aspect(urn, models.DeprecationClass).note == "Old.")


SECTIONS = [*both_doors(properties), data_products, links_and_deprecation]
