/** Reads jobs and steps from GitHub workflows. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readContainedFile } from "../../../files/read-file.ts";
import { isManifest, reasonOf, unreadableProblem } from "../../../manifests/base/catalog-files.ts";
import { yamlIn } from "../../../manifests/yaml/yaml-file.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { isError } from "../../../model/problem.ts";
import { messageOf } from "../../../report/document/problems.ts";

/** A workflow file. */
export interface Workflow {
  /** The file name of the workflow. */
  readonly name: string;
  readonly jobs: readonly Job[];
}

interface Job {
  readonly id: string;
  readonly steps: readonly Step[];
}

/** A step in a job. */
export interface Step {
  /** The action that the step runs, or an empty string. */
  readonly uses: string;
  /** The action's inputs. */
  readonly inputs: JsonObject;
}

/** A file or folder that could not be read. */
interface Unread {
  readonly name: string;
  readonly reason: string;
}

/**
 * Returns the workflows in `.github/workflows` under `top` that contain the text `words`, and a list of unreadable files. Never
 * throws. A missing folder is treated as empty.
 */
export function readWorkflows(
  top: string,
  words: string,
): { readonly workflows: readonly Workflow[]; readonly unread: readonly Unread[] } {
  const folder = join(top, ".github", "workflows");
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter(isManifest).toSorted();
  } catch (error) {
    const unread = reasonOf(error) === "ENOENT" ? [] : [unreadable(".github/workflows", error)];
    return { workflows: [], unread };
  }
  const read = names.map((name) => readWorkflow(folder, name, words));
  return {
    workflows: read.flatMap((each) => (each && "jobs" in each ? [each] : [])),
    unread: read.flatMap((each) => (each && "reason" in each ? [each] : [])),
  };
}

function readWorkflow(folder: string, name: string, words: string): Workflow | Unread | undefined {
  let bytes: Buffer;
  try {
    bytes = readContainedFile(join(folder, name));
  } catch (error) {
    return unreadable(name, error);
  }
  if (!bytes.includes(words)) return undefined;
  const { documents, problems } = yamlIn(name, bytes);
  const error = problems.find(isError);
  if (error) return { name, reason: `line ${error.origin?.line ?? 1}: ${messageOf(error)}` };
  return { name, jobs: jobsIn(documents[0]?.root) };
}

function unreadable(name: string, error: unknown): Unread {
  return {
    name,
    reason: messageOf(unreadableProblem(name, error)).replace(/^this path cannot be read: /, ""),
  };
}

function jobsIn(workflow: Json | undefined): readonly Job[] {
  return Object.entries(objectOf(objectOf(workflow)["jobs"])).map(([id, job]) => {
    const { steps } = objectOf(job);
    return { id, steps: isJsonList(steps) ? steps.map(stepOf) : [] };
  });
}

function stepOf(step: Json): Step {
  const { uses, with: inputs } = objectOf(step);
  return { uses: typeof uses === "string" ? uses : "", inputs: objectOf(inputs) };
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
