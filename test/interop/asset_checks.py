"""Charts, dashboards, flows, jobs, models and the glossary: the SDK's entities, emitters and patches, and GraphQL."""

from datahub.metadata import schema_classes as models
from datahub.metadata.urns import GlossaryTermUrn
from datahub.sdk import Chart, Dashboard, DataFlow, DataHubClient, DataJob, MLModel, MLModelGroup
from datahub.sdk.glossary_node import GlossaryNode
from datahub.sdk.glossary_term import GlossaryTerm
from datahub.specific.chart import ChartPatchBuilder
from datahub.specific.dashboard import DashboardPatchBuilder
from datahub.specific.datajob import DataJobPatchBuilder
from datahub.specific.dataset import DatasetPatchBuilder

from harness import TOKEN, URL, check, datahub_json, equal, graph, graphql
from sdk_checks import both_doors, dataset_urn, proposal

TERM = "urn:li:glossaryTerm:interop.revenue"
OTHER = "urn:li:glossaryTerm:interop.price"
NODE = "urn:li:glossaryNode:interop"
DOMAIN = "urn:li:domain:interop-assets"
TAG = "urn:li:tag:interop-assets"
ERIN = "urn:li:corpuser:erin"
FEATURES = "urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,interop)"


def definitions(g):
    """The things that assets are assigned to."""
    g.emit_mcp(proposal(DOMAIN, models.DomainPropertiesClass(name="Assets")))
    g.emit_mcp(proposal(TAG, models.TagPropertiesClass(name="Assets")))
    g.emit_mcp(proposal(ERIN, models.CorpUserInfoClass(active=True, displayName="Erin")))
    for urn in (TERM, OTHER):
        g.emit_mcp(proposal(urn, models.GlossaryTermInfoClass(definition="", termSource="INTERNAL")))


def assets(name):
    """One asset of each kind that the SDK has, with everything that can be put on it."""
    common = {
        "description": "Made.",
        "domain": DOMAIN,
        "tags": [TAG],
        "terms": [TERM],
        "owners": [(ERIN, "DATA_STEWARD")],
    }
    flow = DataFlow(platform="airflow", name=f"flow-{name}", **common)
    return [
        Chart(platform="looker", name=f"chart-{name}", display_name="Chart", **common),
        Dashboard(platform="looker", name=f"board-{name}", display_name="Board", **common),
        flow,
        DataJob(flow=flow, name="load", **common),
        MLModel(platform="mlflow", id=f"model-{name}", name="Model", **common),
        MLModelGroup(platform="mlflow", id=f"group-{name}", name="Group", **common),
    ]


SELECTION = """
  urn exists properties { description } editableProperties { description }
  domain { domain { urn } } tags { tags { tag { urn } } } glossaryTerms { terms { term { urn } } }
  ownership { owners { owner { ... on CorpUser { urn } } ownershipType { urn } } }
"""
ASSETS = "query ($urns: [String!]!) { entities(urns: $urns) { %s } }" % " ".join(
    f"... on {kind} {{ {SELECTION} }}"
    for kind in ("Chart", "Dashboard", "DataFlow", "DataJob", "MLModel", "MLModelGroup")
)


def shown(entity):
    """The description that users see: the SDK writes that of flows and jobs as an edited one."""
    return (entity["editableProperties"] or entity["properties"])["description"]


def entities(door, g, name):
    """The SDK's entities"""
    definitions(g)
    client = DataHubClient(graph=g)
    for asset in assets(name):
        kind = type(asset).__name__
        client.entities.upsert(asset)
        got = client.entities.get(asset.urn)
        equal(f"{door}: {kind} is read as it was written", got.description, "Made.")
        equal(f"{door}: {kind} has its terms", [str(t.urn) for t in got.terms], [TERM])
        [seen] = graphql(ASSETS, urns=[str(asset.urn)])["entities"]
        owners = [(o["owner"]["urn"], o["ownershipType"]["urn"].split("__")[-1]) for o in seen["ownership"]["owners"]]
        equal(
            f"{door}: GraphQL reads the {kind}",
            (
                seen["exists"],
                shown(seen),
                seen["domain"]["domain"]["urn"],
                [t["tag"]["urn"] for t in seen["tags"]["tags"]],
                [t["term"]["urn"] for t in seen["glossaryTerms"]["terms"]],
                owners,
            ),
            (True, "Made.", DOMAIN, [TAG], [TERM], [(ERIN, "data_steward")]),
        )
        aspects = datahub_json("get", "urn", "--urn", str(asset.urn))
        equal(f"{door}: get shows the {kind}", aspects["glossaryTerms"]["terms"], [{"urn": TERM}])
        got.set_description("Edited.")
        client.entities.update(got)
        [seen] = graphql(ASSETS, urns=[str(asset.urn)])["entities"]
        equal(f"{door}: an update of the {kind} is seen", shown(seen), "Edited.")


