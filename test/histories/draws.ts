import fc from "fast-check";
import { datasetNamed } from "../support/states.ts";
import type { Document, Kind, Mode, Rule, Settings, Values } from "./model.ts";

/** Everything that manifests declare in histories, and what only other people put somewhere. */
export const world = {
  datasets: ["x", "y", "z"].map(datasetNamed) as readonly string[],
  columns: ["c1", "c2"],
  tags: ["t1", "t2", "t3"].map((id) => `urn:li:tag:${id}`),
  domains: ["d1", "d2", "d3"].map((id) => `urn:li:domain:${id}`),
  users: ["u1", "u2", "u3"].map((id) => `urn:li:corpuser:${id}`),
  groups: ["g1", "g2"].map((id) => `urn:li:corpGroup:${id}`),
  theirs: { tag: "urn:li:tag:t9", domain: "urn:li:domain:d9", user: "urn:li:corpuser:u9" },
};

const types = ["technical_owner", "data_steward"].map((id) => `urn:li:ownershipType:__system__${id}`);

/** Owners as they are compared: who, and as what. */
export const owners: readonly string[] = [...world.users, ...world.groups.slice(0, 1)].flatMap((owner) =>
  types.map((type) => `${owner} ${type}`),
);

const modes = fc.constantFrom<Mode>("authoritative", "merge", "merge", "additive");

const settings: fc.Arbitrary<Settings> = fc.record({
  modes: fc.record({
    tags: modes,
    domain: modes,
    owners: modes,
    "columns.tags": modes,
    members: modes,
    groups: modes,
    description: modes,
    title: modes,
    parent_domain: modes,
  }),
  missing: fc.constantFrom("error", "skip", "skip"),
  prune: fc.record({
    kinds: fc.constantFrom<readonly Kind[]>(["Domain", "Tag", "Group"], ["Domain", "Tag", "Group", "User"]),
    assignments: fc.boolean(),
  }),
});

/** What a commit does to one file: it writes or removes it, or moves it to the other folder. */
export interface Alteration {
  readonly file: string;
  readonly document?: Document | undefined;
  readonly isMoved: boolean;
}

export interface CommitDraw {
  readonly alterations: readonly Alteration[];
  /** Takes the files of as many commits ago. */
  readonly revertBy: number;
  /** `merge`: what was drawn comes from a branch, on which another commit came before it; `reset`: HEAD goes back first. */
  readonly as: "commit" | "merge" | "reset";
  readonly onBranch: readonly Alteration[];
  readonly rule?: { readonly id: string; readonly rule?: Rule | undefined } | undefined;
  /** Whether references stay that nothing declares. */
  readonly isSloppy: boolean;
}

/** What somebody does in the UI, or ingestion does. */
export type Edit =
  | { readonly type: "put"; readonly place: string; readonly value: string }
  | { readonly type: "take"; readonly nth: number }
  | { readonly type: "takeAt"; readonly place: string; readonly value: string }
  /** Meets a change of the plan that was made before it. */
  | { readonly type: "against"; readonly nth: number }
  | { readonly type: "status"; readonly urn: string }
  | { readonly type: "columns"; readonly urn: string; readonly columns: readonly string[] };

export interface Command {
  readonly name: "plan" | "apply" | "saved" | "drift";
  readonly prunes: boolean;
  /** Which entities are looked at: a pattern, or `changed` for what differs from the commit before. */
  readonly part?: string | undefined;
  readonly conflicts?: "force" | "skip" | undefined;
  /** What happens between plan and apply. */
  readonly meanwhile: readonly Edit[];
  readonly allowsPartial: boolean;
}

interface Step {
  readonly edits: readonly Edit[];
  readonly commit?: CommitDraw | undefined;
  readonly command: Command;
}

export interface History {
  readonly settings: Settings;
  readonly existing: readonly string[];
  readonly edits: readonly Edit[];
  readonly first: readonly Alteration[];
  readonly steps: readonly Step[];
}

const list = (values: readonly string[], maxLength = 3): fc.Arbitrary<readonly string[]> =>
  fc.subarray([...values], { maxLength: Math.min(maxLength, values.length) });

const single = (...values: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values).map((value) => [value]) }, fc.constant([]));

const tags = list([...world.tags, world.theirs.tag]);
const domain = single(...world.domains, world.theirs.domain);
const text = single("one", "two");

function facetsOf(kind: Kind, at: number): Readonly<Record<string, fc.Arbitrary<readonly string[]>>> {
  if (kind === "Dataset") return { tags, domain, owners: list(owners, 2), "columns.tags c1": tags };
  if (kind === "Tag") return { description: text, owners: list(owners, 2) };
  if (kind === "User") return { title: text, groups: list(world.groups) };
  if (kind === "Group")
    return { description: text, owners: list(owners.slice(0, 4), 1), members: list(world.users) };
  const parents = world.domains.slice(0, at);
  return { description: text, ...(parents.length > 0 && { parent_domain: single(...parents) }) };
}

const manage = fc.option(fc.dictionary(fc.constantFrom("tags", "domain"), modes, { maxKeys: 1 }), {
  nil: undefined,
  freq: 6,
});

function documentsOf(kind: Kind, urns: readonly string[]): readonly fc.Arbitrary<Alteration>[] {
  return urns.map((urn, at) => {
    const name = /[xyz](?=,PROD)|\w+$/.exec(urn)?.[0] ?? "";
    const values = fc.record(facetsOf(kind, at), { requiredKeys: [] }) as fc.Arbitrary<Values>;
    const inline =
      kind === "Group"
        ? fc.dictionary(fc.constantFrom(...world.users), fc.constantFrom("one", "two"), { maxKeys: 2 })
        : fc.constant({});
    const document = fc
      .record({ values, inline, manage: kind === "Dataset" ? manage : fc.constant(undefined) })
      .map((drawn): Document => ({ kind, urn, ...drawn }));
    return alterationOf(name, document);
  });
}

