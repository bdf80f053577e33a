import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";

const root = join(import.meta.dirname, "../..");

/** Commands in the place of those that reach out of the machine: each is a script that sees its arguments. */
function fakes(commands: Readonly<Record<string, string>>): string {
  const bin = join(temporaryDirectory(), "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(commands))
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
  return bin;
}

test.each([
  ["docker-compose.quickstart-profile.yml", "datahub-gms-quickstart", "frontend-quickstart"],
  ["docker-compose-without-neo4j.quickstart.yml", "datahub-gms", "datahub-frontend-react"],
])("a job starts the newest release of its line with authentication on, from %s", (file, gms, frontend) => {
  const directory = temporaryDirectory();
  const seen = join(directory, "seen");
  const bin = fakes({
    git: `case $1 in
      ls-remote) printf 'a\\trefs/tags/%s\\n' v1.4.0.10rc2 v1.4.0.9 v1.4.0.1 ;;
      clone) mkdir -p docker/quickstart; touch "docker/quickstart/${file}"; echo "clone $*" >>${seen} ;;
    esac`,
    docker: `case "$*" in
      *--services) printf '%s\\n' ${gms} ${frontend} mysql ;;
      *up*) echo "up $DATAHUB_VERSION $COMPOSE_PROFILES $3" >>${seen}; cat authentication.yml >>${seen} ;;
    esac`,
    curl: `case "$*" in *graphql*) echo '{"data":{"createAccessToken":{"accessToken":"secret"}}}' ;; esac`,
  });
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, GITHUB_ENV: join(directory, "env") };

  const { status, stdout, stderr } = spawnSync(join(root, "test/acceptance/quickstart.sh"), ["1.4"], {
    cwd: root,
    env,
    encoding: "utf8",
  });

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toBe("The newest release of 1.4 is v1.4.0.9.\n::add-mask::secret\n");
  expect(readFileSync(env.GITHUB_ENV, "utf8")).toBe(
    "DATAHUB_GMS_TOKEN=secret\nDATAHUB_GMS_URL=http://localhost:8080\n",
  );
  expect(readFileSync(seen, "utf8").split("\n").slice(1)).toEqual([
    `up v1.4.0.9 quickstart ${file}`,
    "services:",
    ...[gms, frontend].map((name) => `  ${name}: { environment: { METADATA_SERVICE_AUTH_ENABLED: "true" } }`),
    "",
  ]);
});

test("the results of a job are a table in its summary, and a file", () => {
  const directory = temporaryDirectory();
  const summary = join(directory, "summary.md");
  const results = join(directory, "results/datahub-1.4.json");
  const workflow = readFileSync(join(root, ".github/workflows/nightly.yml"), "utf8");
  const [, command = ""] = /- name: Test all operations[\s\S]*?run: (.*)\n/.exec(workflow) ?? [];
  const narrowed = command
    .replace("results/datahub-$LINE.json", results)
    .replace("--format", '--only "query me" --format');
  const { DATAHUB_GMS_URL: _, ...outside } = process.env;
  const env = { ...outside, LINE: "1.4", GITHUB_STEP_SUMMARY: summary };

  const { status, stderr } = spawnSync("bash", ["-eo", "pipefail", "-c", narrowed], {
    cwd: root,
    env,
    encoding: "utf8",
  });

  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(readFileSync(summary, "utf8")).toMatch(/\| query me \|.*passed/);
  expect(JSON.parse(readFileSync(results, "utf8"))).toMatchObject({ rows: expect.any(Array) });
});
