/** Describes fights: values that a different writer repeatedly resets. */

import type { Opponent } from "../../model/change.ts";
import type { Finding, Names } from "../../model/plan.ts";
import { columnOf } from "../../facets/places.ts";
import { count } from "../count.ts";
import { namesOf, urnWithName } from "./values.ts";

/** Describes the values that a plan holds back, the writer who resets them, and how to end the fight. */
export function fightText({ numbers, opponent = {}, changes }: Finding, names?: Names): string {
  const { values = 0, times = 0, keptByMerge = 0 } = numbers;
  const merge = keptByMerge > 0 ? "set mode `merge`, " : "";
  const urns = [...new Set(changes.map(({ urn }) => urn))];
  const places = new Set(changes.map((change) => columnOf(change) ?? change.facet ?? ""));
  const where = `${[...places].join(", ")} of ${namesOf(urns, names)}`;
  return [
    `Held back for now: ${count(values, "value")} (${where}), written ${count(times, "time")} and reverted each time by ${opponentText(opponent, names)}.`,
    `To end the fight, change the manifest, ${merge}add an ignore rule with a reason to the settings, or change what the other writer sets.`,
  ].join(" ");
}

function opponentText({ actor, agent, ingestionRun, pipeline }: Opponent, names?: Names): string {
  const who = actor === undefined ? "someone" : urnWithName(actor, names);
  const by = [
    ...(agent === undefined ? [] : [agent]),
    ...(pipeline === undefined ? [] : [`pipeline ${pipeline}`]),
    ...(ingestionRun === undefined ? [] : [`ingestion run ${ingestionRun}`]),
  ];
  return by.length === 0 ? who : `${who} (${by.join(", ")})`;
}
