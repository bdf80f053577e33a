import { stringify } from "yaml";
import { isJsonList, isJsonObject, type JsonObject } from "../../../src/model/json.ts";
import { groupsOf, tagsAspect, tagsOf } from "../assigned.ts";
import { expectEqual, expectSet, expectThat } from "../expect-equal.ts";
import { makeDataset, named } from "../made-assets.ts";
import type { Trial, Trying } from "../trial.ts";
import { listAt } from "../workspace.ts";

const row = (command: string): string => `command ${command}`;
const snapshot = "plan and explain with a snapshot";

/** Each command that asks a server, on one small catalog. */
export const commands: Trial = {
  name: "commands",
  tries: [
    ...[
      "init",
      "validate",
      "plan",
      "apply",
      "rollback",
      "drift",
      "watch",
      "pull",
      "explain",
      "list",
      "coverage",
      "check",
      "doctor",
      "get",
      "export",
      "user",
      "group",
    ].map(row),
    snapshot,
  ],
  run: async (trying) => {
    const { id } = trying;
    const dataset = await makeDataset(trying, "orders");
    declare(trying, ["a"]);
    await tryPlan(dataset, trying);
    await tryDrift(dataset, trying);
    await tryReads(dataset, trying);
    await tryExport(dataset, trying);
    await tryUpserts(trying);
    await trying.check(row("init"), async () => {
      await trying.run(["init", "new", "--yes", "--no-workflows", "--no-export"]);
      expectThat("init writes settings", trying.read("new/datahub-gitops.yaml").includes("version: 1"));
    });
    await trying.check(row("validate"), async () => {
      await trying.run(["validate", "--strict"]);
      declare(trying, ["a", "never-made"]);
      const { stdout, stderr } = await trying.run(["validate", "--strict"], 3);
      expectThat("what is not there is named", `${stdout}${stderr}`.includes(id("never-made")));
    });
  },
};

function declare(trying: Trying, tags: readonly string[]): void {
  const { id, urn } = trying;
  const defined = ["a", "b"].map((tag) => {
    urn("tag", tag);
    return { kind: "Tag", id: id(tag) };
  });
  urn("domain", "shop");
  trying.declare({
    "tags.yaml": defined,
    "shop.yaml": [{ kind: "Domain", id: id("shop"), name: id("shop") }],
    "policies.yaml": [
      {
        kind: "Policy",
        id: id("tagged"),
        severity: "warning",
        match: { kind: "Dataset", name: named(trying, "orders").name },
        require: { tags: true },
      },
    ],
    "orders.yaml": [{ ...named(trying, "orders"), domain: id("shop"), tags: tags.map((tag) => id(tag)) }],
  });
}

/** A plan writes nothing; once saved it is what is applied. */
async function tryPlan(dataset: string, trying: Trying): Promise<void> {
  const { stored, urn } = trying;
  await trying.check(row("plan"), async () => {
    const before = await stored.aspects(dataset);
    await trying.run(["plan", "--out", ".git/plan.json", "--detailed-exitcode"], 2);
    expectEqual("the dataset after a plan", await stored.aspects(dataset), before);
    expectEqual("the tag after a plan", await stored.aspects(urn("tag", "a")), {});
    const plan = JSON.parse(trying.read(".git/plan.json")) as JsonObject;
    const planned = new Set(listAt(plan, "changes").map((change) => change["urn"]));
    for (const each of [dataset, urn("tag", "a")]) expectThat(`${each} is planned`, planned.has(each));
  });
  await trying.check(row("apply"), async () => {
    await trying.run(["apply", ".git/plan.json", "--report", ".git/report.json"]);
    expectSet("tags after the apply of a saved plan", await tagsOf(stored, dataset), [urn("tag", "a")]);
  });
  await trying.check(row("rollback"), async () => {
    await trying.run(["rollback", ".git/report.json", "--auto-approve"]);
    expectSet("tags after a rollback", await tagsOf(stored, dataset), []);
    const again = await trying.json(["rollback", ".git/report.json", "--dry-run", "--format", "json"]);
    expectEqual("what a second rollback changes", again["changes"] ?? null, []);
    // Everything is committed, and the base moves.
    trying.goOn(await trying.apply());
    await trying.run(["plan", "--detailed-exitcode"]);
  });
}

/** Somebody adds a tag in the UI: `drift` shows it, and `pull` writes it down. */
async function tryDrift(dataset: string, trying: Trying): Promise<void> {
  const { stored, urn, id } = trying;
  await stored.propose(dataset, "globalTags", tagsAspect(urn("tag", "a"), urn("tag", "b")));
  await trying.check(row("drift"), async () => {
    const drift = await trying.json(["drift", "--format", "json"], 2);
    const removed = listAt(drift, "changes").flatMap(({ remove }) => (Array.isArray(remove) ? remove : []));
    expectSet("what drift would take away", removed.map(String), [urn("tag", "b")]);
  });
  await trying.check(row("watch"), async () => {
    const round = await trying.json(["watch", "--rounds", "1", "--no-listen", "--format", "json"]);
    expectThat("a round finds the tag", round["differs"] === 1 && round["applied"] === 0);
  });
  await trying.check(row("pull"), async () => {
    await trying.run(["pull"]);
    expectThat("pull writes the tag down", trying.read("catalog/orders.yaml").includes(id("b")));
    await trying.run(["plan", "--detailed-exitcode"]);
  });
}

