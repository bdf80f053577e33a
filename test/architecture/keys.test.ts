import { expect, test } from "vitest";
import { assetKinds, kinds } from "../../src/kinds/index.ts";
import { declarableKeys, ruleSchemaOf } from "../../src/manifests/rules/rule-schema.ts";
import { isJsonObject, type JsonObject } from "../../src/model/json.ts";

function keysOf({ properties }: JsonObject): readonly string[] {
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  "no facet of %s is called like another key of its manifests",
  (name, { fields }) => {
    const others = new Set(["kind", "manage", "exempt", ...Object.keys(fields)]);
    expect(declarableKeys(name).length).toBeGreaterThan(0);
    expect(declarableKeys(name).filter((key) => others.has(key))).toEqual([]);
  },
);

// History reads rules that have their facets beside these keys.
test.each(assetKinds.map((kind) => [kind.name, kind] as const))(
  "no facet of %s is called like a key of a rule",
  (name, kind) => {
    const keys = new Set(keysOf(ruleSchemaOf(kind)));
    expect(keys.has("declare")).toBe(true);
    expect(declarableKeys(name).filter((key) => keys.has(key))).toEqual([]);
  },
);
