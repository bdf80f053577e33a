import { expect, test } from "vitest";
import { defaultSettings, readSettings } from "../../src/manifests/settings/settings.ts";
import { defaultLimits } from "../../src/plan/checks/guards/index.ts";
import { messageOf } from "../../src/report/document/problems.ts";
import { briefly, withFiles } from "../support/manifest-files.ts";

/** Settings whose lines after the version are these, so that the first of them is line 2. */
async function settingsWith(lines: string) {
  return await withFiles({ "s.yaml": `version: 1\n${lines}\n` }, async (cwd) => {
    const { settings, problems } = await readSettings("s.yaml", "catalog", { cwd });
    const brief = briefly(problems).map((line) => line.replaceAll("s.yaml:", ""));
    return { settings, brief, messages: problems.map(messageOf) };
  });
}

test("modes are taken by facet, and by `groups` for a user's side of memberships", async () => {
  const { settings, brief } = await settingsWith(
    "manage:\n  owners: additive\n  columns.tags: merge\n  groups: authoritative\n  members: merge",
  );

  expect(brief).toEqual([]);
  expect(settings.manage).toEqual({
    owners: "additive",
    "columns.tags": "merge",
    groups: "authoritative",
    members: "merge",
  });
});

test("each ignore rule says where it stands", async () => {
  const { settings, brief } = await settingsWith(
    "ignore:\n  - { facet: tags, value: 'urn:li:tag:dbt:*', reason: dbt }\n  - urn: '*staging*'\n    reason: theirs",
  );

  expect(brief).toEqual([]);
  expect(settings.ignore).toEqual([
    {
      facet: "tags",
      value: "urn:li:tag:dbt:*",
      reason: "dbt",
      origin: { file: "s.yaml", line: 3, column: 5 },
    },
    { urn: "*staging*", reason: "theirs", origin: { file: "s.yaml", line: 4, column: 5 } },
  ]);
});

test("a limit that is not set is the usual one", async () => {
  const { settings, brief } = await settingsWith(
    "guards: { removals: { max_percent: 0, max_count: 5 }, deletes: { max_count: 3 }, vanished: {} }",
  );

  expect(brief).toEqual([]);
  expect(settings.limits).toEqual({
    ...defaultLimits,
    removals: { max_percent: 0, max_count: 5, min_existing: defaultLimits.removals.min_existing },
    deletes: { max_count: 3 },
  });
  expect(settings).not.toHaveProperty("guards");
});

test("half of a facet's name is answered at its place, with the other half where there is only one", async () => {
  const { brief } = await settingsWith("manage: { columns: { tags: merge } }");

  expect(brief).toEqual([expect.stringMatching(/^2:11 unknown-field(?: \(columns\.[a-z_]+\))?$/)]);
});

test("without settings the limits are the usual ones, and neither users nor structured properties are pruned", () => {
  expect(defaultSettings.limits).toEqual(defaultLimits);
  for (const kind of ["User", "StructuredProperty"])
    expect([...defaultSettings.prune.kinds]).not.toContain(kind);
});

test("the kinds to prune are those that are named", async () => {
  const { settings } = await settingsWith("prune: { kinds: [User, Tag] }");

  expect(settings.prune.kinds).toEqual(new Set(["User", "Tag"]));
  expect((await settingsWith("prune: { kinds: [] }")).settings.prune.kinds).toEqual(new Set());
  expect((await settingsWith("prune: {}")).settings.prune.kinds).toEqual(defaultSettings.prune.kinds);
});

test.each(["refs/datahub-gitops/applied", "HEAD~1", "v1.0", "a1b2c3d", "origin/main^{commit}"])(
  "%s is taken as base, with the place of its text",
  async (base) => {
    const { settings, brief } = await settingsWith(`base: ${base}`);

    expect(brief).toEqual([]);
    expect(settings.base).toBe(base);
    expect(settings.baseOrigin).toEqual({ file: "s.yaml", line: 2, column: 7 });
  },
);

test("an environment has what holds for all, and its own keys win, limit by limit", async () => {
  const { settings, brief } = await settingsWith(
    [
      "base: refs/datahub-gitops/applied",
      "missing: skip",
      "manage: { tags: merge }",
      "ignore: [{ urn: '*x', reason: r }]",
      "guards: { removals: { max_count: 9, max_percent: 8 } }",
      "prune: { kinds: [Tag] }",
      "environments:",
      "  dev: {}",
      "  prod:",
      "    base: refs/datahub-gitops/prod",
      "    missing: error",
      "    guards: { removals: { max_count: 1 }, deletes: { max_count: 2 } }",
      "    prune: { assignments: true }",
      "    paths: [a/*, b.yaml]",
    ].join("\n"),
  );
  const { environments, ...forAll } = settings;

  expect(brief).toEqual([]);
  expect([...(environments?.keys() ?? [])]).toEqual(["dev", "prod"]);
  expect(environments?.get("dev")).toEqual(forAll);
  expect(environments?.get("prod")).toEqual({
    ...forAll,
    base: "refs/datahub-gitops/prod",
    baseOrigin: { file: "s.yaml", line: 11, column: 11 },
    missing: "error",
    limits: {
      ...forAll.limits,
      removals: { ...forAll.limits.removals, max_count: 1 },
      deletes: { max_count: 2 },
    },
    prune: { kinds: new Set(["Tag"]), assignments: true },
    paths: [
      { pattern: "a/*", origin: { file: "s.yaml", line: 15, column: 13 } },
      { pattern: "b.yaml", origin: { file: "s.yaml", line: 15, column: 18 } },
    ],
  });
});

