/** Runs all checks of `doctor`: settings, manifests, repository, server, token and workflows. */

import {
  openRepository,
  readManifests,
  type Manifests,
  type Repository,
} from "../../../workflow/scope/repository.ts";
import { type Check, type Diagnosis, ok, problem, warning } from "../../../model/diagnosis.ts";
import { isError } from "../../../model/problem.ts";
import { count } from "../../../report/count.ts";
import { messageOf } from "../../../report/document/problems.ts";
import { ManifestError } from "../../../workflow/scope/errors.ts";
import { asCommandError } from "../../output/command-error.ts";
import type { Io } from "../../io.ts";
import { catalogFor } from "../../options/catalog.ts";
import { locationOf } from "../../options/options.ts";
import type { TargetOptions } from "../../options/target.ts";
import { checkRepository } from "./check-repository.ts";
import { checkServerAndToken } from "./check-server.ts";
import { checkWorkflows } from "./check-workflows.ts";

/** The options for `doctor`. */
export interface DoctorOptions extends TargetOptions {
  readonly settings?: string;
  readonly env?: string;
}

/** Runs all checks. A problem in one check does not stop the remaining checks. */
export async function diagnose(dir: string | undefined, options: DoctorOptions, io: Io): Promise<Diagnosis> {
  const directory = catalogFor(dir, { ...options, quiet: true }, io);
  const { repository, checks } = await checkSettings(directory, options, io);
  const known = repository && { repository, manifests: await readManifests(repository, io.interrupted) };
  const ofRepository = await checkRepository(directory, known, io);
  const { checks: ofServer, capabilities } = await checkServerAndToken(known, options, io);
  return {
    checks: [
      ...checks,
      ...(known ? checkManifests(known.manifests) : []),
      ...ofRepository,
      ...ofServer,
      ...checkWorkflows(directory, io),
    ],
    capabilities,
  };
}

interface CheckedSettings {
  readonly repository?: Repository;
  readonly checks: readonly Check[];
}

async function checkSettings(directory: string, options: DoctorOptions, io: Io): Promise<CheckedSettings> {
  const id = "settings";
  try {
    const repository = await openRepository(locationOf(directory, options, io));
    const { server, base } = repository.settings;
    const checks = [
      ok(id, `the settings of ${directory} are valid`),
      ...(server === undefined
        ? [
            warning(
              id,
              "no server is configured in the settings",
              "set `server`, so that these manifests are not applied to a different server by mistake",
            ),
          ]
        : []),
      ...(base === undefined
        ? [
            warning(
              id,
              "no base is configured in the settings",
              "set `base: refs/datahub-gitops/applied`; without it, `merge` and --prune cannot determine what was declared before",
            ),
          ]
        : []),
    ];
    return { repository, checks };
  } catch (thrown) {
    const error = asCommandError(thrown);
    if (error instanceof ManifestError) {
      const first = error.problems.find(isError);
      const message = first ? messageOf(first) : "the settings are not valid";
      return {
        checks: [
          problem(
            id,
            message,
            "fix the settings; `datahub-gitops validate` shows all problems with their lines",
          ),
        ],
      };
    }
    if (!(error instanceof Error) || error === thrown) throw thrown;
    return { checks: [problem(id, error.message, "specify the environment, or fix the settings")] };
  }
}

function checkManifests({ documents, files, problems }: Manifests): readonly Check[] {
  const errors = problems.filter(isError);
  const [first] = errors;
  const id = "manifests";
  return first
    ? [
        problem(
          id,
          `${count(errors.length, "problem")}: ${messageOf(first)}`,
          first.code === "no-directory" || first.code === "no-manifests"
            ? "run `datahub-gitops init` to create manifests from the catalog, or specify the catalog directory"
            : "run `datahub-gitops validate` to see each problem with its line",
        ),
      ]
    : [ok(id, `the manifests are valid: ${count(documents, "document")} in ${count(files, "file")}`)];
}
