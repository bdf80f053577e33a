import { type JsonObject, textOf } from "../../../src/model/json.ts";
import type { Writes } from "../../../src/model/operation.ts";
import type { Mode } from "../../../src/model/settings.ts";
import { domainsOf, ownersOf, tagsOf } from "../assigned.ts";
import { expectSet } from "../expect-equal.ts";
import { makeContainer, makeDataset, named } from "../made-assets.ts";
import { anyVersionRow, facetRow, kindRow } from "../required.ts";
import { NotAvailable, type Trial, type Trying } from "../trial.ts";
import type { Applied } from "../workspace.ts";

/** By facet, how values are added and how they are taken away. */
type Operations = Readonly<Record<"domain" | "owners" | "tags" | "columns.tags", readonly [string, string]>>;

const graphql: Operations = {
  domain: ["setDomain", "unsetDomain"],
  owners: ["addOwner", "batchRemoveOwners"],
  tags: ["addTags", "removeTag"],
  "columns.tags": ["addTags", "removeTag"],
};

const conditional: Operations = {
  domain: proposalsOf("domains"),
  owners: proposalsOf("ownership"),
  tags: proposalsOf("globalTags"),
  "columns.tags": proposalsOf("editableSchemaMetadata"),
};

/** A single value is written for a version, whatever the mode. */
const forAnyVersion: Partial<Operations> = {
  owners: proposalsOf("ownership", anyVersionRow),
  tags: proposalsOf("globalTags", anyVersionRow),
  "columns.tags": proposalsOf("editableSchemaMetadata", anyVersionRow),
};

function proposalsOf(aspect: string, row = (name: string): string => name): readonly [string, string] {
  const name = row(`ingestProposal ${aspect}`);
  return [name, name];
}

const owned = ["Dataset", "Container", "Domain", "Tag", "Group"];
const assets = ["Dataset", "Container"];

const facetRows = [
  ...assets.flatMap((kind) => ["domain", "tags"].map((facet) => facetRow({ name: kind }, facet))),
  ...owned.map((kind) => facetRow({ name: kind }, "owners")),
  facetRow({ name: "Dataset" }, "columns.tags"),
];

/** Values are assigned, replaced and taken away, by the mutations of the UI. */
export const assignments = assigning(
  { name: "assignments", writes: "graphql", mode: "authoritative", operations: graphql },
  [...assets.map((name) => kindRow({ name })), ...facetRows],
);

/** The same by proposals that hold only for the version that was read. */
export const conditionalAssignments = assigning({
  name: "conditional",
  writes: "conditional",
  mode: "authoritative",
  operations: conditional,
});

/** The same by proposals that leave alone what others add meanwhile. */
export const mergedAssignments = assigning({
  name: "merged",
  writes: "conditional",
  mode: "merge",
  operations: forAnyVersion,
});

/** What is assigned in a step. Names stand for ids. */
interface Step {
  readonly domain: string | undefined;
  /** Names with ownership types. */
  readonly owners: readonly string[];
  readonly tags: readonly string[];
  readonly columnTags: readonly string[];
  /** The facets of which values are added, and of which some are taken away. */
  readonly adds: readonly (keyof Operations)[];
  readonly removes: readonly (keyof Operations)[];
}

const steps: readonly Step[] = [
  {
    domain: "first",
    owners: ["ann TECHNICAL_OWNER", "bob TECHNICAL_OWNER", "team DATA_STEWARD"],
    tags: ["a", "b"],
    columnTags: ["a", "b"],
    adds: ["domain", "owners", "tags", "columns.tags"],
    removes: [],
  },
  {
    domain: "second",
    owners: ["ann DATA_STEWARD", "team DATA_STEWARD"],
    tags: ["b", "c"],
    columnTags: ["c"],
    adds: ["domain", "owners", "tags", "columns.tags"],
    removes: ["owners", "tags", "columns.tags"],
  },
  {
    domain: undefined,
    owners: [],
    tags: [],
    columnTags: [],
    adds: [],
    removes: ["domain", "owners", "tags", "columns.tags"],
  },
];

/** How values are assigned, and which operations that tries. */
interface Assigning {
  readonly name: string;
  readonly writes: Writes;
  readonly mode: Mode;
  readonly operations: Partial<Operations>;
}

function assigning({ name, writes, mode, operations }: Assigning, rows: readonly string[] = []): Trial {
  const own = Object.values(operations).flat();
  return {
    name,
    tries: [...new Set([...rows, ...own])],
    run: async (trying) => {
      trying.settings({ writes, manage: mode });
      trying.declare({ "definitions.yaml": definitionsFor(trying) });
      const dataset = await makeDataset(trying, "orders");
      const container = await makeContainer(trying, "shop");
      trying.goOn(await trying.apply());
      for (const step of steps) {
        trying.declare({ "definitions.yaml": ownedBy(step, trying), "assets.yaml": assetsOf(step, trying) });
        const applied = await trying.apply();
        const refusal = /^.*has no conditional writes.*$/m.exec(applied.stderr)?.[0];
        if (refusal !== undefined) return await allNotAvailable(own, refusal, trying);
        await checkStep({ step, applied, dataset, container, operations }, trying, rows);
        trying.goOn(applied);
      }
    },
  };
}