def glossary_entities(door, g, name):
    """The SDK's glossary"""
    definitions(g)
    client = DataHubClient(graph=g)
    node = GlossaryNode(id=f"sdk-{name}", display_name="Sales", definition="What is sold.", owners=[ERIN])
    term = GlossaryTerm(
        id=f"sdk-{name}.income",
        display_name="Income",
        definition="What comes in.",
        parent_node=node,
        term_source="EXTERNAL",
        source_ref="GAAP",
        is_a=[GlossaryTermUrn.from_string(TERM)],
        values=[GlossaryTermUrn.from_string(OTHER)],
        domain=DOMAIN,
        owners=[(ERIN, "BUSINESS_OWNER")],
    )
    for entity in (node, term):
        client.entities.upsert(entity)
    equal(f"{door}: a node is read as it was written", client.entities.get(node.urn).definition, "What is sold.")
    got = client.entities.get(term.urn)
    equal(
        f"{door}: a term is read as it was written",
        (got.display_name, str(got.parent_node), [str(u) for u in got.is_a], [str(u) for u in got.values]),
        ("Income", str(node.urn), [TERM], [OTHER]),
    )
    seen = graphql(
        """query ($term: String!) { glossaryTerm(urn: $term) { exists
             properties { name definition termSource sourceRef } domain { domain { urn } }
             parentNodes { nodes { urn properties { name description } childrenCount { termsCount } } }
             relationships(input: { types: ["IsA", "HasValue"], direction: OUTGOING }) { relationships { type entity { urn } } } } }""",
        term=str(term.urn),
    )["glossaryTerm"]
    equal(
        f"{door}: GraphQL reads the term",
        (seen["properties"], seen["domain"]["domain"]["urn"]),
        (
            {"name": "Income", "definition": "What comes in.", "termSource": "EXTERNAL", "sourceRef": "GAAP"},
            DOMAIN,
        ),
    )
    equal(
        f"{door}: and its node",
        seen["parentNodes"]["nodes"],
        [
            {
                "urn": str(node.urn),
                "properties": {"name": "Sales", "description": "What is sold."},
                "childrenCount": {"termsCount": 1},
            }
        ],
    )
    related = {(r["type"], r["entity"]["urn"]) for r in seen["relationships"]["relationships"]}
    equal(f"{door}: and its relationships", related, {("IsA", TERM), ("HasValue", OTHER)})
    shown = datahub_json("get", "urn", "--urn", str(term.urn), "-a", "glossaryTermInfo")["glossaryTermInfo"]
    equal(f"{door}: get shows the term", (shown["name"], shown["parentNode"]), ("Income", str(node.urn)))


def term_patches(door, g, name):
    """Patches of terms and descriptions"""
    definitions(g)
    dataset = dataset_urn(f"termed-{name}")
    builders = {
        dataset: DatasetPatchBuilder,
        f"urn:li:chart:(looker,patched-{name})": ChartPatchBuilder,
        f"urn:li:dashboard:(looker,patched-{name})": DashboardPatchBuilder,
        f"urn:li:dataJob:(urn:li:dataFlow:(airflow,patched-{name},prod),load)": DataJobPatchBuilder,
    }

    def patch(urn, build):
        builder = builders[urn](urn)
        build(builder)
        for item in builder.build():
            g.emit_mcp(item)

    def terms(urn):
        return [t.urn for t in g.get_aspect(urn, models.GlossaryTermsClass).terms]

    term = models.GlossaryTermAssociationClass
    attribution = models.MetadataAttributionClass(time=1, actor=ERIN, source="urn:li:dataPlatform:dbt")
    for urn in builders:
        kind = urn.split(":")[2]
        g.emit_mcp(proposal(urn, models.StatusClass(removed=False)))
        patch(urn, lambda b: b.add_term(term(TERM)).add_term(term(OTHER)).add_term(term(TERM, attribution=attribution)))
        equal(f"{door}: add_term to a {kind} without terms", sorted(terms(urn)), sorted([TERM, TERM, OTHER]))
        patch(urn, lambda b: b.remove_term(TERM))
        equal(f"{door}: remove_term removes it of all sources", terms(urn), [OTHER])
    patch(dataset, lambda b: b.for_field("a.b").add_term(term(TERM)))
    patch(dataset, lambda b: b.for_field("c/d").add_term(term(TERM)))

    def column_terms():
        infos = g.get_aspect(dataset, models.EditableSchemaMetadataClass).editableSchemaFieldInfo
        return {info.fieldPath: [t.urn for t in info.glossaryTerms.terms] for info in infos}

    equal(f"{door}: for_field.add_term", column_terms(), {"a.b": [TERM], "c/d": [TERM]})
    patch(dataset, lambda b: b.for_field("a.b").remove_term(TERM))
    equal(f"{door}: for_field.remove_term", column_terms(), {"a.b": [], "c/d": [TERM]})
    patch(dataset, lambda b: b.set_description("Patched.", editable=True))
    editable = g.get_aspect(dataset, models.EditableDatasetPropertiesClass)
    equal(f"{door}: set_description of the editable aspect", editable.description, "Patched.")


