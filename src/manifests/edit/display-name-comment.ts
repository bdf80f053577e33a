import { canHaveDisplayName } from "../../facets/display-names.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** The display names that are known; `undefined` for what has none. */
export type DisplayNames = Pick<ReadonlyMap<Urn, string | undefined>, "get">;

/** The display name that a comment beside a value shows, where it says what the id does not. */
export function displayNameComment(value: Member | Scalar, names: DisplayNames): string | undefined {
  const urn = namedBy(value);
  const name = urn && names.get(urn);
  return urn && name !== undefined && addsToId(name, urn) ? name : undefined;
}

/** Whether a name says what the id does not. */
function addsToId(name: string, urn: Urn): boolean {
  return name.trim() !== "" && !lettersOf(urn).endsWith(lettersOf(name));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The entity whose display name a value can have beside it. */
export function namedBy(value: Member | Scalar): Urn | undefined {
  const [first] = typeof value === "object" && value !== null ? Object.values(value) : [value];
  return isUrn(first) && canHaveDisplayName(first) ? first : undefined;
}
