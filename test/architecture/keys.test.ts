import { expect, test } from "vitest";
import { assetKinds, kinds } from "../../src/kinds/index.ts";
import { withDeclare } from "../../src/manifests/rules/declare.ts";
import { declarableKeys, ruleKeys, ruleSchemaOf } from "../../src/manifests/schema/rule-schema.ts";
import type { JsonObject } from "../../src/model/json.ts";

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  "no facet of %s is called like another key of its manifests",
  (name, { fields }) => {
    const others = new Set(["kind", "manage", "exempt", ...Object.keys(fields)]);
    expect(declarableKeys(name).length).toBeGreaterThan(0);
    expect(declarableKeys(name).filter((key) => others.has(key))).toEqual([]);
  },
);

test.each(assetKinds.map((kind) => [kind.name, kind] as const))(
  "a rule for %s has these keys, and of the earlier form it declares none of them",
  (_, kind) => {
    const { declare, ...own } = ruleSchemaOf(kind)["properties"] as JsonObject;
    expect(declare).toBeDefined();
    expect(new Set(Object.keys(own))).toEqual(ruleKeys);
    const rule = { kind: "Rule", id: "a", match: {}, description: "What it is for." };
    expect(withDeclare(rule, kind)).toBe(rule);
    expect(withDeclare({ ...rule, tags: ["a"] }, kind)).toEqual({ ...rule, declare: { tags: ["a"] } });
  },
);
