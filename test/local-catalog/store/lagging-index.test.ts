import fc from "fast-check";
import type { AspectReads } from "../../../src/local-catalog/store/aspect-store.ts";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import { laggingStore } from "../../../src/local-catalog/store/lagging-index.ts";
import { openSqlite } from "../../../src/local-catalog/store/sqlite/connection.ts";
import { aspectStoreIn } from "../../../src/local-catalog/store/sqlite/open-store.ts";

const urns = ["urn:li:tag:a", "urn:li:tag:b", "urn:li:domain:c"];
const aspects = ["status", "ownership"];
const audit = { actor: "urn:li:corpuser:a", time: 1, systemMetadata: {} };

const step = fc.oneof(
  fc.record({ do: fc.constant("put" as const), urn: fc.nat(2), aspect: fc.nat(1), value: fc.nat(3) }),
  fc.record({ do: fc.constant("delete" as const), urn: fc.nat(2), aspect: fc.nat(1) }),
  fc.record({ do: fc.constant("deleteAll" as const), urn: fc.nat(2) }),
  fc.record({ do: fc.constant("fail" as const), urn: fc.nat(2), aspect: fc.nat(1), value: fc.nat(3) }),
  fc.record({ do: fc.constant("wait" as const), ticks: fc.integer({ min: 1, max: 4 }) }),
);

/** All that each of the reads finds. */
function read(reads: AspectReads): object {
  const visited = (work: (visit: (...found: readonly unknown[]) => void) => void): readonly unknown[] => {
    const found: unknown[] = [];
    work((...each) => void found.push(each));
    return found;
  };
  return {
    values: urns.flatMap((urn) => aspects.map((aspect) => reads.valueAt(urn, aspect, 0) ?? null)),
    names: urns.map((urn) => reads.aspectNames(urn)),
    latest: new Set(visited((visit) => reads.eachLatest(urns, aspects, visit))),
    under: visited((visit) => reads.eachLatestUnder("urn:li:tag:", "status", visit)),
    urns: reads.urnsUnder("urn:li:tag:", "status"),
    containing: visited((visit) => reads.eachContaining("urn:li:tag:value-1", visit)),
  };
}

test("an index that lags is the store as it was then, whatever was written, deleted or rolled back since", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let time = 0;
      const plain = aspectStoreIn(openSqlite(":memory:"), () => "id");
      const { store, index } = laggingStore(plain, 3, () => time);
      const before = read(plain);
      // What was read last at each time.
      const states = [before];
      const put = (at: { urn: number; aspect: number; value: number }): void => {
        const value: JsonObject = { text: `urn:li:tag:value-${at.value}` };
        store.put(urns[at.urn]!, aspects[at.aspect]!, value, audit);
      };
      const failing = (at: Parameters<typeof put>[0]): void => {
        store.transaction(() => {
          put(at);
          read(index);
          throw new Error("rolled back");
        });
      };
      for (const each of steps) {
        if (each.do === "put") put(each);
        else if (each.do === "delete") store.deleteAspect(urns[each.urn]!, aspects[each.aspect]!);
        else if (each.do === "deleteAll") store.deleteEntity(urns[each.urn]!);
        else if (each.do === "fail") expect(() => failing(each)).toThrow("rolled back");
        else
          for (let tick = 0; tick < each.ticks; tick += 1) {
            time += 1;
            states[time] = read(plain);
          }
        states[time] = read(plain);
        expect(read(index)).toEqual(time < 3 ? before : states[time - 3]);
      }
      plain.close();
    }),
    { numRuns: 30 },
  );
});
