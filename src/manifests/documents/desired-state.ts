/** Builds the desired state from all manifests in a directory, and joins and checks declarations from any source. */

import { resolve } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import type { CatalogPolicy, Waiver } from "../../model/catalog-policy.ts";
import { groupBy } from "../../model/group-by.ts";
import { type Problem, sortProblems } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import { type CatalogFile, catalogFiles, displayName, namesOf } from "../base/catalog-files.ts";
import { crossProblems } from "./cross-checks.ts";
import { type Collected, emptyCollection } from "../base/collected.ts";
import type { DeclaredReference, References } from "../../model/reference.ts";
import { entitiesOf } from "./entities.ts";
import { readManifestFile } from "./manifest.ts";
import { errorAt, fileOrigin } from "../base/problem.ts";
import { policiesOf, unknownPolicies } from "../policies/policy-set.ts";
import { exemptionsOf, rulesOf } from "../rules/rule-set.ts";
import { pathFilter, type PathPattern, unmatchedPaths } from "../settings/environments.ts";
import { defaultSettingsFile } from "../settings/settings.ts";
import { forEachYielding } from "../yaml/for-each-yielding.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import type { Desired, DeclaredState } from "../base/desired.ts";
import type { Declaration } from "../../model/declaration.ts";

export interface ReadingOptions {
  readonly cwd: string;
  /** The settings file, if it is not the default file. A settings file is not read as a manifest. */
  readonly settings?: string | undefined;
  /** The patterns that select files. If absent, all files are read. */
  readonly paths?: readonly PathPattern[] | undefined;
  /** Texts to use instead of file contents, keyed by file name. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** Computes an id from a file's bytes. */
  readonly idOf?: ((bytes: Buffer) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads every manifest below a directory. Reports errors as problems, and throws only the signal's abort reason. */
export async function readDesired(dir: string, options: ReadingOptions): Promise<Desired> {
  const { cwd } = options;
  const root = resolve(cwd, dir);
  const found = catalogFiles(root, cwd, settingsFiles(root, options));
  const isPart = options.paths && pathFilter(options.paths);
  const parts = groupBy(found.files, ({ path }) => !isPart || isPart(displayName(path, root)));
  const [read, others] = [parts.get(true) ?? [], parts.get(false) ?? []];
  const problems = [...found.problems, ...unmatchedPaths(found.files, root, options)];
  const collected: Collected = {
    ...emptyCollection(),
    problems,
    unreadable: found.problems.length,
  };
  const ids = new Map<string, string>();
  const { texts, idOf, signal } = options;
  const readOne = (file: CatalogFile): void => {
    const text = texts?.get(file.name);
    const bytesOf = (path: string): Buffer => {
      const bytes = text === undefined ? readRegularFile(path) : Buffer.from(text);
      if (idOf) ids.set(file.name, idOf(bytes));
      return bytes;
    };
    readManifestFile(readYamlFile(file, bytesOf), collected);
  };
  await forEachYielding(read, readOne, signal);
  if (collected.documents === 0 && collected.problems.length === 0) {
    const name = displayName(root, cwd);
    collected.problems.push(errorAt(fileOrigin(name), "no-manifests", { dir: name, files: read.length }));
  }
  const declared = desiredOf(collected, read.length, collected.unreadable === 0);
  return { ...declared, names: namesOf(read), others: namesOf(others), ids };
}

/** Returns the paths of a catalog directory's settings files, which are not manifests. These files do not have to exist. */
export function settingsFiles(root: string, { cwd, settings }: ReadingOptions): ReadonlySet<string> {
  const named = settings === undefined ? [] : [resolve(cwd, settings)];
  return new Set([defaultSettingsFile(root), ...named]);
}

/** Declarations, rules, policies and waivers that were collected from any source. */
interface Found {
  readonly declarations: readonly Declaration[];
  readonly rules?: readonly Rule[];
  readonly policies?: readonly CatalogPolicy[];
  readonly waivers?: readonly Waiver[];
  readonly problems?: readonly Problem[];
  readonly documents?: number;
}

/**
 * Joins declarations, and checks them against each other. Reports undeclared references only if the declarations are complete
 * (`isComplete`).
 */
export function desiredOf(
  { declarations, problems = [], documents = 0, waivers = [], ...written }: Found,
  files: number,
  isComplete: boolean,
): DeclaredState {
  const { state, used, problems: contradictions } = entitiesOf(declarations);
  const { rules, problems: ruleProblems } = rulesOf(written.rules ?? []);
  const { policies, problems: policyProblems } = policiesOf(written.policies ?? []);
  const all = sortProblems([
    ...problems,
    ...contradictions,
    ...ruleProblems,
    ...policyProblems,
    ...(isComplete ? unknownPolicies({ policies, waivers }) : []),
    ...crossProblems(state, { declarations: used, rules }, isComplete),
  ]);
  return {
    state,
    references: referencesOf(used),
    declarations,
    rules,
    exempt: exemptionsOf(used),
    policies,
    waivers,
    problems: all,
    files,
    documents,
  };
}

function referencesOf(declarations: Iterable<Declaration>): References {
  return {
    *[Symbol.iterator](): Generator<DeclaredReference> {
      for (const { references } of declarations) yield* references;
    },
  };
}
