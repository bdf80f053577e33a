import { isSetChange } from "../model/change.ts";
import { isJsonObject } from "../model/json.ts";
import { scalarOf } from "../model/state.ts";
import { type Facet, showPlain } from "./facet.ts";

/**
 * Whether a definition is soft-deleted. It is not declared: what a manifest declares shall be there. Read from the raw
 * aspect, because `CorpUser.status` is something else (SDL/entity.graphql).
 */
export const removed: Facet = {
  name: "removed",
  on: ["Tag", "User", "Group"],
  shape: "scalar",
  costly: false,
  aspects: () => ["status"],
  optionalFields: [],
  selection: () => "",
  parse: () => ({ value: false, references: [] }),
  show: showPlain,
  observe: ({ aspects }) => {
    const status = isJsonObject(aspects) ? aspects["status"] : undefined;
    return { value: scalarOf(isJsonObject(status) && status["removed"] === true) };
  },
  requests: (change) =>
    isSetChange(change)
      ? []
      : [
          {
            type: "proposal",
            urn: change.urn,
            aspect: "status",
            initial: {},
            set: { removed: change.after },
          },
        ],
};
