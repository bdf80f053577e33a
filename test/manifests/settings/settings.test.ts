import { expect, test } from "vitest";
import { sourceLines } from "../../../src/manifests/yaml/source-lines.ts";
import { defaultSettings, readSettings } from "../../../src/manifests/settings/settings.ts";
import { problemsJson } from "../../../src/report/document/problems.ts";
import { problemsPrinted } from "../../report/print.ts";
import { briefly, withFiles } from "../../support/manifest-files.ts";

async function settingsOf(text: string | Buffer) {
  return await withFiles({ "catalog/datahub-gitops.yaml": text }, async (cwd) => {
    const { settings, problems } = await readSettings(undefined, "catalog", { cwd });
    const lineOf = sourceLines(cwd);
    const shown =
      problemsPrinted(problems, { lineOf, width: 80 }) + JSON.stringify(problemsJson(problems, lineOf));
    return {
      settings,
      shown,
      brief: briefly(problems).map((line) => line.replaceAll("catalog/datahub-gitops.yaml:", "")),
    };
  });
}

test("settings are optional", async () => {
  const read = await withFiles({}, (cwd) => readSettings(undefined, "catalog", { cwd }));

  expect(read).toEqual({ settings: defaultSettings, problems: [] });
});

test("the server is taken from the file", async () => {
  const { settings } = await settingsOf("version: 1\nserver: https://datahub.acme.com/api/gms\n");

  expect(settings).toEqual({ ...defaultSettings, server: "https://datahub.acme.com/api/gms" });
});

test("a file that is named must be there", async () => {
  const { problems } = await withFiles({}, (cwd) => readSettings("prod.yaml", "catalog", { cwd }));

  expect(briefly(problems)).toEqual(["prod.yaml:1:1 unreadable"]);
});

test("a file that is named stands in place of the default", async () => {
  const files = {
    "catalog/datahub-gitops.yaml": "]",
    "prod.yaml": "version: 1\nserver: http://localhost:8080\n",
  };

  const read = await withFiles(files, (cwd) => readSettings("prod.yaml", "catalog", { cwd }));

  expect(read).toEqual({ settings: { ...defaultSettings, server: "http://localhost:8080" }, problems: [] });
});

const rows: readonly (readonly [string, string | Buffer, readonly string[]])[] = [
  ["an empty file", "", ["1:1 not-settings"]],
  ["only comments", "# later\n", ["1:1 not-settings"]],
  ["a list", "- version: 1\n", ["1:1 not-settings"]],
  ["a text", "version 1\n", ["1:1 not-settings"]],
  ["two documents", "version: 1\n---\nversion: 1\n", ["3:1 several-settings"]],
  ["no version", "server: http://localhost\n", ["1:1 missing-field"]],
  ["another version", "version: 2\n", ["1:10 unknown-value"]],
  ["a version as text", "version: '1'\n", ["1:10 unknown-value (1)"]],
  ["a version without value", "version:\n", ["1:9 unknown-value"]],
  ["a misspelt key", "version: 1\nsevrer: http://localhost\n", ["2:1 unknown-field (server)"]],
  [
    "a key of a later version",
    "version: 1\nlater: { tags: merge }\nhooks: {}\n",
    ["2:1 unknown-field", "3:1 unknown-field"],
  ],
  ["a server without scheme", "version: 1\nserver: datahub.acme.com\n", ["2:9 server-address"]],
  ["a server of another scheme", "version: 1\nserver: ftp://datahub.acme.com\n", ["2:9 server-address"]],
  ["a page that is none", "version: 1\nlinks: javascript:alert(1)\n", ["2:8 links-address"]],
  ["a page with a password", "version: 1\nlinks: https://me:secret@acme.com\n", ["2:8 links-address"]],
  ["a page with a query", "version: 1\nlinks: https://acme.com/?a\n", ["2:8 links-address"]],
  ["a page with a bracket", "version: 1\nlinks: https://acme.com/<b>\n", ["2:8 links-address"]],
  ["a server without value", "version: 1\nserver:\n", ["2:1 null-value"]],
  ["a list of servers", "version: 1\nserver: ['http://a']\n", ["2:9 wrong-type (http://a)"]],
  ["broken YAML", "version: [1\n", ["1:10 yaml-syntax"]],
  ["the same key twice", "version: 1\nversion: 1\n", ["2:1 duplicate-key & 1:1"]],
  ["bytes that are no text", Buffer.from([0xff, 0x00, 0x01]), ["1:1 binary-file"]],
];

test.each(rows)("%s in the settings is answered at its place", async (_, text, expected) => {
  const { brief, settings } = await settingsOf(text);

  expect(brief).toEqual(expected);
  expect(settings).toEqual(defaultSettings);
});

test("a password in the address is refused and never shown", async () => {
  const { brief, shown } = await settingsOf("version: 1\nserver: https://me:s3cret@datahub.acme.com\n");

  expect(brief).toEqual(["2:9 server-credentials"]);
  expect(shown).not.toContain("s3cret");
});

test("the settings name what this version does not know", async () => {
  const { shown } = await settingsOf("version: 1\nlater: { tags: merge }\n");

  expect(shown).toContain("the settings have no field `later`; the fields in this version are");
});