const all = ", reason: r";

// What is wrong, the lines, their problems as "line:column code (suggestion)".
const rows: readonly (readonly [string, string, readonly string[]])[] = [
  ["a misspelt mode for all", "manage: merg", ["2:9 unknown-value (merge)"]],
  ["a list of modes", "manage: [merge]", ["2:9 wrong-type"]],
  ["modes without value", "manage:", ["2:1 null-value"]],
  ["a misspelt mode", "manage: { tags: authoritive }", ["2:17 unknown-value (authoritative)"]],
  ["a mode in upper case", "manage: { tags: MERGE }", ["2:17 unknown-value (merge)"]],
  ["a mode without value", "manage:\n  tags:", ["3:8 unknown-value"]],
  ["a list as mode", "manage: { tags: [merge] }", ["2:17 unknown-value"]],
  ["a misspelt facet", "manage: { tag: merge }", ["2:11 unknown-field (tags)"]],
  ["a facet that nobody declares", "manage: { removed: merge }", ["2:11 unknown-field"]],
  ["a mapping of rules", `ignore: { value: a${all} }`, ["2:9 wrong-type ([{ value: a, reason: r }])"]],
  ["a text as rules", "ignore: urn:li:tag:a", ["2:9 wrong-type"]],
  ["rules without value", "ignore:", ["2:1 null-value (ignore: [])"]],
  ["a text as rule", "ignore: [a]", ["2:10 wrong-type"]],
  ["a rule without value", "ignore:\n  -", ["3:4 null-value"]],
  ["a rule without reason", "ignore: [{ value: a }]", ["2:10 missing-field"]],
  ["a rule without pattern", "ignore: [{ facet: tags, reason: r }]", ["2:10 missing-one-of"]],
  ["a rule without anything", "ignore: [{}]", ["2:10 missing-field", "2:10 missing-one-of"]],
  ["a misspelt pattern", `ignore: [{ vlaue: a${all} }]`, ["2:12 unknown-field (value)"]],
  ["an empty pattern", `ignore: [{ value: ''${all} }]`, ["2:19 empty-text"]],
  ["an empty pattern of URNs", `ignore: [{ urn: ''${all} }]`, ["2:17 empty-text"]],
  ["a pattern without value", `ignore: [{ value: ${all} }]`, ["2:12 null-value"]],
  ["a number as pattern", `ignore: [{ value: 12${all} }]`, ['2:19 wrong-type ("12")']],
  ["a pattern that is an alias", `ignore: [{ value: *dbt${all} }]`, ["2:19 unknown-alias"]],
  ["an empty reason", "ignore: [{ value: a, reason: '' }]", ["2:30 empty-text"]],
  ["a blank reason", "ignore: [{ value: a, reason: '  ' }]", ["2:30 empty-text"]],
  ["a misspelt facet in a rule", `ignore: [{ facet: tag, value: '*'${all} }]`, ["2:19 unknown-value (tags)"]],
  [
    "a user's side of memberships",
    `ignore: [{ facet: groups, value: '*'${all} }]`,
    ["2:19 unknown-value (members)"],
  ],
  [
    "the id of a tag for its URN",
    `ignore: [{ facet: tags, value: 'dbt:*'${all} }]`,
    ["2:32 urn-pattern (urn:li:tag:dbt:*)"],
  ],
  [
    "the id of an owner for its URN",
    `ignore: [{ facet: owners, value: bot${all} }]`,
    ["2:34 urn-pattern (urn:li:corpuser:bot)"],
  ],
  ["the name of a dataset for its URN", `ignore: [{ urn: finance.invoices${all} }]`, ["2:17 urn-pattern"]],
  ["limits as a list", "guards: [removals]", ["2:9 wrong-type"]],
  ["a misspelt guard", "guards: { removal: {} }", ["2:11 unknown-field (removals)"]],
  ["a percentage for a guard", "guards: { removals: 30% }", ["2:21 wrong-type ({ max_percent: 30 })"]],
  ["a number for a guard", "guards: { deletes: 5 }", ["2:20 wrong-type ({ max_count: 5 })"]],
  ["a number that may mean two limits", "guards: { removals: 5 }", ["2:21 wrong-type"]],
  ["a per cent sign", "guards: { removals: { max_percent: 30% } }", ["2:36 wrong-type (30)"]],
  ["a count with per cent sign", "guards: { removals: { max_count: 30% } }", ["2:34 wrong-type"]],
  ["a quoted number", "guards: { deletes: { max_count: '7' } }", ["2:33 wrong-type (7)"]],
  ["a fraction for a percentage", "guards: { removals: { max_percent: 0.3 } }", ["2:36 wrong-type (30)"]],
  ["a fraction", "guards: { removals: { max_count: 2.5 } }", ["2:34 wrong-type"]],
  ["more than all", "guards: { vanished: { max_percent: 101 } }", ["2:36 out-of-range"]],
  ["less than nothing", "guards: { deletes: { max_count: -1 } }", ["2:33 out-of-range"]],
  ["a limit that a guard has not", "guards: { vanished: { max_count: 1 } }", ["2:23 unknown-field"]],
  ["a limit without value", "guards: { deletes: { max_count: } }", ["2:22 null-value"]],
  ["an empty base", "base: ''", ["2:7 empty-text"]],
  ["a base without value", "base:", ["2:1 null-value"]],
  ["a base that is an option", "base: --upload-pack=x", ["2:7 base-ref"]],
  ["a base of two words", "base: my branch", ["2:7 base-ref"]],
  ["runs that are kept with `true`", "runs: true", ["2:7 unknown-value"]],
  ["no runs to keep", "runs: { keep: 0 }", ["2:15 out-of-range"]],
  ["a base where runs are kept", "base: refs/datahub-gitops/runs", ["2:7 runs-base"]],
  ["a base of digits", "base: 1234567", ['2:7 wrong-type ("1234567")']],
  ["a list of kinds to prune", "prune: [Domain]", ["2:8 wrong-type ({ kinds: [Domain] })"]],
  ["one kind to prune", "prune: { kinds: Domain }", ["2:17 wrong-type ([Domain])"]],
  ["a kind that is never deleted", "prune: { kinds: [Dataset] }", ["2:18 unknown-value"]],
  ["a kind in lower case", "prune: { kinds: [tag] }", ["2:18 unknown-value (Tag)"]],
  ["environments as a list", "environments: [dev]", ["2:15 wrong-type"]],
  ["an environment without value", "environments:\n  dev:", ["3:3 null-value"]],
  [
    "a misspelt key of an environment",
    "environments: { dev: { sevrer: a } }",
    ["2:24 unknown-field (server)"],
  ],
  ["a key that is for all", "environments: { dev: { manage: {} } }", ["2:24 unknown-field"]],
  ["an environment of two words", "environments: { my dev: {} }", ["2:17 environment-name"]],
  ["an environment that is an option", "environments: { -dev: {} }", ["2:17 environment-name"]],
  ["a server of an environment", "environments: { dev: { server: acme.com } }", ["2:32 server-address"]],
  ["a page of an environment", "environments: { dev: { links: acme.com } }", ["2:31 links-address"]],
  ["a branch as its base", "environments: { dev: { base: main } }", ["2:30 environment-base"]],
  [
    "a commit beside its base",
    "environments: { dev: { base: refs/datahub-gitops/a~1 } }",
    ["2:30 environment-base"],
  ],
  [
    "no folder as its base",
    "environments: { dev: { base: refs/datahub-gitops/ } }",
    ["2:30 environment-base"],
  ],
  ["no pattern of paths", "environments: { dev: { paths: [] } }", ["2:31 empty-list"]],
  ["an empty pattern of paths", "environments: { dev: { paths: [''] } }", ["2:32 empty-text"]],
  [
    "a limit of an environment",
    "environments: { dev: { guards: { deletes: 1 } } }",
    ["2:43 wrong-type ({ max_count: 1 })"],
  ],
  [
    "the same base twice",
    "environments:\n  dev: { base: refs/datahub-gitops/a }\n  prod: { base: refs/datahub-gitops/A }",
    ["4:17 same-base & 3:16"],
  ],
  [
    "the base of all in two environments",
    "base: refs/datahub-gitops/a\nenvironments:\n  dev: {}\n  prod: {}",
    ["5:3 same-base & 4:3"],
  ],
];

