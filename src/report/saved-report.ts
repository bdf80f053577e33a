import { columnOf } from "../facets/places.ts";
import type { Change } from "../model/change.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Operation, Request } from "../model/operation.ts";
import type { Plan } from "../model/plan.ts";
import type { Outcome, Report, Run } from "../model/report.ts";
import { creationOf } from "../plan/order/changes.ts";
import { invalidBy, parseObject, planIn, type SavedFault } from "./saved-plan.ts";
import { isAsSealed } from "../plan/hash.ts";
import { reportSchema } from "./schema.ts";

/** Reads a plan or a report in its JSON form. One that was edited since it was made is a fault. */
export function parseSaved(text: string): { readonly plan: Plan } | { readonly report: Report } | SavedFault {
  const read = parseObject(text);
  if ("fault" in read) return read;
  return read.value["outcomes"] === undefined ? planIn(read.value) : reportIn(read.value);
}

function reportIn(value: JsonObject): { readonly report: Report } | SavedFault {
  const invalid = invalidBy(reportSchema, value);
  if (invalid) return invalid;
  if (!isAsSealed(value)) return { fault: "edited" };
  // The schema has proved it.
  const saved = value as unknown as SavedReport;
  const read = isJsonObject(value["plan"]) ? planIn(value["plan"]) : ({ fault: "foreign" } as const);
  if ("fault" in read) return read;
  const { plan } = read;
  const outcomes = saved.outcomes.flatMap((printed, index) => outcomeOf(printed, `${index}`, plan) ?? []);
  if (outcomes.length < saved.outcomes.length) return { fault: "edited" };
  const { run, unproved } = saved;
  const known = { ...(run && { run }), ...(unproved !== undefined && { unproved }) };
  return { report: { plan, outcomes, ...known } };
}

/** A report as its schema lets it be written. */
interface SavedReport {
  readonly outcomes: readonly PrintedOutcome[];
  readonly run?: Run;
  readonly unproved?: string;
}

interface PrintedOutcome {
  readonly urn: string;
  readonly facet?: string;
  readonly facets?: readonly string[];
  readonly column?: string;
  readonly columns?: readonly string[];
  readonly operation: string;
}

/** An outcome with the changes of the plan that it is about. Of the request only its name is known. */
function outcomeOf(printed: PrintedOutcome, id: string, { changes }: Plan): Outcome | undefined {
  const { urn, facet, facets = [facet], column, columns = [column], operation: name, ...result } = printed;
  const found = facets.flatMap((each, index) => {
    const isThat = (change: Change): boolean =>
      change.urn === urn &&
      change.facet === each &&
      (each !== facet || columnOf(change) === (columns[index] ?? column));
    return changes.find(isThat) ?? (each === undefined ? creationIn(changes, urn) : []);
  });
  const [first] = found;
  if (!first || found.length < facets.length) return undefined;
  const request = requestNamed(name, first);
  const operation: Operation = { id, request, locks: [], after: [], changes: found };
  return { ...result, operation } as unknown as Outcome;
}

/** The creation of an entity, where a plan shows only what is declared of it. */
function creationIn(changes: readonly Change[], urn: string): readonly Change[] {
  const created = changes.find((change) => change.urn === urn && change.action === "create");
  return created ? [creationOf(created)] : [];
}

/** The request of a name that `nameOfRequest` gives. */
function requestNamed(name: string, { urn }: Change): Request {
  const [field = "", aspect] = name.split(" ");
  return aspect === undefined
    ? { type: "mutation", field, args: [] }
    : { type: "proposal", urn, aspect, initial: {}, set: {} };
}
