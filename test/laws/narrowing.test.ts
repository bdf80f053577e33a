import fc from "fast-check";
import { expect } from "vitest";
import { lawsOf } from "./law.ts";
import { declaredIn, narrowedIn, narrowings, policyOf, worlds } from "./worlds.ts";

const law = lawsOf(fc.tuple(worlds, narrowings), 300);

law(
  "a narrowed selection holds what is declared, or was and is not, and has one of the values of each",
  ([world, { targets, kinds, platforms, domains }]) => {
    const states = { now: declaredIn(world), before: policyOf(world).base };
    const all = new Map([...(states.before ?? []), ...states.now]);
    const expected = [...all.values()].filter(({ urn, kind, facets }) => {
      const names = [urn, /([^:,]+)(?:,PROD\))?$/.exec(urn)?.[1] ?? ""];
      const isTarget = (pattern: string): boolean =>
        names.some((name) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name));
      const domain = facets.get("domain");
      return (
        (!targets || targets.some(isTarget)) &&
        (!kinds || kinds.includes(kind)) &&
        (!platforms ||
          platforms.some((each) => urn.startsWith(`urn:li:dataset:(urn:li:dataPlatform:${each},`))) &&
        (!domains || domains.some((each) => domain?.shape === "scalar" && domain.value === each))
      );
    });
    const asked = [targets, kinds, platforms, domains].some((each) => each !== undefined);
    if (!asked) return;
    const selected = narrowedIn(states, { targets, kinds, platforms, domains });
    expect([...selected].toSorted()).toEqual(expected.map(({ urn }) => urn).toSorted());
  },
);
