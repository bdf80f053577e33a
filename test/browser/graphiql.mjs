// `npm run test:browser`: a newcomer's way in a real browser. Starts the local catalog as the command line does,
// opens GraphiQL, gives it the token, runs a query, and checks that nothing was asked of any other server.
// CHROMIUM names the browser where it is not /usr/bin/chromium. Screenshots go into a temporary directory.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

if (existsSync(executablePath)) await main();
else {
  console.error(
    `There is no Chromium at ${executablePath}, so GraphiQL was not tested. Install one (on Debian: apt-get install chromium), or name it with CHROMIUM=/path/to/chromium.`,
  );
  process.exitCode = 1;
}

async function main() {
  const directory = mkdtempSync(join(tmpdir(), "datahub-gitops-browser-"));
  let checks = 0;
  const check = (what, test) => {
    test();
    checks += 1;
    console.log(`ok ${checks} - ${what}`);
  };
  const catalog = await serve(directory);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(15_000);
  try {
    const asked = [];
    const complaints = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));

    const answer = await page.goto(catalog.url);
    check("the page needs no token", () => assert.equal(answer?.status(), 200));
    await page.getByText("This catalog requires a token").waitFor();
    check("the page says how to give the token", () => {});

    await run(page);
    await page.getByText("Unauthorized to perform this action.").first().waitFor();
    check("without the right token a query is refused", () => {});

    await giveToken(page, catalog.token);
    complaints.length = 0;
    await run(page);
    const result = page.locator(".result-window");
    await result.getByText("urn:li:domain:finance").waitFor();
    await page.screenshot({ path: join(directory, "result.png") });
    check("with the token the query shows what was loaded", () => {});
    check("the page complains of nothing", () => assert.deepEqual(complaints, []));

    await page.getByRole("button", { name: /re-?fetch/i }).click();
    await page.getByRole("button", { name: /documentation explorer/i }).click();
    await page.getByText("Root Types").waitFor();
    await page.screenshot({ path: join(directory, "schema.png") });
    check("the schema is shown once there is a token", () => {});

    check("no request leaves for another server", () => {
      const elsewhere = asked.filter(
        (url) => !url.startsWith(`${catalog.url}/`) && !/^(data|blob|about):/.test(url),
      );
      assert.deepEqual(elsewhere, []);
    });
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    check("the token is not kept in the browser", () => assert.ok(!kept.includes(catalog.token)));
  } catch (error) {
    await page.screenshot({ path: join(directory, "failure.png") });
    console.error(`What the page showed then: ${join(directory, "failure.png")}`);
    throw error;
  } finally {
    await browser.close();
    await catalog.close();
  }
  for (const name of ["catalog", "finance.json"]) rmSync(join(directory, name), { recursive: true });
  console.log(`${checks} passed, 0 failed. Screenshots: ${directory}`);
}

/** The local catalog with one domain, as the command line starts it. */
async function serve(directory) {
  const dataDir = join(directory, "catalog");
  const file = join(directory, "finance.json");
  const proposal = {
    entityType: "domain",
    entityUrn: "urn:li:domain:finance",
    changeType: "UPSERT",
    aspectName: "domainProperties",
    aspect: { json: { name: "Finance" } },
  };
  writeFileSync(file, JSON.stringify([proposal]));
  const { DATAHUB_GMS_TOKEN: _token, ...env } = process.env;
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--data", dataDir, "--load", file], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const line = /^Catalog listening on (\S+)$/m.exec(output);
      if (line) resolve(line[1]);
    });
    child.once("exit", (code) => reject(new Error(`the catalog ended with ${code}`)));
  });
  return {
    url,
    token: readFileSync(join(dataDir, "token"), "utf8").trim(),
    async close() {
      child.kill("SIGINT");
      await once(child, "exit");
    },
  };
}

async function run(page) {
  await page.locator(".graphiql-execute-button").click();
}

/** Puts the token where the page says: `TOKEN` stands three characters before the end of the headers. */
async function giveToken(page, token) {
  await page.getByRole("button", { name: "Headers" }).click();
  await page.locator(".graphiql-editor-tool .graphiql-editor:not(.hidden)").click();
  await page.keyboard.press("End");
  const end = '" }';
  for (let index = 0; index < end.length; index += 1) await page.keyboard.press("ArrowLeft");
  for (let index = 0; index < "TOKEN".length; index += 1) await page.keyboard.press("Backspace");
  await page.keyboard.insertText(token);
}
