"""What the official SDK does to the catalog, over Rest.li and over OpenAPI."""

from datahub.configuration.common import OperationalError
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import EmitMode
from datahub.ingestion.graph.openapi import RelatedEntity, RelationshipDirection
from datahub.ingestion.graph.filters import RemovedStatusFilter
from datahub.metadata import schema_classes as models
from datahub.metadata.urns import DatasetUrn, TagUrn
from datahub.sdk import DataHubClient, Dataset
from datahub.specific.dataset import DatasetPatchBuilder

from harness import URL, TOKEN, check, equal, graph, graphql

PII = "urn:li:tag:pii"
DBT = "urn:li:dataPlatform:dbt"
CAROL = "urn:li:corpuser:carol"
DAVE = "urn:li:corpuser:dave"
SALES = "urn:li:domain:sales"
AUDITOR = "urn:li:ownershipType:auditor"


def dataset_urn(name):
    return str(DatasetUrn("bigquery", f"interop.{name}", "PROD"))


def proposal(urn, aspect, **more):
    return MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect, **more)


def tag_urns(g, urn):
    tags = g.get_aspect(urn, models.GlobalTagsClass)
    return sorted(entry.tag for entry in tags.tags) if tags else None


def owners(g, urn):
    ownership = g.get_aspect(urn, models.OwnershipClass)
    return [(o.owner, str(o.type), o.typeUrn) for o in ownership.owners] if ownership else None


def both_doors(checks):
    """The checks as two sections, one for each protocol."""

    def restli():
        checks("Rest.li", graph(), "restli")

    def openapi():
        checks("OpenAPI", graph(openapi_ingestion=True), "openapi")

    restli.__doc__ = f"{checks.__doc__}, Rest.li"
    openapi.__doc__ = f"{checks.__doc__}, OpenAPI"
    return restli, openapi


def emitting(door, g, name):
    """Emitting and reading aspects"""
    urn = dataset_urn(name)
    check(f"{door}: exists is false before", not g.exists(urn))
    equal(f"{door}: get_aspect of nothing is None", g.get_aspect(urn, models.StatusClass), None)
    properties = models.DatasetPropertiesClass(description="First.", customProperties={"a": "1"})
    g.emit_mcp(proposal(urn, properties))
    check(f"{door}: exists after emit_mcp", g.exists(urn))
    equal(
        f"{door}: get_aspect gives what was emitted",
        g.get_aspect(urn, models.DatasetPropertiesClass),
        properties,
    )
    for mode in (EmitMode.SYNC_PRIMARY, EmitMode.SYNC_WAIT, EmitMode.ASYNC, EmitMode.ASYNC_WAIT):
        changed = models.DatasetPropertiesClass(description=mode.name)
        g.emit_mcp(proposal(urn, changed), emit_mode=mode)
        equal(f"{door}: {mode.name} is stored", g.get_aspect(urn, models.DatasetPropertiesClass), changed)
    batch = [proposal(dataset_urn(f"{name}{i}"), models.StatusClass(removed=False)) for i in range(50)]
    g.emit_mcps(batch)
    check(f"{door}: emit_mcps stores them all", all(g.exists(str(item.entityUrn)) for item in batch))
    seen = graphql("query ($urn: String!) { dataset(urn: $urn) { properties { description } } }", urn=urn)
    equal(f"{door}: GraphQL reads it", seen["dataset"]["properties"]["description"], "ASYNC_WAIT")
    bag = g.get_entity_semityped(urn)
    equal(f"{door}: get_entity_semityped gives the key", bag["datasetKey"].name, f"interop.{name}")
    names = {item.aspectName for item in g.get_entity_as_mcps(urn)}
    check(f"{door}: get_entity_as_mcps gives all aspects", {"datasetKey", "datasetProperties"} <= names, names)
    refused = models.TagPropertiesClass(name="x")
    wrong = proposal("urn:li:tag:x", refused, headers={"If-Version-Match": "7"})
    try:
        g.emit_mcp(wrong)
        check(f"{door}: a wrong If-Version-Match is refused", False)
    except OperationalError as error:
        check(f"{door}: a wrong If-Version-Match is refused", "version" in str(error).lower(), str(error))
    check(f"{door}: and nothing is stored", not g.exists("urn:li:tag:x"))
    throwaway = f"urn:li:tag:throwaway-{name}"
    g.emit_mcp(proposal(throwaway, refused))
    g.emit_mcp(
        MetadataChangeProposalWrapper(
            entityUrn=throwaway, entityType="tag", aspectName="tagKey", changeType=models.ChangeTypeClass.DELETE
        )
    )
    check(f"{door}: DELETE of the key deletes", not g.exists(throwaway))