def the_other_way():
    """What GraphQL writes to assets and the glossary is read by the SDK"""
    g = graph()
    definitions(g)
    client = DataHubClient(server=URL, token=TOKEN)
    made = assets("mutated")
    for asset in made:
        client.entities.upsert(asset)
        urn = str(asset.urn)
        graphql(
            """mutation ($urn: String!, $term: String!, $other: String!) {
                 addTerms(input: { termUrns: [$other], resourceUrn: $urn })
                 removeTerm(input: { termUrn: $term, resourceUrn: $urn }) }""",
            urn=urn,
            term=TERM,
            other=OTHER,
        )
        terms = [t.urn for t in g.get_aspect(urn, models.GlossaryTermsClass).terms]
        equal(f"addTerms and removeTerm on a {type(asset).__name__}", terms, [OTHER])
    editable = {
        "Chart": models.EditableChartPropertiesClass,
        "Dashboard": models.EditableDashboardPropertiesClass,
        "DataFlow": models.EditableDataFlowPropertiesClass,
        "DataJob": models.EditableDataJobPropertiesClass,
        "MLModel": models.EditableMLModelPropertiesClass,
        "MLModelGroup": models.EditableMLModelGroupPropertiesClass,
    }
    for asset in made:
        kind, urn = type(asset).__name__, str(asset.urn)
        if kind.startswith("ML"):
            text = "mutation ($urn: String!) { updateDescription(input: { resourceUrn: $urn, description: \"By GraphQL.\" }) }"
        else:
            text = (
                "mutation ($urn: String!) { update%s(urn: $urn, input: { editableProperties: { description: \"By GraphQL.\" } }) { urn } }"
                % kind
            )
        graphql(text, urn=urn)
        equal(f"the description of a {kind}", g.get_aspect(urn, editable[kind]).description, "By GraphQL.")
    g.emit_mcp(proposal(FEATURES, models.MLFeatureTablePropertiesClass(description="Made.")))
    seen = graphql(
        "query ($urn: String!) { mlFeatureTable(urn: $urn) { name exists properties { description } } }", urn=FEATURES
    )["mlFeatureTable"]
    equal("a feature table by the emitter", seen, {"name": "interop", "exists": True, "properties": {"description": "Made."}})
    node = graphql('mutation { createGlossaryNode(input: { id: "interop", name: "Interop" }) }')["createGlossaryNode"]
    equal("createGlossaryNode", g.get_aspect(node, models.GlossaryNodeInfoClass).name, "Interop")
    created = graphql(
        'mutation ($node: String!) { createGlossaryTerm(input: { id: "made", name: "Made", parentNode: $node }) }', node=node
    )["createGlossaryTerm"]
    equal("createGlossaryTerm", client.entities.get(GlossaryTermUrn.from_string(created)).display_name, "Made")
    graphql(
        """mutation ($made: String!, $term: String!) {
             addRelatedTerms(input: { urn: $made, termUrns: [$term], relationshipType: hasA })
             updateParentNode(input: { resourceUrn: $made, parentNode: null })
             updateDescription(input: { resourceUrn: $made, description: "New." }) }""",
        made=created,
        term=TERM,
    )
    info = g.get_aspect(created, models.GlossaryTermInfoClass)
    equal("updateParentNode and updateDescription", (info.parentNode, info.definition), (None, "New."))
    related = g.get_aspect(created, models.GlossaryRelatedTermsClass)
    equal("addRelatedTerms", related.hasRelatedTerms, [TERM])
    graphql("mutation ($urn: String!) { deleteGlossaryEntity(urn: $urn) }", urn=TERM)
    check("deleteGlossaryEntity", not g.exists(TERM))
    equal("and its references", g.get_aspect(created, models.GlossaryRelatedTermsClass).hasRelatedTerms, [])


SECTIONS = (
    *both_doors(entities),
    *both_doors(glossary_entities),
    *both_doors(term_patches),
    the_other_way,
)
