/** Runs the demo, which shows and explains a plan, an apply, edits in the UI, the resulting drift and its correction. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageFile } from "../../files/package-file.ts";
import type { Plan } from "../../model/plan.ts";
import { RunError } from "../errors.ts";
import type { Io } from "../io.ts";
import { loadManifests, openRepository } from "../../workflow/scope/repository.ts";
import { ioFor, withDemoCatalog } from "./demo-catalog.ts";
import { type Narration, narrationOn } from "./narration.ts";
import { type Steps, stepsFor } from "./steps.ts";
import { makeEdit, uiEdits } from "./ui-edits.ts";

/** The directory `catalog` of this package, which contains the demo's manifests. */
export const demoDirectory = packageFile("catalog");

/** Runs the demo. Throws if the catalog does not behave as described. */
export async function playDemo(io: Io): Promise<void> {
  const narration = narrationOn(io);
  const desired = await loadManifests(await openRepository({ cwd: io.cwd, directory: demoDirectory }));
  await withDemoCatalog(async (catalog) => {
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
  narration.heading("The catalog");
  narration.paragraph(
    `Pedalworks is a fictional company that sells and repairs bicycles. Its DataHub contains 43 datasets on postgres, kafka and snowflake, 2 containers and a dashboard. People have assigned domains, owners and tags in the UI. Some are correct, some are outdated and many are missing. Most domains, tags, users and groups have no definition, and there is no glossary.`,
  );
  narration.paragraph(
    `The demo uses a local catalog on 127.0.0.1 with its data in a temporary directory. It changes nothing else and removes the directory at the end.`,
  );
  narration.heading("The repository");
  narration.paragraph(
    `The catalog/ directory of this package declares the desired state in ${size}. Here is one document:`,
  );
  narration.quote((await documentsIn("datasets/snowflake/customers.yaml"))[0] ?? "");
  narration.paragraph(
    "Two rules declare values for many datasets, including datasets that are added later. Here is one rule:",
  );
  narration.quote((await documentsIn("rules.yaml"))[1] ?? "");
  narration.paragraph(
    "Two policies state requirements for the catalog: each dataset must be in a domain, and email columns must be tagged pii. A waiver temporarily exempts one dataset.",
  );
}

async function documentsIn(name: string): Promise<readonly string[]> {
  const file = await readFile(join(demoDirectory, name), "utf8");
  return file.trimEnd().split("\n---\n");
}

async function firstPlan(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Plan");
  narration.paragraph(
    "A plan compares the catalog with the manifests and writes nothing. + means added, - means removed, and ~ means replaced. Each change shows the manifest line that declares the value, and the rule if a rule declares it.",
  );
  narration.command("datahub-gitops plan");
  await steps.plan();
  narration.paragraph(
    "Entities and fields that the manifests do not declare stay unchanged: two datasets, the tag experimental on shop.public.baskets (postgres), and the tag that dbt added to a column.",
  );
  narration.paragraph(
    "The plan fixes several policy violations: two datasets without a domain and three email columns without the pii tag. If the plan introduced a violation, apply would write nothing.",
  );
}

async function firstApply(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Apply");
  narration.paragraph("apply shows the same plan, asks for approval, and makes exactly these changes:");
  narration.command("datahub-gitops apply");
  await steps.apply();
}

async function edits(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Changes in the UI");
  narration.paragraph("The repository does not change, but three people change the catalog in the UI:");
  await steps.asUi(async (writer) => {
    for (const edit of uiEdits) await makeEdit(edit, writer);
  });
  narration.points(uiEdits.map(({ description }) => description));
}

async function drift(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Plan again: the drift");
  narration.command("datahub-gitops plan");
  const expected = uiEdits.map(({ urn }) => urn).toSorted();
  if (changedIn(await steps.plan()).join("\n") !== expected.join("\n"))
    throw new RunError("the plan does not show exactly the three changes");
}

async function correction(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Apply again: correct the drift");
  narration.paragraph(
    "To keep such a change, update the manifest and have it reviewed. Otherwise, apply reverts the change:",
  );
  narration.command("datahub-gitops apply");
  await steps.apply();
}

async function proof(narration: Narration, steps: Steps): Promise<void> {
  narration.heading("Plan once more: no changes");
  narration.command("datahub-gitops plan");
  if (changedIn(await steps.plan()).length > 0) throw new RunError("the last plan is not empty");
  narration.heading("Next steps");
  narration.points([
    "datahub-gitops plan DIR compares your own DataHub with your own manifests without changing anything. Set DATAHUB_GMS_URL and DATAHUB_GMS_TOKEN first.",
    "datahub-gitops serve --load FILE runs a local catalog that keeps its data.",
  ]);
}

function changedIn({ changes }: Plan): readonly string[] {
  return changes.map(({ urn }) => urn).toSorted();
}
