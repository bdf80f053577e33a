import { kindOfType } from "../../kinds/index.ts";
import type { Change } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { entityTypeOf, isUrn } from "../../model/urn.ts";
import { many } from "../count.ts";
import { plainNameOf } from "../document/values.ts";
import { linked, plainText } from "./escape.ts";

/**
 * The page of an entity in DataHub's web interface at an address. `undefined` without an address, and for what has no page.
 * The interface decodes a URN twice, so it writes a percent sign in its own way (`urlEncodeUrn` in
 * datahub-web-react/src/app/entity/shared/utils.ts).
 */
export function pageOf(urn: string, links: string | undefined): string | undefined {
  const page = links !== undefined && isUrn(urn) ? kindOfType(entityTypeOf(urn))?.page : undefined;
  if (page === undefined) return undefined;
  return `${links}/${page}/${encodeURIComponent(urn.replaceAll("%", "{{encoded_percent}}"))}/`;
}

/** More entities than this are counted. */
const mostPages = 5;

/** A line of links to the entities that changes are about, without those that do not exist yet. Empty without an address. */
export function pagesLine(
  changes: readonly Change[],
  { names, links }: Pick<Plan, "names" | "links"> = {},
): string {
  if (links === undefined) return "";
  const urns = new Set(changes.flatMap(({ action, urn }) => (action === "create" ? [] : [urn])));
  const shown = [...urns].slice(0, mostPages).map((urn) => {
    return linked(plainText(plainNameOf(urn, names).slice(0, 80)), pageOf(urn, links));
  });
  const left = urns.size - shown.length;
  if (shown.length === 0) return "";
  return `<sub>In DataHub: ${shown.join(", ")}${left > 0 ? ` and ${many(left, "more", "more")}` : ""}</sub>`;
}
