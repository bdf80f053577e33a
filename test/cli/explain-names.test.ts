import { expect, test } from "vitest";
import type { Explanation } from "../../src/model/explanation.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Site, siteWith } from "../support/site.ts";
import { runCli } from "../support/command-line.ts";

/** A catalog of tags and a domain. Who has which name is a table of the library (test/workflow/explain/named-entities.test.ts). */
async function site(): Promise<Site> {
  const made = await siteWith({ "tags.yaml": "{ kind: Tag, id: pii, name: Personal data }\n" });
  await made.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "Personal data" }],
      ["urn:li:tag:gold", "tagProperties", { name: "gold" }],
      ["urn:li:domain:gold", "domainProperties", { name: "Gold mine" }],
    ]),
  );
  return made;
}

test("the name of one entity alone names it; of others a name is refused with what was perhaps meant", async () => {
  const { run } = await site();
  const { code, stdout } = await run(["explain", "personal DATA", "--format", "json"]);
  expect({ code, urn: (JSON.parse(stdout) as Explanation).urn }).toEqual({ code: 0, urn: "urn:li:tag:pii" });
  for (const [name, says] of [
    [
      "gold",
      '"gold" is the name or id of 2 entities; use one of their URNs: urn:li:domain:gold or urn:li:tag:gold',
    ],
    ["Personal date", 'no entity has the name or id "Personal date"; did you mean Personal data?'],
    ["nobody at all", 'no entity has the name or id "nobody at all"; use its URN'],
  ] as const)
    expect(await run(["explain", name])).toEqual({ code: 64, stdout: "", stderr: `error: ${says}\n` });
});

test("with a snapshot names are those of what it holds", async () => {
  const { run, root: cwd } = await site();
  expect(await run(["export", "--snapshot", "live.json"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^Saved \d+ entities to live\.json\n$/),
  });
  const argv = ["explain", "Personal data", "--format", "json", "--snapshot", "live.json", "--quiet"];
  const { code, stdout } = await runCli(argv, { cwd });
  expect({ code, urn: (JSON.parse(stdout) as Explanation).urn }).toEqual({ code: 0, urn: "urn:li:tag:pii" });
});
