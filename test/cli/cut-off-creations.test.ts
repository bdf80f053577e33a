import { expect, test } from "vitest";
import { startTestCatalog, type TestCatalog } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { withFiles } from "../support/manifest-files.ts";
import { refusing } from "../support/refusing.ts";

// Which aspect is written first is in `test/plan/order/operations.test.ts`, what is completed in `test/facets/incomplete.test.ts`.

const manifest = `kind: User
id: aN
manager_urn: aN
slack: "@a"
groups: [gN]
---
kind: Group
id: gN
display_name: G
owners: [{ user: aN }]
`;

interface Applied {
  readonly code: number;
  readonly writes: number;
  /** How many changes the plan shows. */
  readonly planned: number;
}

/** Applies the manifest with a number to a server that refuses all writes after some. */
async function applyUpTo(most: number, catalog: TestCatalog, number: string): Promise<Applied> {
  let writes = 0;
  const server = await refusing(catalog.url, () => (writes += 1) > most);
  const argv = ["apply", "--auto-approve", "--format", "json", "--server", server];
  return await withFiles({ "catalog/all.yaml": manifest.replaceAll("N", number) }, async (cwd) => {
    const { code, stdout } = await runCli(argv, { cwd });
    const { plan } = JSON.parse(stdout) as { plan: { changes: readonly unknown[] } };
    return { code, writes, planned: plan.changes.length };
  });
}

/** The latest aspects of the entities with a number, without it, and without when they were written. */
function storedOf(number: string, catalog: TestCatalog): readonly string[] {
  const own = catalog.aspects().filter(({ urn, version }) => version === 0 && urn.includes(number));
  return own
    .map(({ urn, aspect, value }) => `${urn} ${aspect} ${JSON.stringify(value, withoutTime)}`)
    .map((text) => text.replaceAll(number, "N"))
    .toSorted();
}

function withoutTime(key: string, value: unknown): unknown {
  return key === "time" ? 0 : value;
}

test("creations that are cut off after any write are completed by the next apply", async () => {
  const catalog = await startTestCatalog();
  const undisturbed = await applyUpTo(Number.POSITIVE_INFINITY, catalog, "-all");
  expect(undisturbed.code).toBe(0);
  const expected = storedOf("-all", catalog);

  for (let most = 0; most < undisturbed.writes; most += 1) {
    const number = `-${most}-`;
    expect(await applyUpTo(most, catalog, number)).toMatchObject({ code: 7 });

    const next = await applyUpTo(Number.POSITIVE_INFINITY, catalog, number);

    expect(next.code).toBe(0);
    expect(next.planned).toBeGreaterThan(0);
    expect(storedOf(number, catalog)).toEqual(expected);
  }
});
