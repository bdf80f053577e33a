import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsSchema } from "../../src/manifests/schema/schema.ts";
import { defaultSettings, readSettingsBytes } from "../../src/manifests/settings/settings.ts";
import { fieldsHead, fieldsIn, markedFieldsIn, rowOf, withNested } from "./field-rows.ts";

const mark = "<!-- generated: npm run test:update -->\n";
const [written = ""] = readFileSync(join(import.meta.dirname, "../../docs/settings.md"), "utf8").split(mark);

test("the reference of settings is that of their schema", async () => {
  // An environment has the keys of the settings themselves, and these of its own.
  const isRepeated = (path: string): boolean => /^environments\.NAME\.(?!base$|paths$)/.test(path);
  const rows = markedFieldsIn(settingsSchema).flatMap((field) => withNested(field, isRepeated).map(rowOf));
  const page = `${written}${mark}\n${fieldsHead}\n${rows.join("\n")}\n`;

  await expect(page).toMatchFileSnapshot("../../docs/settings.md");
});

test("the example is valid, has every key, and says what holds without it", () => {
  const [, text = ""] = /```yaml\n(.*?)```/s.exec(written) ?? [];
  const { settings, problems } = readSettingsBytes("s.yaml", Buffer.from(text));

  expect(problems).toEqual([]);
  for (const [key] of fieldsIn(settingsSchema)) expect(text).toMatch(new RegExp(`^${key}:`, "m"));
  expect(settings).toMatchObject({
    limits: defaultSettings.limits,
    prune: defaultSettings.prune,
    missing: "error",
    writes: "graphql",
    conflicts: "hold",
  });
});
