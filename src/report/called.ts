import type { Names } from "../model/plan.ts";

// The URN after it must not be lost where long lines are cut.
const longestName = 80;

/** A URN with the display name before it, where one is known: `Growth (urn:li:domain:2fbac1a0)`. */
export function called(urn: string, names: Names = {}): string {
  const name = nameOf(urn, names);
  return name === undefined ? urn : `${name} (${urn})`;
}

/** A sentence in which a URN in back quotes has the display name before it, where one is known. */
export function sentenceWithNames(sentence: string, names: Names = {}): string {
  return sentence.replaceAll(/`(urn:li:[^`]+)`/g, (quoted, urn: string) => {
    const name = nameOf(urn, names);
    // What stands between back quotes is a value.
    return name === undefined ? quoted : `${name.replaceAll("`", "'")} (${quoted})`;
  });
}

function nameOf(urn: string, names: Names): string | undefined {
  // A saved plan can ask for any text: `constructor` is not a name.
  const name = Object.hasOwn(names, urn) ? names[urn] : undefined;
  return name === undefined ? undefined : cut(name);
}

function cut(name: string): string {
  const characters = Array.from(name);
  return characters.length > longestName ? `${characters.slice(0, longestName).join("")}…` : name;
}
