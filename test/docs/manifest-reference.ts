/** Writes the reference of manifests from the schemas: the fields that kinds share, and those of each kind. */

import { assetKinds, definitionKinds, kinds } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { matchKeys } from "../../src/kinds/match-key.ts";
import { manifestText } from "../../src/manifests/edit/format/manifest-text.ts";
import { policyKind, waiverKind } from "../../src/manifests/schema/policy-kinds.ts";
import { policySchemaOf } from "../../src/manifests/schema/policy-schema.ts";
import { requirements } from "../../src/manifests/schema/requirement-schema.ts";
import { ruleKind, ruleSchemaOf } from "../../src/manifests/schema/rule-schema.ts";
import { schemaOf } from "../../src/manifests/schema/schema.ts";
import { waiverSchema } from "../../src/manifests/schema/waiver-schema.ts";
import { groupBy } from "../../src/model/group-by.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, textOf } from "../../src/model/json.ts";
import {
  examplesOf,
  exampleText,
  type Field,
  fieldsHead,
  fieldsIn,
  markedFieldsIn,
  meaningOf,
  rowOf,
  withNested,
} from "./field-rows.ts";

/** The reference of every kind and of rules, policies and waivers, as Markdown. */
export function manifestReference(): string {
  const [first] = assetKinds;
  return [
    sharedSection(),
    ...definitionKinds.map(definitionSection),
    assetsSection(),
    ...assetKinds.map(assetSection),
    ...(first ? [ruleSection(first), policySection(first)] : []),
    waiverSection(),
    matchSection(),
    conditionSection(),
  ].join("\n");
}

/** The fields of a kind, without `kind`. */
function fieldsOf(kind: Kind): readonly (readonly [string, JsonObject])[] {
  return fieldsIn(schemaOf(kind)).filter(([name]) => name !== "kind");
}

/** Two kinds share a field if it means the same in both. */
function keyOf(name: string, schema: JsonObject): string {
  return `${name} ${textOf(schema["description"])}`;
}

const kindsByField = groupBy(
  kinds.flatMap((kind) => fieldsOf(kind).map(([name, schema]) => ({ kind, key: keyOf(name, schema) }))),
  ({ key }) => key,
);

function kindsWith(name: string, schema: JsonObject): readonly Kind[] {
  return (kindsByField.get(keyOf(name, schema)) ?? []).map(({ kind }) => kind);
}

function isShared([name, schema]: readonly [string, JsonObject]): boolean {
  return kindsWith(name, schema).length > 1;
}

/** Fields whose own fields are in other tables: those of users, and those that identify assets. */
const isElsewhere = (path: string): boolean => /^(?:members|assets)\[\]\.(?!kind$)/.test(path);

function sharedSection(): string {
  const onRequest = definitionKinds.filter(({ deletion }) => deletion?.byDefault !== true);
  return `## Shared fields

Several kinds share these fields. The table groups the kinds as follows:

- *Definitions* are ${names(definitionKinds)}. \`apply\` creates and updates them. \`--prune\` deletes them when they are no longer declared, but it deletes ${names(onRequest)} only if \`prune.kinds\` in the settings lists them.
- *Assets* are ${names(assetKinds)}. They must already exist in DataHub. The tool never creates or deletes them.

${sharedTable((kind, name) => !(name in kind.fields))}
`;
}

/** The table of the shared fields that are wanted. */
function sharedTable(isWanted: (kind: Kind, name: string) => boolean): string {
  const wanted = kinds.flatMap((kind) =>
    fieldsOf(kind).filter((field) => isShared(field) && isWanted(kind, field[0])),
  );
  const rows = [...groupBy(wanted, ([name, schema]) => keyOf(name, schema)).values()].flatMap((same) => {
    const [[name, schema] = ["", {}] as const] = same;
    const [own = ["", {}, ""] as const, ...nested] = withNested([name, schema, ""], isElsewhere);
    return [sharedRow(own, labelOf(kindsWith(name, schema))), ...nested.map((each) => sharedRow(each, ""))];
  });
  return `| field | kinds | what it means | example |
| --- | --- | --- | --- |
${rows.join("\n")}`;
}

