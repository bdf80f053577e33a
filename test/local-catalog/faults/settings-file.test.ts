import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFaults, type ReadFaults } from "../../../src/local-catalog/faults/settings-file.ts";
import { temporaryDirectory } from "../support.ts";

function read(text: string): ReadFaults {
  const path = join(temporaryDirectory(), "f.yaml");
  writeFileSync(path, text);
  return readFaults(path, "f.yaml");
}

const names =
  "latency, status, reset, hang, truncated_body, graphql_errors, failed_alias, failed_entity, unstable_scroll, lost_update";

test.each([
  ["", "f.yaml: the file must be a mapping"],
  ["faults: [", "f.yaml:1: Flow sequence in block collection must be sufficiently indented and end with a ]"],
  ["seed: 1\nseed: 2\n", "f.yaml:2: Map keys must be unique"],
  ["seed: *a\n", "f.yaml: Unresolved alias (the anchor must be set before the alias): a"],
  ["seed: 1.5", "f.yaml:1: seed must be a whole number"],
  ["seeds: 1", "f.yaml:1: the file has an unknown key: seeds"],
  ["requests_per_second: 0", "f.yaml:1: requests_per_second must be at least 1"],
  ["faults:\n  - reset\n", "f.yaml:2: faults[0] must be a mapping"],
  ["faults:\n  - rate: 1\n", `f.yaml:2: faults[0] must have a "fault" that is one of: ${names}`],
  [
    "faults:\n  - { fault: rest, rate: 1 }\n",
    `f.yaml:2: faults[0] must have a "fault" that is one of: ${names}`,
  ],
  ["faults:\n  - { fault: reset }\n", 'f.yaml:2: faults[0] has no "rate"'],
  ["faults:\n  - { fault: latency, rate: 1 }\n", 'f.yaml:2: faults[0] has no "milliseconds"'],
  ["faults:\n  - fault: reset\n    rate: 2\n", "f.yaml:3: faults[0].rate must be at most 1"],
  [
    "faults:\n  - fault: reset\n    rate: 1\n    status: 503\n",
    "f.yaml:2: faults[0] has an unknown key: status",
  ],
  [
    "faults: [{ fault: reset, rate: 1 },\n  { fault: status, rate: 1, status: 200 }]\n",
    "f.yaml:2: faults[1].status must be one of: 429, 500, 502, 503, 504",
  ],
  [
    "faults:\n  - { fault: hang, rate: 1, when: never }\n",
    "f.yaml:2: faults[0].when must be one of: before, after",
  ],
  [
    "faults:\n  - { fault: hang, rate: 1, only: [] }\n",
    "f.yaml:2: faults[0].only must NOT have fewer than 1 items",
  ],
])("%j is refused with its place", (text, problem) => {
  expect(read(text)).toEqual({ problem });
});

test("a file that cannot be read is refused with the reason", () => {
  expect(readFaults("/nonexistent/f.yaml", "f.yaml")).toEqual({
    problem: "cannot read f.yaml: ENOENT: no such file or directory, open '/nonexistent/f.yaml'",
  });
});

test("JSON is read as well", () => {
  const settings = { seed: 3, faults: [{ fault: "reset", rate: 0.5, when: "after" }] };
  expect(read(JSON.stringify(settings, undefined, 2))).toEqual({ settings });
});

test("the example in the manual is valid and has each fault", () => {
  const manual = readFileSync(new URL("../../../docs/local-catalog.md", import.meta.url), "utf8");
  const [, example = ""] = /```yaml\n(.*?)```/s.exec(manual) ?? [];
  const found = read(example);
  if (!("settings" in found)) throw new Error(found.problem);
  expect(new Set(found.settings.faults?.map(({ fault }) => fault))).toEqual(new Set(names.split(", ")));
});
