import type { AspectRow } from "../../src/local-catalog/server.ts";

/** A change of a plan, as its JSON has it, with the fields that are needed here. */
interface ChangeJson {
  readonly urn: string;
  readonly facet: string;
  readonly column?: string;
  readonly before?: string | null;
  readonly after?: string | null;
  readonly add?: readonly (string | OwnerJson)[];
  readonly remove?: readonly (string | OwnerJson)[];
}

interface OwnerJson {
  readonly owner: string;
  readonly type: string;
}

interface OutcomeJson {
  readonly status: string;
  readonly urn: string;
  readonly facet: string;
  readonly facets?: readonly string[];
  readonly column?: string;
  readonly operation: string;
}

/** The report of an apply as JSON. */
export interface ReportJson {
  readonly plan: { readonly changes: readonly ChangeJson[] };
  readonly outcomes: readonly OutcomeJson[];
  readonly run: { readonly exitCode: number; readonly startedAt: string };
}

/** The fields of definitions, and the facets that they are declared as. */
const fields: Readonly<Record<string, string>> = {
  name: "name",
  description: "description",
  parentDomain: "parent_domain",
  colorHex: "color_hex",
  displayName: "display_name",
  title: "title",
  managerUrn: "manager_urn",
  slack: "slack",
};

interface Tags {
  readonly tags?: readonly { readonly tag: string }[];
}

/** The values that manifests can declare, read from what is stored. */
export function valuesIn(rows: readonly AspectRow[]): readonly string[] {
  return rows
    .filter(({ version }) => version === 0)
    .flatMap(storedValues)
    .toSorted();
}

function storedValues({ urn, aspect, value }: AspectRow): readonly string[] {
  if (aspect === "globalTags") return tagsIn(value).map((tag) => `${urn} tags ${tag}`);
  if (aspect === "ownership") {
    const { owners } = value as { owners: readonly { owner: string; typeUrn: string }[] };
    return owners.map(({ owner, typeUrn }) => `${urn} owners ${owner} ${typeUrn}`);
  }
  if (aspect === "domains") {
    return (value as { domains: readonly string[] }).domains.map((domain) => `${urn} domain ${domain}`);
  }
  if (aspect === "editableSchemaMetadata") return columnTags(urn, value);
  if (aspect === "nativeGroupMembership") {
    const { nativeGroups } = value as { nativeGroups: readonly string[] };
    return nativeGroups.map((group) => `${group} members ${urn}`);
  }
  if (aspect === "origin") return [`${urn} origin ${(value as { type: string }).type}`];
  if (aspect === "status") return (value as { removed: boolean }).removed ? [`${urn} removed`] : [];
  if (!/(?:Properties|Info)$/.test(aspect)) return [];
  return Object.entries(value as object).flatMap(([field, text]) => {
    const facet = fields[field];
    return facet === undefined ? [] : [`${urn} ${facet} ${text}`];
  });
}

function columnTags(urn: string, value: unknown): readonly string[] {
  const { editableSchemaFieldInfo } = value as {
    editableSchemaFieldInfo: readonly { fieldPath: string; globalTags?: Tags }[];
  };
  return editableSchemaFieldInfo.flatMap(({ fieldPath, globalTags }) =>
    tagsIn(globalTags).map((tag) => `${urn} columns.tags ${fieldPath} ${tag}`),
  );
}

function tagsIn(value: unknown): readonly string[] {
  return ((value as Tags | undefined)?.tags ?? []).map(({ tag }) => tag);
}

/** What is there after a report, if it is true: the values that were there, and what its applied operations did. */
export function valuesAfter(before: readonly string[], { plan, outcomes }: ReportJson): readonly string[] {
  const values = new Set(before);
  for (const outcome of outcomes.filter(({ status }) => status === "applied")) {
    const { urn, facet, facets = [facet], column, operation } = outcome;
    if (operation === "ingestProposal origin") {
      values.add(`${urn} origin NATIVE`);
      continue;
    }
    for (const change of plan.changes) {
      if (change.urn === urn && facets.includes(change.facet) && change.column === column)
        carryOut(change, operation, values);
    }
  }
  return [...values].toSorted();
}

function carryOut(change: ChangeJson, operation: string, values: Set<string>): void {
  const { urn, facet, column, before, after, add = [], remove = [] } = change;
  const place = [urn, facet, ...(column === undefined ? [] : [column])].join(" ");
  const isScalar = after !== undefined;
  const isRemoval = /^(?:batchR|r)emove/.test(operation);
  const gone = isScalar ? [before] : isRemoval ? remove : [];
  const come = isScalar ? [after] : isRemoval ? [] : add;
  for (const value of gone) values.delete(`${place} ${textOf(value)}`);
  for (const value of come) values.add(`${place} ${textOf(value)}`);
}

function textOf(value: string | OwnerJson | null | undefined): string {
  return typeof value === "object" && value !== null ? `${value.owner} ${value.type}` : `${value}`;
}
