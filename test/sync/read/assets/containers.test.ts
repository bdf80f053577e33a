import { expect, test } from "vitest";
import type { Reader } from "../../../../src/datahub/client.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import type { Urn } from "../../../../src/model/urn.ts";
import { containersIn } from "../../../../src/sync/read/assets/containers.ts";
import type { MadeAspect } from "../../../support/catalog.ts";
import { urn } from "../../../support/states.ts";
import { askingCatalog } from "../asking.ts";

const [schema, other, database, server] = ["schema", "other", "database", "server"].map((id) =>
  urn(`urn:li:container:${id}`),
) as [Urn, Urn, Urn, Urn];

const within = (below: Urn, container: Urn): MadeAspect => [below, "container", { container }];
const nested = [
  within(schema, database),
  within(other, database),
  within(database, server),
  ...[schema, other, database, server].map((of): MadeAspect => [of, "status", { removed: false }]),
];

test("all containers above an asset are known, nearest first, and each is read once", async () => {
  const { reader, asked } = await askingCatalog(nested);
  const containers = containersIn(reader, {});
  await containers.learn([schema, other, schema]);
  await containers.learn([schema, database]);
  expect(containers.from(schema)).toEqual({ containers: [schema, database, server] });
  expect(containers.from(other)).toEqual({ containers: [other, database, server] });
  expect(containers.from(undefined)).toEqual({ containers: [] });
  expect(asked).toEqual([
    ["ReadParentContainers", schema, other],
    ["ReadParentContainers", database],
    ["ReadParentContainers", server],
  ]);
});

test("a circle of containers ends before its first repetition", async () => {
  const { reader } = await askingCatalog([within(schema, database), within(database, schema)]);
  const containers = containersIn(reader, {});
  await containers.learn([schema]);
  expect(containers.from(schema)).toEqual({ containers: [schema, database] });
});

test("where one above cannot be read, it is said of all below, and it is not asked for again", async () => {
  const { reader, asked } = await askingCatalog(nested, { ReadParentContainers: [database] });
  const containers = containersIn(reader, {});
  await containers.learn([schema]);
  await containers.learn([other]);
  const fault = `its container ${database} could not be read: no`;
  expect([schema, other].map((of) => containers.from(of))).toEqual([{ fault }, { fault }]);
  expect(asked.filter(([, of]) => of === database)).toHaveLength(1);
});

test("a container with a malformed parent cannot be read", async () => {
  const query: Reader["query"] = async (_, { urns }) => {
    const entities = (urns as readonly Urn[]).map((of): JsonObject => ({
      urn: of,
      __typename: "Container",
      exists: true,
      container: { urn: 7 },
    }));
    return { data: { entities }, errors: [] };
  };
  const containers = containersIn({ concurrency: 1, query, stored: { read: async () => "unknown" } }, {});
  await containers.learn([schema]);
  expect(containers.from(schema)).toEqual({
    fault: `its container ${schema} could not be read: the server returned a malformed response: the container has no URN`,
  });
});
