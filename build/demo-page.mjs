import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** Writes the page of a plan of the sample manifests for the sample catalog of the demo. It is the same each time. */
export async function demoPage(file) {
  const data = mkdtempSync(join(tmpdir(), "datahub-gitops-demo-"));
  const filled = spawnSync(process.execPath, ["dist/cli.js", "demo", "--fill", data], { stdio: "inherit" });
  if (filled.status !== 0) throw new Error("the sample catalog cannot be made");
  const server = spawn(
    process.execPath,
    ["dist/cli.js", "serve", "--data", data, "--port", "0", "--no-auth"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    const [line] = await once(createInterface({ input: server.stdout }), "line");
    const page = await pageOfPlan(/http:\S+/.exec(line)[0]);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page);
  } finally {
    server.kill();
    await once(server, "exit");
    rmSync(data, { recursive: true });
  }
}

async function pageOfPlan(address) {
  const gitops = await import("../dist/index.js");
  const cwd = process.cwd();
  const repository = await gitops.openRepository({ cwd, directory: "catalog" });
  const scope = await gitops.readScope({ repository, policy: gitops.policyOf(repository.settings) });
  const { plan } = await gitops.planScope(
    { ...scope, git: { commit: null, dirty: false, base: null } },
    gitops.connectionTo(address),
    { createdAt: "2027-01-01T00:00:00.000Z", target: "the sample catalog" },
  );
  // The digest is also over the time at which the sample was loaded.
  return gitops.renderPlan({ ...plan, digest: `sha256:${"0".repeat(64)}` }, "html", { cwd });
}