async function tryReads(dataset: string, trying: Trying): Promise<void> {
  const { stored, id, urn } = trying;
  await trying.check(row("explain"), async () => {
    const { stdout } = await trying.run(["explain", dataset]);
    for (const name of ["shop", "a", "b"]) expectThat(`explain names ${name}`, stdout.includes(id(name)));
  });
  await trying.check(row("list"), async () => {
    await trying.until("list finds the dataset", async () => {
      const list = await trying.json(
        ["list", "--format", "json", "--kind", "Dataset", "--tag", id("b")],
        codeOfAll(trying),
      );
      return listAt(list, "entities").some(
        (entity) => entity["urn"] === dataset && entity["declared"] === true,
      );
    });
  });
  await trying.check(row("coverage"), async () => {
    const { total } = await trying.json(["coverage", "--format", "json"], codeOfAll(trying));
    const { assets, declared } = isJsonObject(total) ? total : {};
    expectThat("coverage counts the dataset", Number(assets) >= 1 && Number(declared) >= 1);
  });
  await trying.check(row("check"), async () => {
    await trying.until("check judges the dataset", async () => {
      const { policies } = await trying.json(["check", "--live", "--format", "json"], codeOfAll(trying));
      return isJsonList(policies) && policies.some((each) => isJsonObject(each) && each["passes"] === 1);
    });
  });
  await trying.check(row("doctor"), async () => {
    const { summary } = await trying.json(["doctor", "--format", "json"]);
    const problems = isJsonObject(summary) ? (summary["problem"] ?? null) : null;
    expectEqual("how many problems doctor finds", problems, 0);
  });
  await trying.check(row("get"), async () => {
    const printed = await trying.json(["get", "--urn", dataset, "-a", "globalTags"]);
    const { globalTags } = await stored.aspects(dataset);
    expectEqual("what get prints", printed, { globalTags: globalTags ?? {} });
  });
  await trying.check(snapshot, async () => {
    await trying.run(["export", "--snapshot", ".git/snapshot.json"], codeOfAll(trying));
    const offline = ["--snapshot", ".git/snapshot.json"];
    await trying.run(["plan", "--detailed-exitcode", ...offline]);
    const { stdout } = await trying.run(["explain", urn("domain", "shop"), ...offline]);
    expectThat("explain with a snapshot names the entity", stdout.includes(id("shop")));
  });
}

/** What `export` writes of a domain declares what is there. */
async function tryExport(dataset: string, trying: Trying): Promise<void> {
  const { id } = trying;
  await trying.check(row("export"), async () => {
    await trying.until("export finds the dataset by its domain", async () => {
      await trying.run(["export", "exported", "--domain", id("shop"), "--kind", "Dataset", "--force"]);
      const plan = await trying.json(["plan", "exported", "--format", "json"], 0, 3);
      const { unchanged, create, update } = isJsonObject(plan["summary"]) ? plan["summary"] : {};
      return unchanged === 1 && create === 0 && update === 0;
    });
    const explained = await trying.run(["explain", dataset, "exported"]);
    expectThat("the exported manifest declares the tags", explained.stdout.includes(id("b")));
  });
}

/** Users and groups from the files of DataHub's own command line. */
async function tryUpserts(trying: Trying): Promise<void> {
  const { stored, id, urn } = trying;
  const [ann, team] = [urn("corpuser", "ann"), urn("corpGroup", "team")];
  await trying.check(row("user"), async () => {
    trying.write(".git/users.yaml", stringify({ id: id("ann"), display_name: "Ann", title: "Steward" }));
    await trying.run(["user", "upsert", "-f", ".git/users.yaml"]);
    const { corpUserInfo } = await stored.aspects(ann);
    expectEqual("title of the user", corpUserInfo?.["title"], "Steward");
  });
  await trying.check(row("group"), async () => {
    const record = { id: id("team"), display_name: "Team", members: [id("ann")] };
    trying.write(".git/groups.yaml", stringify(record));
    await trying.run(["group", "upsert", "-f", ".git/groups.yaml"]);
    const { corpGroupInfo } = await stored.aspects(team);
    expectEqual("name of the group", corpGroupInfo?.["displayName"], "Team");
    expectSet("groups of the user", await groupsOf(stored, ann), [team]);
  });
}

/** How a command ends that is about the whole catalog, of which the token may not view all. */
function codeOfAll({ hidden }: Trying): number {
  return hidden === undefined ? 0 : 1;
}
