"""What the official command line does to the catalog."""

import json

from harness import FILES, check, datahub, datahub_json, equal, graph, graphql

ALICE = "urn:li:corpuser:alice@shop.example"
BOB = "urn:li:corpuser:bob@shop.example"
STEWARDS = "urn:li:corpGroup:stewards@shop.example"
ORDERS = "urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.orders,PROD)"
TAG = "urn:li:tag:interop"
RETENTION = "urn:li:structuredProperty:shop.retention_days"


def users_and_groups():
    """Users and groups from the command line"""
    datahub("user", "upsert", "-f", str(FILES / "users.yaml"))
    datahub("group", "upsert", "-f", str(FILES / "groups.yaml"))
    equal(
        "get shows the user as it was given",
        datahub_json("get", "urn", "--urn", BOB)["corpUserInfo"]["title"],
        "Analyst",
    )
    seen = graphql(
        """query ($alice: String!, $bob: String!, $group: String!) {
             alice: corpUser(urn: $alice) { editableProperties { slack aboutMe } }
             bob: corpUser(urn: $bob) { properties { displayName email title } exists: urn }
             group: corpGroup(urn: $group) { properties { displayName description } }
           }""",
        alice=ALICE,
        bob=BOB,
        group=STEWARDS,
    )
    equal(
        "GraphQL reads the user's editable profile",
        seen["alice"]["editableProperties"],
        {"slack": "@alice", "aboutMe": "Cares for orders."},
    )
    equal(
        "GraphQL reads the other user's profile",
        seen["bob"]["properties"],
        {"displayName": "Bob", "email": "bob@shop.example", "title": "Analyst"},
    )
    equal(
        "GraphQL reads the group",
        seen["group"]["properties"],
        {"displayName": "Stewards", "description": "Keep the catalog tidy."},
    )
    groups = datahub_json("get", "urn", "--urn", ALICE, "-a", "groupMembership")
    equal("the group's member belongs to it", groups, {"groupMembership": {"groups": [STEWARDS]}})


def put_get_exists_delete():
    """put, get, exists and delete from the command line"""
    check("exists says false before", "false" in datahub("exists", "--urn", TAG).lower())
    datahub("get", "urn", "--urn", TAG, code=1)
    data = str(FILES / "tag-properties.json")
    datahub("put", "aspect", "--urn", TAG, "-a", "tagProperties", "-d", data)
    check("exists says true after", "true" in datahub("exists", "--urn", TAG).lower())
    equal(
        "get of one aspect gives what was put",
        datahub_json("get", "urn", "--urn", TAG, "-a", "tagProperties")["tagProperties"],
        json.loads((FILES / "tag-properties.json").read_text()),
    )
    details = datahub_json("get", "urn", "--urn", TAG, "--details")
    check("get --details gives the run", "runId" in json.dumps(details), details)
    datahub("put", "platform", "--name", "shopdb", "--display_name", "Shop DB", "--logo", "https://shop.example/logo.png")
    equal(
        "the platform is there",
        graph().get_entity_raw("urn:li:dataPlatform:shopdb")["aspects"]["dataPlatformInfo"]["value"]["displayName"],
        "Shop DB",
    )
    datahub("delete", "--urn", TAG, "--soft", "--force")
    equal("soft deletion sets the status", datahub_json("get", "urn", "--urn", TAG)["status"], {"removed": True})
    check("what is soft-deleted exists", "true" in datahub("exists", "--urn", TAG).lower())
    g = graph()
    g.emit_mcp(tag_on(ORDERS, TAG))
    datahub("delete", "--urn", TAG, "--hard", "--force")
    check("hard deletion leaves nothing", not g.exists(TAG))
    tags = g.get_aspect(ORDERS, aspect_class("GlobalTagsClass"))
    equal("and no reference either", [entry.tag for entry in tags.tags] if tags else [], [])
    datahub("delete", "--urn", TAG, "--hard", "--force")


def datasets_and_properties():
    """dataset and properties from the command line"""
    datahub("properties", "upsert", "-f", str(FILES / "properties.yaml"))
    shown = datahub("properties", "get", "--urn", RETENTION)
    check("properties get shows the property", "Retention" in shown, shown)
    listed = datahub("properties", "list")
    check("properties list lists it", "shop.retention_days" in listed, listed)
    datahub("dataset", "upsert", "-f", str(FILES / "dataset.yaml"))
    shown = datahub("dataset", "get", "--urn", ORDERS)
    check("dataset get shows what was given", "Orders of the shop." in shown, shown)
    seen = graphql(
        """query ($urn: String!) {
             dataset(urn: $urn) {
               schemaMetadata { fields { fieldPath } }
               tags { tags { tag { urn } } }
               ownership { owners { owner { ... on CorpUser { urn } } } }
             }
           }""",
        urn=ORDERS,
    )["dataset"]
    equal("GraphQL reads its columns", [f["fieldPath"] for f in seen["schemaMetadata"]["fields"]], ["id", "email"])
    equal("GraphQL reads its tags", [t["tag"]["urn"] for t in seen["tags"]["tags"]], ["urn:li:tag:tier-1"])
    equal("GraphQL reads its owners", [o["owner"]["urn"] for o in seen["ownership"]["owners"]], [ALICE])
    raw = graph().get_entity_raw(ORDERS)["aspects"]
    equal("its description came by a patch", raw["datasetProperties"]["value"]["description"], "Orders of the shop.")
    datahub("dataset", "upsert", "-f", str(FILES / "dataset.yaml"))


def queries_and_bulk():
    """graphql, delete by filter, and the rest from the command line"""
    answered = datahub("graphql", "--query", "{ me { corpUser { urn } } }")
    check("graphql --query answers", "urn:li:corpuser:datahub" in answered, answered)
    equal("graphql --operation writes its own document", "urn:li:corpuser:datahub" in datahub("graphql", "--operation", "me"), True)
    operations = datahub("graphql", "--list-operations")
    check("graphql --list-operations reads the schema", "batchRemoveOwners" in operations, operations)
    datahub("check", "server-config")
    for name in ("a", "b"):
        graph().emit_mcp(status_of(f"urn:li:dataset:(urn:li:dataPlatform:throwaway,{name},PROD)"))
    datahub("delete", "--platform", "throwaway", "--entity-type", "dataset", "--hard", "--force")
    left = list(graph().get_urns_by_filter(platform="throwaway"))
    equal("delete --platform leaves none of them", left, [])
    datahub("delete", "references", "--urn", "urn:li:tag:tier-1", "--dry-run", "--force")
    datahub("check", "restore-indices", "--urn", ORDERS)


def aspect_class(name):
    from datahub.metadata import schema_classes

    return getattr(schema_classes, name)


def tag_on(urn, tag):
    from datahub.emitter.mcp import MetadataChangeProposalWrapper

    association = aspect_class("TagAssociationClass")(tag=tag)
    aspect = aspect_class("GlobalTagsClass")(tags=[association])
    return MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect)


def status_of(urn):
    from datahub.emitter.mcp import MetadataChangeProposalWrapper

    return MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect_class("StatusClass")(removed=False))


SECTIONS = (users_and_groups, put_get_exists_delete, datasets_and_properties, queries_and_bulk)
