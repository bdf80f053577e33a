import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// What the writes of an apply leave of what it deletes afterwards.

const group = "urn:li:corpGroup:g";
const it = datasetNamed("it");
const going = [
  "kind: Group\nid: g\nmembers: [u, v]\nowners: [u]\n",
  "kind: User\nid: u\nmanager_urn: urn:li:corpuser:w\n",
  "kind: User\nid: w\n",
  "kind: Tag\nid: t\nowners: [{ group: g }, { user: u, type: DEVELOPER }]\n",
  "kind: Domain\nid: d\nname: D\nowners: [{ user: u }]\n",
  "kind: Domain\nid: low\nname: Low\nparent_domain: d\n",
  "kind: GlossaryNode\nid: n\nname: N\nowners: [{ user: u }]\n",
  "kind: GlossaryTerm\nid: a\nname: A\nparent_node: n\n",
  "kind: GlossaryTerm\nid: b\nname: B\nparent_node: n\ncontains: [a]\n",
  `kind: DataProduct\nid: p\nname: P\ndomain: d\nowners: [{ group: g }]\ntags: [t]\nglossary_terms: [b]\nassets: ["${it}"]\n`,
].join("---\n");
const staying = `kind: User\nid: v\n---\nkind: Dataset\nplatform: snowflake\nname: it\n`;
const assigned =
  "tags: [t]\nglossary_terms: [a, b]\ndomain: low\nowners: [{ group: g }, { user: u, type: DEVELOPER }]\n";

test.each(["graphql", "conditional"])(
  "an apply's own writes make none of its deletions stale (%s)",
  async (writes) => {
    const kinds = "Domain, Tag, User, Group, GlossaryNode, GlossaryTerm, DataProduct";
    const site = await siteWith(
      { "going.yaml": going, "staying.yaml": `${staying}${assigned}` },
      settingsWith(
        `writes: ${writes}`,
        `prune: { kinds: [${kinds}] }`,
        "guards: { deletes: { max_count: 20 }, vanished: { max_percent: 100 }, removals: { max_percent: 100 } }",
      ),
    );
    const live: readonly MadeAspect[] = [
      [it, "datasetProperties", {}],
      // As the group command of older releases made it.
      [group, "corpGroupInfo", { displayName: "g", admins: [], members: [], groups: [] }],
    ];
    await site.catalog.load(metadataFile(temporaryDirectory(), live));
    const made = await site.apply();
    expect(made, made.stdout + made.stderr).toMatchObject({ code: 0 });
    site.catalog.database.exec(`DELETE FROM aspect WHERE urn = '${group}' AND aspect = 'origin'`);
    site.commit({
      "catalog/going.yaml": undefined,
      "catalog/staying.yaml": `${staying}tags: []\nglossary_terms: []\ndomain: none\nowners: []\n`.replace(
        "id: v\n",
        "id: v\ngroups: []\n",
      ),
    });

    const { code, stdout, stderr } = await site.apply("--prune");

    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain("0 to create, 1 to update, 10 to delete");
  },
);
