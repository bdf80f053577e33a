import { facetNamed } from "../../facets/index.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names, Plan, Unmanaged } from "../../model/plan.ts";
import { called } from "../called.ts";
import { count } from "../count.ts";
import type { Paint } from "../paint.ts";
import { printable } from "../printable.ts";
import { placeIn, shown, writerText } from "./change-text.ts";

/** What is shown of the values that are not managed. With `counts` many of them are only counted. */
export type UnmanagedView = "counts" | "all" | "none";

const mostSingly = 20;

/** The values that are not managed, by entity; of many only how many there are. Empty if there are none. */
export function unmanagedText(plan: Plan, paint: Paint, view: UnmanagedView): string {
  const { unmanaged } = plan;
  if (unmanaged.length === 0 || view === "none") return "";
  if (unmanaged.length > mostSingly && view === "counts") return countsText(plan, paint);
  const blocks = [...groupBy(unmanaged, ({ urn }) => urn).values()].map((values) =>
    entityText(values, plan, paint),
  );
  return `${unmanagedHead(plan)}:\n${blocks.join("")}`;
}

function entityText(values: readonly Unmanaged[], { names }: Plan, paint: Paint): string {
  const lines = values.map((each) => {
    const what =
      each.facet === undefined ? "" : `${placeIn(each)}: ${shown(each.facet, each.value, names)}  `;
    return `    ${what}${paint("dim", `(${reasonText(each, names)})`)}\n`;
  });
  return `  ${values[0]?.kind} ${printable(called(values[0]?.urn ?? "", names))}\n${lines.join("")}`;
}

function countsText(plan: Plan, paint: Paint): string {
  const { unmanaged } = plan;
  const entities = new Set(unmanaged.map(({ urn }) => urn)).size;
  const total = `${count(unmanaged.length, "value")} of ${count(entities, "entity", "entities")}`;
  const lines = [...groupBy(unmanaged, ({ facet }) => facet)].map(
    ([facet = "definitions", values]) => `    ${printable(facet)}: ${countsOf(values)}\n`,
  );
  return `${unmanagedHead(plan)}: ${total}  ${paint("dim", "(--show-unmanaged lists them)")}\n${lines.join("")}`;
}

function countsOf(values: readonly Unmanaged[]): string {
  const counts = [...groupBy(values, ({ reason }) => reason)];
  return counts.map(([reason, those]) => `${those.length} ${reasons[reason]}`).join(", ");
}

/** Why a value is not managed, and who put it there if that is known. */
export function reasonText(value: Unmanaged, names?: Names): string {
  if (value.facet === undefined) return reasons[value.reason];
  const role = facetNamed(value.facet).shape === "scalar" ? "set by" : "added by";
  const writer = writerText(value, role, names);
  return writer === "" ? reasons[value.reason] : `${reasons[value.reason]}; ${writer}`;
}

const reasons: Readonly<Record<Unmanaged["reason"], string>> = {
  "other-writer": "not declared",
  ingested: "set by ingestion",
  external: "external group",
  "no-longer-declared": "no longer declared",
};

/** The heading of the values that are not managed. */
export function unmanagedHead({ unmanaged, git }: Plan): string {
  const isBlind = git.base === null && unmanaged.some(({ reason }) => reason === "other-writer");
  const reason = isBlind ? " (without a base, it is unknown what was declared before)" : "";
  return `Not managed, will not change${reason}`;
}