def patching(door, g, name):
    """Patch builders"""
    urn = dataset_urn(f"patched-{name}")

    def patch(build):
        builder = DatasetPatchBuilder(urn)
        build(builder)
        for item in builder.build():
            g.emit_mcp(item)

    attribution = models.MetadataAttributionClass(time=1, actor=CAROL, source=DBT)
    tag = models.TagAssociationClass
    patch(lambda b: b.add_tag(tag(PII)).add_tag(tag("urn:li:tag:b")).add_tag(tag(PII, attribution=attribution)))
    equal(f"{door}: add_tag on nothing, one tag from two sources", tag_urns(g, urn), ["urn:li:tag:b", PII, PII])
    patch(lambda b: b.add_tag(tag(PII)))
    equal(f"{door}: add_tag again changes nothing", len(tag_urns(g, urn)), 3)
    patch(lambda b: b.remove_tag(PII))
    equal(f"{door}: remove_tag removes it of all sources", tag_urns(g, urn), ["urn:li:tag:b"])
    technical = models.OwnerClass(CAROL, models.OwnershipTypeClass.TECHNICAL_OWNER)
    custom = models.OwnerClass(CAROL, models.OwnershipTypeClass.CUSTOM, typeUrn=AUDITOR)
    other = models.OwnerClass(DAVE, models.OwnershipTypeClass.NONE)
    patch(lambda b: b.add_owner(technical).add_owner(custom).add_owner(other))
    equal(
        f"{door}: add_owner keeps the roles of one owner apart",
        owners(g, urn),
        [(CAROL, "TECHNICAL_OWNER", None), (CAROL, "CUSTOM", AUDITOR), (DAVE, "NONE", None)],
    )
    patch(lambda b: b.remove_owner(CAROL, type_urn=AUDITOR))
    equal(
        f"{door}: remove_owner of one type",
        owners(g, urn),
        [(CAROL, "TECHNICAL_OWNER", None), (DAVE, "NONE", None)],
    )
    patch(lambda b: b.remove_owner(CAROL))
    equal(f"{door}: remove_owner of all types", owners(g, urn), [(DAVE, "NONE", None)])
    patch(lambda b: b.set_owners([technical]))
    equal(f"{door}: set_owners", owners(g, urn), [(CAROL, "TECHNICAL_OWNER", None)])
    patch(lambda b: b.add_domain(models.DomainAssociationClass(SALES)))
    equal(f"{door}: add_domain is seen in domains", g.get_aspect(urn, models.DomainsClass).domains, [SALES])
    patch(lambda b: b.remove_domain(SALES))
    equal(f"{door}: remove_domain as well", g.get_aspect(urn, models.DomainsClass).domains, [])
    patch(lambda b: b.for_field("a.b").add_tag(tag(PII)))
    patch(lambda b: b.for_field("c/d").add_tag(tag(PII)))

    def column_tags():
        infos = g.get_aspect(urn, models.EditableSchemaMetadataClass).editableSchemaFieldInfo
        return {info.fieldPath: [t.tag for t in info.globalTags.tags] for info in infos}

    equal(f"{door}: for_field.add_tag", column_tags(), {"a.b": [PII], "c/d": [PII]})
    patch(lambda b: b.for_field("a.b").remove_tag(PII))
    equal(f"{door}: for_field.remove_tag", column_tags(), {"a.b": [], "c/d": [PII]})
    patch(lambda b: b.set_description("Patched.").add_custom_property("k/1", "v").add_custom_property("gone", "x"))
    patch(lambda b: b.remove_custom_property("gone"))
    properties = g.get_aspect(urn, models.DatasetPropertiesClass)
    equal(
        f"{door}: set_description and custom properties",
        (properties.description, properties.customProperties),
        ("Patched.", {"k/1": "v"}),
    )
    patch(lambda b: b.set_structured_property("shop.retention_days", 30))
    assigned = g.get_aspect(urn, models.StructuredPropertiesClass).properties
    equal(f"{door}: set_structured_property", [(p.propertyUrn, p.values) for p in assigned],
          [("urn:li:structuredProperty:shop.retention_days", [30.0])])


def client_objects():
    """The SDK's own client: entities, resolvers"""
    for door, client in (
        ("Rest.li", DataHubClient(server=URL, token=TOKEN)),
        ("OpenAPI", DataHubClient(graph=graph(openapi_ingestion=True))),
    ):
        name = f"interop.object.{door.replace('.', '').lower()}"
        made = Dataset(platform="bigquery", name=name, description="Made.", tags=[TagUrn("pii")])
        client.entities.create(made)
        got = client.entities.get(made.urn)
        equal(f"{door}: entities.create and get", (got.description, [t.tag for t in got.tags]), ("Made.", [PII]))
        got.set_description("Updated.")
        client.entities.update(got)
        equal(f"{door}: entities.update", client.entities.get(made.urn).description, "Updated.")
        client.entities.upsert(Dataset(platform="bigquery", name=name, description="Upserted."))
        equal(f"{door}: entities.upsert", client.entities.get(made.urn).description, "Upserted.")
        client.entities.delete(made.urn, hard=True)
        check(f"{door}: entities.delete", not client._graph.exists(str(made.urn)))
    g = graph()
    g.emit_mcp(proposal(SALES, models.DomainPropertiesClass(name="Sales")))
    g.emit_mcp(proposal(CAROL, models.CorpUserInfoClass(active=True, displayName="Carol", email="carol@shop.example")))
    client = DataHubClient(server=URL, token=TOKEN)
    equal("resolve.domain by its name", str(client.resolve.domain(name="Sales")), SALES)
    equal("resolve.user by email", str(client.resolve.user(email="carol@shop.example")), CAROL)


