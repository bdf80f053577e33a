import { expect, test } from "vitest";
import { catalogWith, column, finance, orders, proposal, type TestCatalog } from "./support.ts";

const clients = 16;
const rounds = 12;
const admins = "urn:li:corpGroup:admins";
const user = (client: number) => `urn:li:corpuser:u${client}`;
const tag = (client: number, round: number) => `urn:li:tag:t${client}-${round}`;
const numbers = Array.from({ length: clients }, (_, index) => index);

const records: readonly object[] = [
  proposal(finance, "domainProperties", { name: "Finance" }),
  proposal(orders, "schemaMetadata", { fields: numbers.map((client) => column(`c${client}`)) }),
  proposal(admins, "origin", { type: "NATIVE" }),
  ...numbers.map((client) => proposal(user(client), "corpUserInfo", { active: true })),
];

const round = `mutation ($user: String!, $tag: String!, $id: String!, $orders: String!, $column: String!, $admins: String!) {
  create: createTag(input: { id: $id, name: $id })
  tag: addTag(input: { tagUrn: $tag, resourceUrn: $orders })
  column: batchAddTags(input: { tagUrns: [$tag], resources: [{ resourceUrn: $orders, subResourceType: DATASET_FIELD, subResource: $column }] })
  own: addOwners(input: { owners: [{ ownerUrn: $user, ownerEntityType: CORP_USER, type: TECHNICAL_OWNER }], resourceUrn: $orders })
  join: addGroupMembers(input: { groupUrn: $admins, userUrns: [$user] })
  clash: createDomain(input: { name: "Same" })
}`;

/** One client's requests, one after the other; every second tag is deleted again. */
async function work(catalog: TestCatalog, client: number): Promise<number> {
  let created = 0;
  for (let index = 0; index < rounds; index += 1) {
    const { data, errors } = await catalog.send(round, {
      user: user(client),
      tag: tag(client, index),
      id: `t${client}-${index}`,
      orders,
      column: `c${client}`,
      admins,
    });
    const { clash, ...rest } = (data ?? {}) as unknown as Record<string, unknown>;
    expect(rest).toEqual({ create: tag(client, index), tag: true, column: true, own: true, join: true });
    if (clash === null) expect(errors).toMatchObject([{ path: ["clash"], extensions: { code: 409 } }]);
    else created += 1;
    if (index % 2 === 1) {
      const answer = await catalog.send("mutation ($urn: String!) { deleteTag(urn: $urn) }", {
        urn: tag(client, index),
      });
      expect(answer.data).toEqual({ deleteTag: true });
    }
  }
  return created;
}

test("16 clients that write to the same entities lose no writes of each other", async () => {
  const catalog = await catalogWith(records);
  const created = await Promise.all(numbers.map((client) => work(catalog, client)));
  expect(created.reduce((sum, count) => sum + count, 0)).toBe(1);

  const kept = numbers.flatMap((client) =>
    Array.from({ length: rounds }, (_, index) => index)
      .filter((index) => index % 2 === 0)
      .map((index) => tag(client, index)),
  );
  const { tags } = catalog.stored(orders, "globalTags") as { tags: readonly { tag: string }[] };
  expect(tags.map((entry) => entry.tag).toSorted()).toEqual(kept.toSorted());
  const { editableSchemaFieldInfo: columns } = catalog.stored(orders, "editableSchemaMetadata") as {
    editableSchemaFieldInfo: readonly { fieldPath: string; globalTags: { tags: unknown[] } }[];
  };
  expect(columns.map((info) => info.globalTags.tags.length)).toEqual(numbers.map(() => rounds / 2));
  const { owners } = catalog.stored(orders, "ownership") as { owners: readonly { owner: string }[] };
  expect(owners.map(({ owner }) => owner).toSorted()).toEqual(numbers.map(user).toSorted());
  for (const client of numbers)
    expect(catalog.stored(user(client), "nativeGroupMembership")).toEqual({ nativeGroups: [admins] });
  const { data } = await catalog.send('{ listDomains(input: { query: "Same" }) { total } }');
  expect(data).toEqual({ listDomains: { total: 1 } });
});
