import { startTestCatalog, type TestCatalog } from "./catalog.ts";
import { type Ran, runCli, type RunOptions } from "./command-line.ts";
import { type TestRepository, testRepository } from "./git-repository.ts";
import { inCatalog, type PlanJson } from "./site.ts";

/** An environment of a repository, with its catalog. */
export interface TestEnvironment {
  readonly name: "dev" | "prod";
  readonly catalog: TestCatalog;
  /** Runs a command for it against its catalog. */
  readonly run: (argv: readonly string[], options?: Partial<RunOptions>) => Promise<Ran>;
  readonly apply: (...flags: readonly string[]) => Promise<Ran>;
  readonly planned: (...flags: readonly string[]) => Promise<PlanJson>;
  /** The ids of the tags in its catalog. */
  readonly tags: () => readonly string[];
  /** The commit that its ref names; empty where there is none yet. */
  readonly applied: () => string;
}

/** A repository with the environments `dev` and `prod`. */
export interface TwoEnvironments extends TestRepository {
  readonly dev: TestEnvironment;
  readonly prod: TestEnvironment;
  /** Settings with these lines before the environments and in each. */
  readonly settings: (lines?: Lines) => string;
}

interface Lines {
  readonly all?: readonly string[];
  readonly dev?: readonly string[];
  readonly prod?: readonly string[];
}

/** Commits files below `catalog/`, where `shared/` is for both environments and `prod/` for one, and starts two catalogs. */
export async function twoEnvironments(
  files: Readonly<Record<string, string>>,
  lines?: Lines,
): Promise<TwoEnvironments> {
  const repository = testRepository();
  const catalogs = { dev: await startTestCatalog(), prod: await startTestCatalog() };
  const own = { dev: ['    paths: ["shared/*"]'], prod: ['    paths: ["shared/*", "prod/*"]'] };
  const settings: TwoEnvironments["settings"] = (given = {}) => {
    const each = (["dev", "prod"] as const).flatMap((name) => [
      `  ${name}:`,
      `    server: ${catalogs[name].url}`,
      `    base: refs/datahub-gitops/${name}`,
      ...(given[name] ?? own[name]),
    ]);
    return ["version: 1", ...(given.all ?? []), "environments:", ...each, ""].join("\n");
  };
  repository.commit(inCatalog({ "datahub-gitops.yaml": settings(lines), ...files }));
  const environment = (name: "dev" | "prod"): TestEnvironment => environmentOf(repository, catalogs, name);
  return { ...repository, dev: environment("dev"), prod: environment("prod"), settings };
}

function environmentOf(
  { root: cwd, git }: TestRepository,
  catalogs: Readonly<Record<"dev" | "prod", TestCatalog>>,
  name: "dev" | "prod",
): TestEnvironment {
  const catalog = catalogs[name];
  const run: TestEnvironment["run"] = (argv, options) =>
    runCli([...argv, "--env", name, "--server", catalog.url], { cwd, ...options });
  return {
    name,
    catalog,
    run,
    apply: (...flags) => run(["apply", "--auto-approve", ...flags]),
    planned: async (...flags) =>
      JSON.parse((await run(["plan", "--format", "json", ...flags])).stdout) as PlanJson,
    tags: () => {
      const rows = catalog
        .aspects()
        .filter(({ aspect, version }) => aspect === "tagProperties" && version === 0);
      return rows.map(({ urn }) => urn.replace("urn:li:tag:", "")).toSorted();
    },
    applied: () => git("for-each-ref", "--format=%(objectname)", `refs/datahub-gitops/${name}`),
  };
}