def searching():
    """Filters, bulk reads, relationships and scrolling"""
    g = graph()
    urns = [dataset_urn(f"found-{i}") for i in range(3)]
    for i, urn in enumerate(urns):
        tags = [models.TagAssociationClass(PII)] if i == 0 else []
        g.emit_mcps(
            [
                proposal(urn, models.DatasetPropertiesClass(name=f"found {i}", customProperties={"team": f"t{i}"})),
                proposal(urn, models.GlobalTagsClass(tags)),
                proposal(urn, models.StatusClass(removed=i == 2)),
            ]
        )

    def found(**filters):
        return sorted(set(g.get_urns_by_filter(**filters)) & set(urns))

    equal("get_urns_by_filter by platform, without what is removed", found(platform="bigquery"), urns[:2])
    equal("get_urns_by_filter of what is removed", found(platform="bigquery", status=RemovedStatusFilter.ONLY_SOFT_DELETED), urns[2:])
    equal("get_urns_by_filter of all", found(entity_types=["dataset"], status=RemovedStatusFilter.ALL), urns)
    equal("get_urns_by_filter by environment", found(env="PROD", platform="bigquery"), urns[:2])
    equal("get_urns_by_filter of another environment", found(env="DEV", platform="bigquery"), [])
    tagged = [{"field": "tags", "values": [PII], "condition": "EQUAL"}]
    equal("get_urns_by_filter by tag", found(extraFilters=tagged), urns[:1])
    custom = [{"field": "customProperties", "values": ["team=t1"], "condition": "EQUAL"}]
    equal("get_urns_by_filter by custom property", found(extraFilters=custom), urns[1:2])
    entities = g.get_entities("dataset", urns, ["datasetProperties", "status"], with_system_metadata=True)
    equal("get_entities gives them all", sorted(entities), urns)
    aspect, metadata = entities[urns[0]]["datasetProperties"]
    equal("with aspects and versions", (aspect.name, metadata.version), ("found 0", "1"))
    related = list(g.get_related_entities(PII, ["TaggedWith"], RelationshipDirection.INCOMING))
    check("get_related_entities", RelatedEntity(urn=urns[0], relationship_type="TaggedWith") in related, related)
    seen, scroll_id = [], None
    while True:
        page = g.scroll_entities(entity_names=["dataset"], aspects=["datasetKey"], count=7, scroll_id=scroll_id)
        seen += page.entities
        scroll_id = page.scroll_id
        if not scroll_id:
            break
    equal("scroll_entities gives each once", (len(seen), len(set(seen))), (page.total_count,) * 2)
    check("and those that are there", set(urns[:2]) <= set(seen) and urns[2] not in seen)
    count, aspects = g.delete_references_to_urn(PII, dry_run=True)
    check("delete_references_to_urn counts", count >= 1 and len(aspects) >= 1, (count, aspects))


def the_other_way():
    """What is written over GraphQL is read by the SDK"""
    g = graph()
    urn = dataset_urn("mutated")
    g.emit_mcp(proposal(urn, models.StatusClass(removed=False)))
    g.emit_mcp(proposal(PII, models.TagPropertiesClass(name="PII")))
    g.emit_mcp(proposal(SALES, models.DomainPropertiesClass(name="Sales")))
    g.emit_mcp(proposal(CAROL, models.CorpUserInfoClass(active=True, displayName="Carol")))
    graphql(
        """mutation ($urn: String!, $tag: String!, $domain: String!, $owner: String!) {
             addTags(input: { tagUrns: [$tag], resourceUrn: $urn })
             setDomain(entityUrn: $urn, domainUrn: $domain)
             addOwner(input: { ownerUrn: $owner, ownerEntityType: CORP_USER, type: TECHNICAL_OWNER, resourceUrn: $urn })
           }""",
        urn=urn,
        tag=PII,
        domain=SALES,
        owner=CAROL,
    )
    equal("addTags", tag_urns(g, urn), [PII])
    equal("setDomain", g.get_aspect(urn, models.DomainsClass).domains, [SALES])
    equal("addOwner", [o[0] for o in owners(g, urn)], [CAROL])
    made = graphql('mutation { createTag(input: { id: "made", name: "Made" }) }')["createTag"]
    equal("createTag", g.get_aspect(made, models.TagPropertiesClass).name, "Made")
    domain = graphql('mutation { createDomain(input: { id: "made", name: "Made" }) }')["createDomain"]
    equal("createDomain", g.get_aspect(domain, models.DomainPropertiesClass).name, "Made")
    graphql("mutation ($urn: String!) { deleteTag(urn: $urn) }", urn=made)
    check("deleteTag", not g.exists(made))
    graphql("mutation ($urn: String!) { deleteTag(urn: $urn) }", urn=PII)
    equal("deleteTag takes it off the dataset", tag_urns(g, urn), [])


SECTIONS = (*both_doors(emitting), *both_doors(patching), client_objects, searching, the_other_way)
