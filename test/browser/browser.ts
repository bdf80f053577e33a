import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Starts Chromium. Throws where there is none, and says how to get one. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error(
      `There is no Chromium at ${executablePath}. Install one (on Debian: apt-get install chromium), or name it with CHROMIUM=/path/to/chromium.`,
    );
  return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** A page that was opened, and what it should not have: requests to anywhere, messages of its console, errors. */
export interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a text as a file, as one opens an artifact. */
export async function openText(
  browser: Browser,
  text: string,
  options: BrowserContextOptions & { readonly fragment?: string } = {},
): Promise<Opened> {
  const { fragment = "", ...context } = options;
  const directory = mkdtempSync(join(tmpdir(), "datahub-gitops-page-"));
  const file = join(directory, "page.html");
  writeFileSync(file, text);
  const address = pathToFileURL(file).href;
  const own = await browser.newContext({ reducedMotion: "reduce", ...context });
  own.on("close", () => rmSync(directory, { recursive: true }));
  const page = await own.newPage();
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (request.url() !== address) complaints.push(`request: ${request.url()}`);
  });
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  await page.goto(address + fragment);
  return { page, complaints };
}