function alterationOf(file: string, document: fc.Arbitrary<Document>): fc.Arbitrary<Alteration> {
  return fc.record({
    file: fc.constant(file),
    document: fc.option(document, { nil: undefined, freq: 4 }),
    isMoved: fc.boolean(),
  });
}

/** A second file of a dataset, with another column. */
const more = world.datasets.slice(0, 2).map((urn, at) =>
  alterationOf(
    `more-${at}`,
    fc.record({ "columns.tags c2": tags }).map((values): Document => ({ kind: "Dataset", urn, values })),
  ),
);

const alterations = fc.oneof(
  ...documentsOf("Dataset", world.datasets).map((arbitrary) => ({ weight: 3, arbitrary })),
  ...more,
  ...documentsOf("Tag", world.tags),
  ...documentsOf("Domain", world.domains),
  ...documentsOf("User", world.users),
  ...documentsOf("Group", world.groups),
);

const rules = fc.constantFrom("r1", "r2").chain((id) =>
  fc.record({
    id: fc.constant(id),
    rule: fc.option(
      fc
        .record({
          matches: fc.subarray([...world.datasets], { minLength: 1 }),
          values: fc.record(
            { tags, domain: single(...world.domains), "columns.tags c1": tags },
            { requiredKeys: ["tags"] },
          ),
        })
        .map((drawn): Rule => ({ id, ...drawn, values: drawn.values as Values })),
      { nil: undefined, freq: 3 },
    ),
  }),
);

const commit: fc.Arbitrary<CommitDraw> = fc.record({
  alterations: fc.array(alterations, { minLength: 1, maxLength: 4 }),
  revertBy: fc.constantFrom(0, 0, 0, 0, 1, 2),
  as: fc.constantFrom("commit", "commit", "commit", "commit", "merge", "reset"),
  onBranch: fc.array(alterations, { maxLength: 2 }),
  rule: fc.option(rules, { nil: undefined, freq: 2 }),
  isSloppy: fc.integer({ min: 0, max: 15 }).map((drawn) => drawn === 15),
});

const put = fc
  .oneof(
    ...world.datasets.flatMap((urn) => [
      fc.tuple(fc.constant(`${urn} tags`), fc.constantFrom(...world.tags, world.theirs.tag)),
      fc.tuple(fc.constant(`${urn} domain`), fc.constantFrom(...world.domains, world.theirs.domain)),
      fc.tuple(fc.constant(`${urn} owners`), fc.constantFrom(...owners, `${world.theirs.user} ${types[0]}`)),
      fc.tuple(
        fc.constantFrom(...world.columns).map((column) => `${urn} columns.tags ${column}`),
        fc.constantFrom(...world.tags, world.theirs.tag),
      ),
    ]),
    ...world.groups.map((urn) =>
      fc.tuple(fc.constant(`${urn} members`), fc.constantFrom(...world.users, world.theirs.user)),
    ),
    fc.tuple(
      fc.constantFrom(...world.tags, ...world.domains, ...world.groups).map((urn) => `${urn} description`),
      fc.constantFrom("one", "two", "theirs"),
    ),
    fc.tuple(
      fc.constantFrom(...world.users).map((urn) => `${urn} title`),
      fc.constantFrom("one", "theirs"),
    ),
  )
  .map(([place, value]): Edit => ({ type: "put", place, value }));

const edits = fc.oneof(
  { weight: 6, arbitrary: put },
  { weight: 3, arbitrary: fc.nat(100).map((nth): Edit => ({ type: "take", nth })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        ...world.datasets,
        ...world.datasets,
        ...world.datasets,
        ...world.tags,
        ...world.users,
        ...world.groups,
      )
      .map((urn): Edit => ({ type: "status", urn })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...world.datasets), fc.subarray(world.columns))
      .map(([urn, columns]): Edit => ({ type: "columns", urn, columns })),
  },
);

const parts = ["*,x,*", "*PROD)", "*:domain:*", "*:tag:*", "*:corpuser:*", "*:corpGroup:*", "changed"];

const command: fc.Arbitrary<Command> = fc.record({
  name: fc.constantFrom("apply", "apply", "apply", "apply", "saved", "saved", "plan", "drift"),
  prunes: fc.boolean(),
  part: fc.option(fc.constantFrom(...parts), { nil: undefined, freq: 2 }),
  conflicts: fc.constantFrom(undefined, undefined, "force", "skip"),
  meanwhile: fc.array(
    fc.oneof(
      put,
      fc.constantFrom(...world.datasets).map((urn): Edit => ({ type: "status", urn })),
      { weight: 3, arbitrary: fc.nat(100).map((nth): Edit => ({ type: "against", nth })) },
    ),
    { maxLength: 2 },
  ),
  allowsPartial: fc.boolean(),
});

export const histories: fc.Arbitrary<History> = fc.record({
  settings,
  existing: fc.subarray([...world.tags, ...world.domains, ...world.users, ...world.groups], { maxLength: 5 }),
  edits: fc.array(edits, { maxLength: 6 }),
  first: fc.array(alterations, { minLength: 2, maxLength: 10 }),
  steps: fc.array(
    fc.record({
      edits: fc.array(edits, { maxLength: 3 }),
      commit: fc.option(commit, { nil: undefined, freq: 3 }),
      command,
    }),
    { minLength: 2, maxLength: 6 },
  ),
});
