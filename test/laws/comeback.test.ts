import fc from "fast-check";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { inCatalog, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { counted, runsOf } from "../support/runs.ts";

const ids = ["a", "b", "c"];
const asset = datasetNamed("it");

/** What a commit declares of the asset, in a document and in a rule; `undefined` where there is none, or no such facet. */
interface Declared {
  readonly tags?: readonly string[] | undefined;
  readonly email?: readonly string[] | undefined;
}

type Step =
  | { readonly type: "commit"; readonly document: Declared | undefined; readonly rule: Declared | undefined }
  | { readonly type: "asset" | "column"; readonly isThere: boolean }
  | { readonly type: "apply" };

const some = fc.option(fc.subarray(ids), { nil: undefined });
const declared: fc.Arbitrary<Declared | undefined> = fc.option(fc.record({ tags: some, email: some }), {
  nil: undefined,
});
const commits = fc.record({ type: fc.constant("commit" as const), document: declared, rule: declared });
const moves = fc.record({
  type: fc.constantFrom("asset" as const, "column" as const),
  isThere: fc.boolean(),
});
// Most rounds end with an apply: only that may forget what was declared before.
const rounds = fc
  .tuple(
    fc.option(moves, { nil: undefined }),
    commits,
    fc.option(moves, { nil: undefined, freq: 2 }),
    fc.nat(4),
  )
  .map(([earlier, commit, later, end]): readonly Step[] => [
    ...(earlier ? [earlier] : []),
    commit,
    ...(later ? [later] : []),
    ...(end > 0 ? [{ type: "apply" as const }] : []),
  ]);
const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(rounds, { minLength: 2, maxLength: 4 })
  .map((all) => all.flat());

function textOf({ tags, email }: Declared): string {
  const columns = email && `columns: { email: { tags: [${email.join(", ")}] } }\n`;
  return `${tags ? `tags: [${tags.join(", ")}]\n` : ""}${columns ?? ""}`;
}

/** What a commit holds: beside the asset one more, so that there is always something to look at. */
function filesOf({ document, rule }: Extract<Step, { type: "commit" }>): Readonly<Record<string, string>> {
  const isRule = rule && (rule.tags ?? rule.email);
  return {
    "document.yaml": document
      ? `kind: Dataset\nplatform: snowflake\nname: it\n${textOf(document)}`
      : "# nothing\n",
    "rule.yaml": isRule
      ? `kind: Rule\nid: r\nmatch: { kind: Dataset, name: it }\ndeclare:\n${textOf(rule).replaceAll(/^(?=.)/gm, "  ")}`
      : "# nothing\n",
    "tags.yaml": ids.map((id) => `kind: Tag\nid: ${id}\n`).join("---\n"),
  };
}

async function load(site: Site, ...aspects: readonly MadeAspect[]): Promise<void> {
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
}

const settings = settingsWith(
  "manage: { tags: merge, columns.tags: merge }",
  "missing: skip",
  "prune: { assignments: true }",
);

/** What is on the asset after a history, in which assets and columns go and come back or do not. */
async function after(history: readonly Step[], doesGo: boolean): Promise<unknown> {
  const none: Step = { type: "commit", document: { tags: [], email: [] }, rule: undefined };
  const site = await siteWith(filesOf(none), settings);
  const schema = (...columns: readonly string[]): MadeAspect => [
    asset,
    "schemaMetadata",
    schemaWith("id", ...columns),
  ];
  const apply = async (): Promise<void> => {
    const { code, stderr } = await site.apply("--prune");
    expect(code, stderr).toBe(0);
  };
  await load(site, schema("email"), [asset, "status", { removed: false }]);
  await apply();
  let count = 0;
  for (const step of history) {
    if (step.type === "commit") {
      count += 1;
      site.commit(inCatalog({ ...filesOf(step), "count.yaml": `# ${count}\n` }));
    } else if (step.type === "apply") await apply();
    else if (doesGo && step.type === "asset") await load(site, [asset, "status", { removed: !step.isThere }]);
    else if (doesGo) await load(site, schema(...(step.isThere ? ["email"] : [])));
  }
  await load(site, schema("email"), [asset, "status", { removed: false }]);
  await apply();
  site.commit(inCatalog({ "count.yaml": "# last\n" }));
  await apply();
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
  type Tags = { readonly tags?: readonly { readonly tag: string }[] } | undefined;
  const tagsIn = (tags: Tags): readonly string[] => (tags?.tags ?? []).map(({ tag }) => tag).toSorted();
  const edited = site.aspect(asset, "editableSchemaMetadata") as
    | { readonly editableSchemaFieldInfo: readonly { fieldPath: string; globalTags?: Tags }[] }
    | undefined;
  const email = edited?.editableSchemaFieldInfo.find(({ fieldPath }) => fieldPath === "email");
  return [tagsIn(site.aspect(asset, "globalTags") as Tags), tagsIn(email?.globalTags)];
}

test(
  "whatever goes and comes back, the values of ours are in the end what they are had nothing gone",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        expect(await after(history, true)).toEqual(await after(history, false));
      }),
      { numRuns: runsOf(4) },
    );
  },
);
