import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "../../model/plan.ts";
import { RunError } from "../errors.ts";
import type { Io } from "../io.ts";
import { loadManifests, openRepository } from "../../scope/repository.ts";
import { ioFor, withDemoCatalog } from "./demo-catalog.ts";
import { type Narration, narrationOn } from "./narration.ts";
import { sampleDatasets, sampleRecords } from "./sample.ts";
import { type Steps, stepsFor } from "./steps.ts";
import { makeEdit, uiEdits } from "./ui-edits.ts";

/** The manifests of the demo: the directory `catalog` of this package. */
export const demoDirectory = fileURLToPath(new URL("../../../catalog", import.meta.url));

/** Plays the demo. Throws as soon as something is not as it tells. */
export async function playDemo(io: Io): Promise<void> {
  const narration = narrationOn(io);
  const desired = await loadManifests(await openRepository({ cwd: io.cwd, directory: demoDirectory }));
  await withDemoCatalog(sampleRecords, async (catalog) => {
    await introduce(narration, `${desired.documents} documents in ${desired.files} files`);
    const steps = stepsFor(demoDirectory, catalog.url, ioFor(catalog, io));
    const acts = [firstPlan, firstApply, edits, drift, correction, proof];
    for (const act of acts) {
      io.interrupted.throwIfAborted();
      await act(narration, steps);
    }
  });
}

async function introduce(narration: Narration, size: string): Promise<void> {
  narration.heading("A catalog that people have worked in");
  narration.say(
    `Pedalworks, an invented company, sells and mends bicycles. Its DataHub knows ${sampleDatasets.length} datasets on postgres, kafka and snowflake, and 2 containers. Over time people have clicked domains, owners and tags onto them: some right, some stale, many missing. Nobody has written down which domains, tags, people and teams there are.`,
  );
  narration.say(
    `In this demo the catalog is a local one that this process serves on 127.0.0.1, with its data in a temporary directory. Nothing else is touched, and nothing of it stays.`,
  );
  narration.heading("A repository that says how it should be");
  narration.say(`The directory catalog/ of this package holds ${size}. One of them:`);
  const file = await readFile(join(demoDirectory, "datasets/snowflake/customers.yaml"), "utf8");
  narration.quote(file.split("\n---\n")[0] ?? "");
}

async function firstPlan(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("What would change?");
  narration.say(
    "A plan reads the catalog and compares. It writes nothing: + is added, - is removed, ~ is replaced, and at each change stands the line of the repository that asks for it.",
  );
  narration.command("datahub-gitops plan");
  await steps.plan();
  narration.say(
    "What the repository does not declare is left alone: two whole datasets, the tag experimental on shop.public.baskets (postgres), the tag that dbt has put on a column.",
  );
}

async function firstApply(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Make it so");
  narration.say("apply shows the same plan, asks, and then does what it shows and nothing else:");
  narration.command("datahub-gitops apply");
  await steps.apply();
}

async function edits(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Meanwhile, in the UI");
  narration.say("The repository is unchanged, but three people change the catalog by hand:");
  await steps.asUi(async (writer) => {
    for (const edit of uiEdits) await makeEdit(edit, writer);
  });
  narration.points(uiEdits.map(({ told }) => told));
}

async function drift(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("The next plan shows the drift");
  narration.command("datahub-gitops plan");
  const expected = uiEdits.map(({ urn, facet }) => `${facet} of ${urn}`);
  if (placesOf(await steps.plan()).join("\n") !== expected.toSorted().join("\n"))
    throw new RunError("the plan does not show just the three changes");
}

async function correction(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Back to what was agreed");
  narration.say("Whoever wants it otherwise changes the repository, where it can be reviewed. Until then:");
  narration.command("datahub-gitops apply");
  await steps.apply();
}

async function proof(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("The proof: an empty plan");
  narration.command("datahub-gitops plan");
  if (placesOf(await steps.plan()).length > 0) throw new RunError("the last plan is not empty");
  narration.heading("Where to go from here");
  narration.points([
    "datahub-gitops plan DIR compares your own DataHub with your own manifests and changes nothing; set DATAHUB_GMS_URL and DATAHUB_GMS_TOKEN first.",
    "datahub-gitops serve --load FILE runs a local catalog like this one that stays, for trying things out.",
  ]);
}

function placesOf({ changes }: Plan): readonly string[] {
  return changes.map(({ urn, facet }) => `${facet} of ${urn}`).toSorted();
}
