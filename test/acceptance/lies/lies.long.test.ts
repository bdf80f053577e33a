import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cli } from "../../support/dist.ts";
import { startTestCatalog, temporaryDirectory } from "../../support/catalog.ts";
import { accept } from "../acceptance.ts";
import { lies } from "./index.ts";
import { startLyingProxy } from "./lying-proxy.ts";

const only = process.env["LIE"];
const chosen = lies.filter(
  ({ operation, what }) => only === undefined || `${operation} ${what}`.includes(only),
);

test.each(chosen)("a server is found out whose $operation $what", async (lie) => {
  const { url } = await startTestCatalog();
  const proxy = await startLyingProxy(url, lie);
  onTestFinished(() => proxy.close());
  const { rows } = await accept({
    target: { address: proxy.address, token: undefined },
    behind: { address: url, token: undefined },
    cli,
    journals: join(temporaryDirectory(), "journals"),
    only: [lie.operation],
    isFailingFast: true,
    patience: 2000,
  });
  const row = rows.find(({ name }) => name === lie.operation);
  expect({ ...row, told: proxy.told() }).toMatchObject({
    result: "failed",
    why: expect.not.stringContaining("not reached") as string,
    told: expect.toSatisfy((count: number) => count > 0) as number,
  });
});