test.each(rows)("%s in the settings is answered at its place", async (_, lines, expected) => {
  const { brief, settings } = await settingsWith(lines);

  expect(brief).toEqual(expected);
  expect(settings).toEqual(defaultSettings);
});

test.each([
  ["guards: { removals: { max_percent: 130 } }", "must be between 0 and 100, but is 130"],
  ["guards: { deletes: { max_count: -1 } }", "must be 0 or more, but is -1"],
  ["guards: { deletes: { max_count: 2.5 } }", "must be a whole number, but is a fraction"],
  ["ignore: [{ reason: r }]", "`ignore[0]` must have `value` or `urn`"],
  ["manage: { x: merge }", "`manage` has no field `x`; its fields are `domain`, "],
  ["base: -x", "`-x` is not a valid ref: it must not start with `-`"],
  ["ignore: [{ urn: a, reason: r }]", "cannot match any URN: `a` is compared with full URNs"],
])("%s is answered in words: %s", async (lines, text) => {
  const { messages } = await settingsWith(lines);

  expect(messages.join("\n")).toContain(text);
});

test("a pattern of a facet whose values are texts may be any text", async () => {
  const { brief } = await settingsWith(
    "ignore: [{ facet: description, value: Made by *, reason: r }, { value: a, reason: r }, { facet: tags, value: 'u*', reason: r }]",
  );

  expect(brief).toEqual([]);
});
