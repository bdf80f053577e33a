/** Prints a line of links to entities' pages in DataHub. */

import type { Change } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { countedText } from "../count.ts";
import { pageOf } from "../document/entity-page.ts";
import { plainNameOf } from "../document/values.ts";
import { linked, plainText } from "./escape.ts";

/** The maximum number of entities to link. All other entities are counted, but not listed. */
const maxPages = 5;

/** Prints links to changed entities that already exist. Returns an empty string if the URL of DataHub is unknown. */
export function pagesLine(changes: readonly Change[], plan: Plan | undefined): string {
  const { names, links } = plan ?? {};
  if (links === undefined) return "";
  const urns = new Set(changes.flatMap(({ action, urn }) => (action === "create" ? [] : [urn])));
  const shown = [...urns].slice(0, maxPages).map((urn) => {
    return linked(plainText(plainNameOf(urn, names).slice(0, 80)), pageOf(urn, links));
  });
  const left = urns.size - shown.length;
  if (shown.length === 0) return "";
  return `<sub>In DataHub: ${shown.join(", ")}${left > 0 ? ` and ${countedText(left, "more", "more")}` : ""}</sub>`;
}
