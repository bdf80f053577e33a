import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import { briefly, desiredFrom } from "../support/manifest-files.ts";
import { manifestReference } from "./manifest-reference.ts";

const mark = "<!-- generated: npm run test:update -->\n";
const [written = ""] = readFileSync(join(import.meta.dirname, "../../docs/manifests.md"), "utf8").split(mark);
const page = `${written}${mark}\n${manifestReference()}`;

test("the reference of manifests is that of the kinds and facets", async () => {
  await expect(page).toMatchFileSnapshot("../../docs/manifests.md");
});

const manifests = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);

test("there is an example of each kind", () => {
  for (const { name } of kinds)
    expect(manifests.filter((text) => text.startsWith(`kind: ${name}\n`))).not.toEqual([]);
});

test("the generated examples show one world: a name belongs to one id", async () => {
  const [, reference = ""] = page.split(mark);
  const shown = [...reference.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);
  const names = shown.flatMap((text) => /^(?:display_)?name: (.*)$/m.exec(text)?.[1] ?? []);
  expect(names).toEqual([...new Set(names)]);
  const people = shown.filter((text) => /Alice|@alice|alice\.png/.test(text));
  expect(people.map((text) => /^kind: (\w+)/.exec(text)?.[1])).toEqual(["User"]);
  expect(shown.filter((text) => text.includes("Ledgers")).map((text) => text.slice(0, 12))).toEqual([
    "kind: Domain",
  ]);
});

test.each(manifests)("what the page shows can be declared: %s", async (text) => {
  const rule = manifests.filter((each) => each.startsWith("kind: Rule\n") && each !== text).slice(0, 1);
  const policy = manifests.filter((each) => each.startsWith("kind: Policy\n")).slice(0, 1);
  const { problems } = await desiredFrom({
    "catalog/a.yaml": text,
    ...(text.includes("exempt:") && { "catalog/rule.yaml": rule.join("") }),
    ...(text.startsWith("kind: Waiver\n") && { "catalog/policy.yaml": policy.join("") }),
  });

  expect(briefly(problems.filter(({ severity }) => severity === "error"))).toEqual([]);
});
