import type { Fault, FaultSettings } from "../../../src/local-catalog/faults/settings.ts";
import type { FaultReport } from "../../../src/local-catalog/faults/report.ts";
import { sendText } from "../../support/send-text.ts";
import { type Answer, catalogWith, orders, shop, type TestCatalog } from "../support.ts";

/** A catalog with faults, what it counted, and what a client does with it. */
export interface FaultyCatalog extends TestCatalog {
  report(): Promise<FaultReport>;
  /** Waits until the first fault of the settings was injected so many times. */
  untilInjected(times: number): Promise<void>;
  /** Adds tags to a dataset, each by a mutation of its own, in one request. */
  addTags(...tags: readonly string[]): Promise<Answer>;
  /** The tags that are stored on that dataset. */
  tags(): readonly string[];
}

/** Starts a catalog that contains a shop, with these faults. */
export async function faultyCatalog(
  faults: readonly Fault[],
  settings: Omit<FaultSettings, "faults"> = {},
  records: readonly object[] = shop,
): Promise<FaultyCatalog> {
  const catalog = await catalogWith(records, { faults: { ...settings, faults } });
  const report = async (): Promise<FaultReport> =>
    JSON.parse((await sendText(new URL(`${catalog.url}/faults`))).text) as FaultReport;
  return {
    ...catalog,
    report,
    async untilInjected(times) {
      while (((await report()).faults[0]?.injected ?? 0) < times);
    },
    addTags: (...tags) => catalog.send(addingTags(tags)),
    tags() {
      const stored = catalog.stored(orders, "globalTags") as { tags: { tag: string }[] } | undefined;
      return (stored?.tags ?? []).map(({ tag }) => tag);
    },
  };
}

/** The request that adds tags to a dataset. */
export function addingTags(tags: readonly string[]): string {
  const fields = tags.map(
    (tag, index) =>
      `m${index}: addTags(input: { tagUrns: [${JSON.stringify(tag)}], resourceUrn: ${JSON.stringify(orders)} })`,
  );
  return `mutation Tagging { ${fields.join(" ")} }`;
}
