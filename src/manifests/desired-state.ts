import { resolve } from "node:path";
import { readRegularFile } from "../files/read-file.ts";
import type { CatalogPolicy, Waiver } from "../model/catalog-policy.ts";
import { groupBy } from "../model/group-by.ts";
import { type Problem, sortProblems } from "../model/problem.ts";
import type { Exemptions, Rule } from "../model/rule.ts";
import type { State } from "../model/state.ts";
import { type CatalogFile, catalogFiles, displayName, namesOf } from "./catalog-files.ts";
import { crossProblems } from "./checks/cross-checks.ts";
import { type Collected, nothingCollected } from "./collected.ts";
import type { Declaration } from "./declaration.ts";
import type { DeclaredReference, References } from "../model/reference.ts";
import { entitiesOf } from "./entities.ts";
import { readManifestFile } from "./manifest.ts";
import { errorAt, fileOrigin } from "./problem.ts";
import { policiesOf, unknownPolicies } from "./policies/policy-set.ts";
import { exemptionsOf, rulesOf } from "./rules/rule-set.ts";
import { pathFilter, type PathPattern, unmatchedPaths } from "./settings/environments.ts";
import { defaultSettingsFile } from "./settings/settings.ts";
import { forEachYielding } from "./yaml/for-each-yielding.ts";
import { readYamlFile } from "./yaml/yaml-file.ts";

/** What manifests declare, put together. With an error among the problems it is not to be relied on. */
export interface DeclaredState {
  readonly state: State;
  /** What entities refer to in what a plan may add. */
  readonly references: References;
  /** All that was declared, a manifest or an element of a list each: before they were put together to entities. */
  readonly declarations: readonly Declaration[];
  /** What is declared of all live assets that match. */
  readonly rules: readonly Rule[];
  readonly exempt: Exemptions;
  readonly policies: readonly CatalogPolicy[];
  readonly waivers: readonly Waiver[];
  readonly problems: readonly Problem[];
  /** How many files were read, and how many manifests in them. */
  readonly files: number;
  readonly documents: number;
}

/** What the manifests of a directory declare. */
export interface Desired extends DeclaredState {
  /** Every manifest file that was read, as it is called in messages. */
  readonly names: ReadonlySet<string>;
  /** The other manifest files of the directory, which are not of the part that was asked for. */
  readonly others: ReadonlySet<string>;
  /** By file, what `idOf` made of its bytes, where that was asked for. */
  readonly ids?: ReadonlyMap<string, string>;
}

export interface ReadingOptions {
  readonly cwd: string;
  /** The settings file where it is not the default one: it is not a manifest. */
  readonly settings?: string | undefined;
  /** Only the files that one of these patterns matches; without patterns all. */
  readonly paths?: readonly PathPattern[] | undefined;
  /** Texts to read in place of some files, by the names of the files in messages. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** Is shown the bytes of each file that is read. */
  readonly idOf?: ((bytes: Buffer) => string) | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads every manifest below a directory. What is wrong is among the problems; throws only the reason of the signal. */
export async function readDesired(dir: string, options: ReadingOptions): Promise<Desired> {
  const { cwd } = options;
  const root = resolve(cwd, dir);
  const found = catalogFiles(root, cwd, settingsFiles(root, options));
  const isPart = options.paths && pathFilter(options.paths);
  const parts = groupBy(found.files, ({ path }) => !isPart || isPart(displayName(path, root)));
  const [read, others] = [parts.get(true) ?? [], parts.get(false) ?? []];
  const problems = [...found.problems, ...unmatchedPaths(found.files, root, options)];
  const collected: Collected = {
    ...nothingCollected(),
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
  const declared = desiredOf(collected, read.length);
  return { ...declared, names: namesOf(read), others: namesOf(others), ...(idOf && { ids }) };
}

/** The settings files of a catalog directory, whether they exist or not: they are not manifests. */
export function settingsFiles(
  root: string,
  { cwd, settings }: Pick<ReadingOptions, "cwd" | "settings">,
): ReadonlySet<string> {
  const named = settings === undefined ? [] : [resolve(cwd, settings)];
  return new Set([defaultSettingsFile(root), ...named]);
}

/** What was found of manifests, wherever it comes from. */
type Found = Pick<Collected, "declarations" | "problems" | "documents" | "unreadable"> & {
  readonly rules: readonly Rule[];
  readonly policies?: readonly CatalogPolicy[];
  readonly waivers?: readonly Waiver[];
};

/** Unites declarations and checks them against each other; for undeclared references only where they are all (`isComplete`). */
export function desiredOf(
  { declarations, rules: written, policies: own = [], waivers = [], problems, documents, unreadable }: Found,
  files: number,
  isComplete = true,
): DeclaredState {
  const { state, used, problems: found } = entitiesOf(declarations);
  const { rules, problems: twice } = rulesOf(written);
  const crossing = crossProblems(state, { declarations: used, rules }, isComplete && unreadable === 0);
  const { policies, problems: policiesTwice } = policiesOf(own);
  const unknown = isComplete && unreadable === 0 ? unknownPolicies({ policies, waivers }) : [];
  const all = sortProblems([...problems, ...found, ...twice, ...policiesTwice, ...unknown, ...crossing]);
  const exempt = exemptionsOf(used);
  const references = referencesOf(used);
  return {
    state,
    references,
    declarations,
    rules,
    exempt,
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
