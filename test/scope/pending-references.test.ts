import { expect, test } from "vitest";
import { tag } from "../support/history.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";

/** A repository in which one file declares a tag, and another a domain whose owner group a third one declares. */
async function siteWithPart(): Promise<Site> {
  const site = await siteWith(
    { "people.yaml": "kind: Group\nid: finance-data\n", "tag.yaml": tag("t") },
    settingsWith(),
  );
  site.git("checkout", "--quiet", "-b", "a-branch");
  site.commit({
    "catalog/domain.yaml": "kind: Domain\nid: finance\nowners: [{ group: finance-data }, { user: nobody }]\n",
  });
  return site;
}

test.each([[["--changed-since", "main"]], [["--target", "urn:li:domain:*"]]])(
  "with %j what another manifest declares is a warning with both places, and what none declares an error",
  async (part) => {
    const site = await siteWithPart();
    const { code, stderr } = await site.plan(...part);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^catalog\/domain\.yaml:3:\d+ warning reference-pending: `urn:li:corpGroup:finance-data` does not exist in the catalog yet, but another manifest declares it/m,
    );
    expect(stderr).toContain("see also catalog/people.yaml:1:1");
    expect(stderr).toContain("error reference-missing: user `urn:li:corpuser:nobody`");
  },
);

test("a mistake in a manifest that is not looked at does not hide what it declares elsewhere", async () => {
  const site = await siteWithPart();
  site.git("checkout", "--quiet", "main");
  site.commit({ "catalog/broken.yaml": "kind: [Tag\n" });
  site.git("checkout", "--quiet", "a-branch");
  site.git("merge", "--quiet", "main");
  const { stderr } = await site.plan("--changed-since", "main");
  expect(stderr).toContain("warning reference-pending");
  expect(stderr).not.toContain("broken.yaml");
});

test("an apply of a part writes nothing as long as what it refers to is not there", async () => {
  const site = await siteWithPart();
  site.commit({ "catalog/domain.yaml": "kind: Domain\nid: finance\nowners: [{ group: finance-data }]\n" });
  expect((await site.plan("--target", "urn:li:domain:*")).code).toBe(0);
  const before = site.catalog.aspects();
  expect((await site.apply("--target", "urn:li:domain:*")).code).toBe(3);
  expect(site.catalog.aspects()).toEqual(before);
  expect((await site.apply()).code).toBe(0);
});