async function allNotAvailable(names: readonly string[], why: string, trying: Trying): Promise<void> {
  for (const name of names) {
    await trying.check(name, async () => {
      throw new NotAvailable(why);
    });
  }
}

function definitionsFor({ id, urn }: Trying): readonly JsonObject[] {
  const made = [
    ...["first", "second"].map((name) => ["Domain", "domain", name] as const),
    ...["a", "b", "c"].map((name) => ["Tag", "tag", name] as const),
    ...["ann", "bob"].map((name) => ["User", "corpuser", name] as const),
    ["Group", "corpGroup", "team"] as const,
  ];
  return made.map(([kind, type, name]) => {
    urn(type, name);
    return { kind, id: id(name) };
  });
}

/** The definitions: one of each kind has the owners of a step. */
function ownedBy({ owners }: Step, trying: Trying): readonly JsonObject[] {
  const having = new Set(["first", "a", "team"].map((name) => trying.id(name)));
  return definitionsFor(trying).map((document) =>
    having.has(textOf(document["id"])) ? { ...document, owners: ownersFor(owners, trying) } : document,
  );
}

function ownersFor(owners: readonly string[], { id }: Trying): readonly JsonObject[] {
  return owners.map((owner) => {
    const [name = "", type = ""] = owner.split(" ");
    return { [name === "team" ? "group" : "user"]: id(name), type };
  });
}

function assetsOf({ domain, owners, tags, columnTags }: Step, trying: Trying): readonly JsonObject[] {
  const { id, urn } = trying;
  const own = {
    domain: domain === undefined ? "none" : id(domain),
    owners: ownersFor(owners, trying),
    tags: tags.map((tag) => id(tag)),
  };
  return [
    { ...named(trying, "orders"), ...own, columns: { email: { tags: columnTags.map((tag) => id(tag)) } } },
    { kind: "Container", urn: urn("container", "shop"), ...own },
  ];
}

/** An apply of a step, and what it is about. */
interface Done {
  readonly step: Step;
  readonly applied: Applied;
  readonly dataset: string;
  readonly container: string;
  readonly operations: Partial<Operations>;
}

async function checkStep(done: Done, trying: Trying, rows: readonly string[]): Promise<void> {
  const { step, applied, dataset, container, operations } = done;
  const { stored, urn } = trying;
  const tagUrns = (names: readonly string[]): readonly string[] => names.map((name) => urn("tag", name));
  const owners = step.owners.map((owner) => {
    const [name = "", type = ""] = owner.split(" ");
    return `${urn(name === "team" ? "corpGroup" : "corpuser", name)} ${type}`;
  });
  const domains = step.domain === undefined ? [] : [urn("domain", step.domain)];
  const sites: Readonly<Record<string, string>> = {
    Dataset: dataset,
    Container: container,
    Domain: urn("domain", "first"),
    Tag: urn("tag", "a"),
    Group: urn("corpGroup", "team"),
  };
  const look: Readonly<Record<keyof Operations, (kind: string, site: string) => Promise<void>>> = {
    domain: async (kind, site) => expectSet(`domain of the ${kind}`, await domainsOf(stored, site), domains),
    owners: async (kind, site) => expectSet(`owners of the ${kind}`, await ownersOf(stored, site), owners),
    tags: async (kind, site) =>
      expectSet(`tags of the ${kind}`, await tagsOf(stored, site), tagUrns(step.tags)),
    "columns.tags": async (kind, site) =>
      expectSet(
        `tags of a column of the ${kind}`,
        await tagsOf(stored, site, "email"),
        tagUrns(step.columnTags),
      ),
  };
  const having: Readonly<Record<keyof Operations, readonly string[]>> = {
    domain: assets,
    owners: owned,
    tags: assets,
    "columns.tags": ["Dataset"],
  };
  for (const facet of ["domain", "owners", "tags", "columns.tags"] as const) {
    const lookAt = (kind: string): Promise<void> => look[facet](kind, sites[kind] ?? "");
    const [adding, removing] = operations[facet] ?? [];
    const sent = [
      ...(step.adds.includes(facet) && adding ? [adding] : []),
      ...(step.removes.includes(facet) && removing ? [removing] : []),
    ];
    for (const name of new Set(sent)) {
      await trying.operation(name, applied, async () => {
        for (const kind of having[facet]) await lookAt(kind);
      });
    }
    for (const kind of having[facet]) {
      const row = facetRow({ name: kind }, facet);
      if (rows.includes(row)) await trying.check(row, () => lookAt(kind), applied);
    }
  }
  for (const kind of assets) {
    if (!rows.includes(kindRow({ name: kind }))) continue;
    await trying.check(kindRow({ name: kind }), async () => {
      const { status } = await stored.aspects(sites[kind] ?? "");
      if (status?.["removed"] !== false) throw new Error(`the ${kind} is not as ingestion left it`);
    });
  }
}
