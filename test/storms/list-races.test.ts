import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { keyOf, type Urn } from "../../src/model/urn.ts";
import type { MadeAspect } from "../support/catalog.ts";
import { datasetNamed } from "../support/states.ts";
import {
  type Contested,
  type Edit,
  entities,
  momentOf,
  outcomesOf,
  patchAll,
  race,
  seeds,
  wayOf,
} from "./in-the-middle.ts";
import { counted } from "../support/runs.ts";

// Others add elements to the same lists in the middle of an apply: links of datasets, and assets of data products.

/** An edit of others: an element that they add. */
interface ListEdit extends Edit {
  readonly element: string;
  readonly way: ReturnType<typeof wayOf>;
}

/** A list of an aspect, and how others add an element to it. */
interface ContestedList extends Pick<Contested<ListEdit>, "aspect" | "world" | "manifests"> {
  readonly urns: readonly Urn[];
  readonly ours: string;
  readonly theirs: (time: number) => string;
  readonly mutation: (edit: ListEdit) => string;
  readonly patch: (element: string) => unknown;
  readonly elementsIn: (aspect: JsonObject) => readonly unknown[];
}

const numbers = Array.from({ length: entities }, (_, index) => index);
const made = (urn: string): MadeAspect => [urn, "datasetProperties", { name: "x" }];
const stamp = { time: 1, actor: "urn:li:corpuser:datahub" };
const linkTo = (url: string): JsonObject => ({ url, description: url, createStamp: stamp });
const products = numbers.map((index) => `urn:li:dataProduct:p${index}` as Urn);

const lists: Readonly<Record<string, ContestedList>> = {
  links: {
    aspect: "institutionalMemory",
    urns: numbers.map((index) => datasetNamed(`d${index}`)),
    world: numbers.map((index) => made(datasetNamed(`d${index}`))),
    manifests: numbers
      .map((index) => `- { kind: Dataset, platform: snowflake, name: d${index}, links: ["https://ours"] }\n`)
      .join(""),
    ours: "https://ours",
    theirs: (time) => `https://theirs-${time}`,
    mutation: ({ urn, element }) =>
      `addLink(input: { linkUrl: "${element}", label: "${element}", resourceUrn: "${urn}" })`,
    patch: (url) => ({
      patch: [{ op: "add", path: `/elements/${url.replaceAll("/", "~1")}`, value: linkTo(url) }],
      arrayPrimaryKeys: { elements: ["url"] },
      forceGenericPatch: true,
    }),
    elementsIn: ({ elements }) => (elements as readonly JsonObject[]).map(({ url }) => url),
  },
  assets: {
    aspect: "dataProductProperties",
    urns: products,
    world: [
      ...["ours", "theirs-1", "theirs-2"].map((name) => made(datasetNamed(name))),
      ...products.map((urn): MadeAspect => [urn, "dataProductProperties", { name: keyOf(urn) }]),
    ],
    manifests: products
      .map((urn) => `- { kind: DataProduct, id: ${keyOf(urn)}, assets: ["${datasetNamed("ours")}"] }\n`)
      .join(""),
    ours: datasetNamed("ours"),
    theirs: (time) => datasetNamed(`theirs-${time}`),
    mutation: ({ urn, element }) =>
      `batchAddToDataProducts(input: { dataProductUrns: ["${urn}"], resourceUrns: ["${element}"] })`,
    patch: (destinationUrn) => [
      { op: "add", path: `/assets/${destinationUrn}`, value: { destinationUrn, outputPort: true } },
    ],
    elementsIn: ({ assets = [] }) =>
      (assets as readonly JsonObject[]).map(({ destinationUrn }) => destinationUrn),
  },
};

const cases = Object.keys(lists).flatMap((name) =>
  (["graphql", "conditional"] as const).flatMap((writes) =>
    // In `npm run test:long` there are many, for properties.
    seeds.slice(0, 10).map((seed) => [name, writes, seed] as const),
  ),
);

test.each(cases)(
  "%s that are written by %s while others write: each lost value of the tool is found, and conditional writes lose no value of others (seed %i)",
  counted,
  async (name, writes, seed) => {
    const list = lists[name];
    if (!list) throw new Error(`no list ${name}`);
    const { ran, edits, found } = await race<ListEdit>(
      {
        ...list,
        editOf: (drawn, urn, time) => {
          const moment = momentOf(drawn, urn, time);
          return moment && { urn, moment, element: list.theirs(time), way: wayOf(drawn) };
        },
        write: async (post, own, operation) => {
          if (own[0]?.way === "PATCH") {
            const patches = own.map(({ urn, element }) => ({ urn, patch: list.patch(element) }));
            expect(await patchAll(post, list.aspect, patches)).toBe("success");
            return;
          }
          const fields = own.map((edit, index) => `e${index}: ${list.mutation(edit)}`);
          const query = `mutation ${operation} { ${fields.join(" ")} }`;
          expect((await post("/api/graphql", { query }))["errors"]).toBeUndefined();
        },
      },
      { seed, writes, mode: "merge" },
    );

    const has = (urn: Urn, element: string): boolean =>
      list.elementsIn(found.get(urn) ?? {}).includes(element);
    const failed = new Set(outcomesOf(ran).flatMap(({ status, urn }) => (status === "failed" ? [urn] : [])));
    const lost = list.urns.filter((urn) => !has(urn, list.ours));
    const theirsLost = edits.filter(({ urn, element }) => !has(urn, element));
    expect(edits.length).toBeGreaterThan(0);
    expect(lost.filter((urn) => !failed.has(urn))).toEqual([]);
    expect(ran.code).toBe(lost.length > 0 ? 7 : 0);
    if (writes === "conditional") expect(theirsLost).toEqual([]);
  },
);