function sharedRow([path, schema, need]: Field, label: string): string {
  return `| \`${path}\`${need} | ${label} | ${meaningOf(schema)} | ${exampleText(path, schema)} |`;
}

function names(list: readonly Kind[]): string {
  return list
    .map(({ name }) => name)
    .join(", ")
    .replace(/, (\w+)$/, " and $1");
}

/** The kinds in a table, briefly where all definitions or all assets are meant. */
function labelOf(list: readonly Kind[]): string {
  if (kinds.every((each) => list.includes(each))) return "all";
  const groups = [
    { label: "definitions", members: definitionKinds },
    { label: "assets", members: assetKinds },
  ].filter(({ members }) => members.every((each) => list.includes(each)));
  const covered = new Set<Kind>(groups.flatMap(({ members }) => members));
  const others = list.filter((each) => !covered.has(each));
  return [...groups.map(({ label }) => label), ...others.map(({ name }) => name)].join(", ");
}

function tableOf(fields: readonly Field[]): string {
  return fields.length === 0 ? "" : `\n${[fieldsHead, ...fields.map(rowOf)].join("\n")}\n`;
}

/** The fields that only this kind has. */
function ownFields(kind: Kind): readonly Field[] {
  const own = markedFieldsIn(schemaOf(kind)).filter(
    ([name, schema]) => name !== "kind" && !isShared([name, schema]),
  );
  return own.flatMap((field) => withNested(field, isElsewhere));
}

function definitionSection(kind: Kind): string {
  const shared = fieldsOf(kind).filter(isShared);
  return `## ${kind.name}

Shared fields: ${shared.map(([name]) => `\`${name}\``).join(", ")}.
${tableOf(ownFields(kind))}
${blockOf(fieldsOf(kind), kind.name)}`;
}

function assetsSection(): string {
  return `## Assets

Identify an asset by its \`urn\`, or by \`platform\`, \`name\` and the other parts of its URN. A container can be identified only by its \`urn\`. Assets also have the [shared fields](#shared-fields).

${sharedTable((kind, name) => name in kind.fields)}
`;
}

/** An asset of the first kind with all fields; one of another kind with those that identify it, and two others. */
function assetSection(kind: Kind): string {
  const fields = fieldsOf(kind).filter(([name]) => name !== "urn" || isRequired(kind, name));
  const shown = fields.filter(([name]) => kind === assetKinds[0] || name in kind.fields || few.has(name));
  return `### ${kind.name}
${tableOf(ownFields(kind))}
${blockOf(shown, kind.name)}`;
}

const few: ReadonlySet<string> = new Set(["domain", "description"]);

function isRequired(kind: Kind, name: string): boolean {
  const { required: needed } = schemaOf(kind);
  return isJsonList(needed) && needed.includes(name);
}

/** A manifest with the first example of each field. */
function blockOf(fields: readonly (readonly [string, JsonObject])[], kind: string): string {
  const entries = fields.map(([name, schema]): [string, Json] => [name, examplesOf(schema)[0] ?? null]);
  return `\`\`\`yaml
${manifestText([{ data: { kind, ...Object.fromEntries(entries) } }])}\`\`\`
`;
}

/** A section for what is not a kind of entity. The fields in other tables are left out. */
function unlistedSection(
  title: string,
  about: string,
  schema: JsonObject,
  kept: RegExp,
  hidden = "",
): string {
  const own = markedFieldsIn(schema).filter(([name]) => name !== "kind" && name !== "manage");
  const fields = own.flatMap((field) => withNested(field, (path) => !kept.test(path), 3));
  const shown = fieldsIn(schema).filter(([name]) => name !== "kind" && name !== hidden);
  return `## ${title}

${about}
${tableOf(fields)}
${blockOf(shown, title)}`;
}

