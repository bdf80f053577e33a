import { expect, test } from "vitest";
import type { Live } from "../../src/model/live.ts";
import { type MapValue, setOf } from "../../src/model/state.ts";
import { defaultPolicy } from "../../src/plan/policy.ts";
import { settling } from "../../src/plan/settle.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../support/states.ts";

const asset = datasetNamed("a");
const [pii, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:old")];
const path = "[version=2.0].[type=struct].[type=string].email";
const other = "[version=2.0].[type=struct].[type=int].email";

/** The tags of an asset's columns, each of which has one or none. */
function tagged(columns: Readonly<Record<string, typeof pii | undefined>>): MapValue {
  const entries = Object.entries(columns).map(
    ([column, tag]) => [column, setOf(tag === undefined ? [] : [tag])] as const,
  );
  return { shape: "map", entries: new Map(entries) };
}

test.each([
  ["as declared", { [path]: pii }, true],
  ["with another tag", { [path]: old }, false],
  ["with none", { [path]: undefined }, false],
  ["of a name that two columns have", { [path]: pii, [other]: pii }, false],
  ["that is not there", { id: pii }, false],
])(
  "an asset is dropped only where a column under its plain name is as declared: %s",
  (_, columns, dropped) => {
    const declared = stateOf(entityOf("Dataset", asset, { "columns.tags": tagged({ email: pii }) }));
    const state = stateOf(entityOf("Dataset", asset, { "columns.tags": tagged(columns) }));
    const live: Live = { state, missing: new Map(), unreadable: new Map(), unmanaged: [] };
    const { settle, settled } = settling(declared, defaultPolicy);

    expect([...settle(live)]).toEqual(dropped ? [asset] : []);
    expect(settled()).toMatchObject({ count: dropped ? 1 : 0, present: dropped ? 1 : 0 });
  },
);