/** Rules as those for the first kind of asset: it has every key. */
function ruleSection(kind: Kind): string {
  const about =
    "A rule is not an entity in DataHub. Its `match` contains a `kind` of asset and [match keys](#match-keys) for that kind. Its `declare` contains fields of that kind. `manage` is a [shared field](#shared-fields).";
  const kept =
    /^(?:match\.(?:ignore_case|not)|declare\.columns(?:\.NAME\.(?:native_type|not|ignore_case))?)$/;
  return unlistedSection(ruleKind, about, ruleSchemaOf(kind), kept);
}

/** Policies as those for the first kind of asset. A policy judges entities or columns, so the example has no columns. */
function policySection(kind: Kind): string {
  const about =
    "A policy is not an entity in DataHub. Its `match` contains a `kind`, which can be any kind, and [match keys](#match-keys). A policy has `require` with [conditions](#policy-conditions), `check` or both. Alternatively, it has `columns`.";
  const kept = /^(?:match\.not|columns\.(?:match|require)|columns\.match\.(?:name|type)|coverage\..*)$/;
  return unlistedSection(policyKind, about, policySchemaOf(kind), kept, "columns");
}

function waiverSection(): string {
  const about =
    "A waiver is not an entity in DataHub. It suspends violations of a policy through the given date. Its `match` can contain any of the [match keys](#match-keys).";
  return unlistedSection(waiverKind, about, waiverSchema, /^match\.not$/);
}

function matchSection(): string {
  const { properties } = waiverSchema.properties.match;
  const schemas = new Map(fieldsIn({ properties }));
  const own = new Set<string>([...matchKeys.map(({ key }) => key), "not"]);
  const others = [...schemas].filter(([name]) => !own.has(name));
  const [listed, references] = [
    others.filter(([, schema]) => !refersToField(schema)),
    others.filter(([, schema]) => refersToField(schema)),
  ];
  const keys = matchKeys.map(({ key, schema }) => {
    const having = assetKinds.filter(({ matchedBy = [] }) => matchedBy.some((each) => each.key === key));
    return sharedRow([key, schema, ""], key === "urn" ? "all" : labelOf(having));
  });
  return `## Match keys

Rules, policies and waivers can match on these keys:

| key | kinds | what it matches | example |
| --- | --- | --- | --- |
${keys.join("\n")}

Policies and waivers can also match on the fields below, if the kind has them. Rules cannot match on these fields, because rules can change them:

${fieldsHead}
| ${references.map(([name]) => `\`${name}\``).join(", ")} | Matches if the field contains this id or URN. \`*\` matches any text. | \`tags: pii\` |
${listed.map(([name, schema]) => rowOf([name, schema, ""])).join("\n")}
`;
}

function refersToField(schema: JsonObject): boolean {
  return textOf(schema["description"]).startsWith("Matches if");
}

const shapeLabels = {
  owners: "owners",
  references: "lists of ids",
  reference: "a single id",
  texts: "lists of text values, structured properties",
  text: "a single text value",
} satisfies Readonly<Record<keyof typeof requirements, string>>;

function conditionSection(): string {
  const conditions = Object.entries(requirements).flatMap(([shape, { else: mapping }]) =>
    fieldsIn(isJsonObject(mapping) ? mapping : {}).map(([name, schema]) => ({ shape, name, schema })),
  );
  const rows = [...groupBy(conditions, ({ name, schema }) => keyOf(name, schema)).values()].map((same) => {
    const [{ name, schema } = { name: "", schema: {} }] = same;
    const labels = same.map(({ shape }) => shapeLabels[shape as keyof typeof shapeLabels]);
    return sharedRow([name, schema, ""], labels.join(", "));
  });
  return `## Policy conditions

In \`require\`, each field of the kind is \`true\` (it must have a value), \`false\` (it must have none), or a mapping with these conditions. For \`structured_properties\`, set conditions for each property.

| condition | for | what it means | example |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}
