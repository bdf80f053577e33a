/** Checks the server's release and capabilities. */

import type { Reader } from "../../../datahub/client.ts";
import type { ServerAnswer } from "../../../datahub/server-config.ts";
import type { KnownCapability } from "../../../model/capability.ts";
import { CatalogError } from "../../../model/catalog-error.ts";
import { type Check, ok, problem, warning } from "../../../model/diagnosis.ts";
import { hasConditionalWrites, readsAspects } from "../../../sync/read/capabilities.ts";
import type { Io } from "../../io.ts";
import type { Known } from "./check-repository.ts";

/** Checks whether the server's release supports conditional writes and the `writes` and `reads` settings. */
export async function checkRelease(
  reader: Reader,
  { version }: ServerAnswer,
  { repository }: Known,
  io: Io,
): Promise<readonly Check[]> {
  const release = `DataHub ${version ?? "(unknown release)"}`;
  const { writes, reads } = repository.settings;
  if (await hasConditionalWrites(reader, io.interrupted)) {
    if ((await readsAspects(reader, io.interrupted)) !== false) return [ok("server", `${release} responds`)];
    const slower = `${release} does not respond to requests to \`/openapi/\`, so aspects are read one at a time${reads === "openapi" ? ", and assets are read through GraphQL despite `reads: openapi`" : ""}`;
    return [warning("server", slower, "allow requests to `/openapi/` to reach the server")];
  }
  const words = `${release} does not support conditional writes, so a simultaneous edit by someone else can be lost`;
  return [
    writes === "conditional"
      ? problem("server", words, "upgrade to DataHub 0.14 or later, or set `writes: graphql`")
      : warning("server", words, "upgrade to DataHub 0.14 or later"),
    ...(reads === "openapi"
      ? [
          warning(
            "server",
            `${release} does not support \`reads: openapi\`, so everything is read through GraphQL`,
            "upgrade to DataHub 0.14 or later, or set `reads: graphql`",
          ),
        ]
      : []),
  ];
}

/**
 * Checks the capabilities that differ between servers. The table in the output of `doctor` explains missing capabilities. Returns
 * no checks if the capabilities were not read.
 */
export function checkCapabilities(
  capabilities: readonly KnownCapability[] | CatalogError | undefined,
): readonly Check[] {
  const id = "capabilities";
  const introspection =
    "allow GraphQL introspection on the server; until then, unknown capabilities count as missing";
  if (capabilities === undefined) return [];
  if (capabilities instanceof CatalogError)
    return [
      warning(
        id,
        `could not determine the capabilities: ${capabilities.message}`,
        `try again, or ${introspection}`,
      ),
    ];
  const found = (isThere: boolean | null): readonly KnownCapability[] =>
    capabilities.filter((each) => each.isThere === isThere);
  const [lacked, unknown] = [found(false), idsOf(found(null))];
  const off = lacked.filter(({ asked }) => asked.by === "flag");
  // The server release check already covers `versions` and `aspects-of-none`.
  const missing = idsOf(
    lacked.filter(({ asked: { by } }) => by !== "flag" && by !== "versions" && by !== "aspects-of-none"),
  );
  if (lacked.length + unknown.length === 0)
    return [ok(id, `the server has all ${capabilities.length} capabilities that differ between releases`)];
  return [
    ...off.map((each) => ok(id, `${each.id} is turned off on the server: ${each.without}`)),
    ...(missing.length > 0
      ? [
          warning(
            id,
            `the server lacks ${missing.join(", ")}`,
            "upgrade the server; the table below shows what does not work without them",
          ),
        ]
      : []),
    ...(unknown.length > 0
      ? [warning(id, `could not determine whether the server has ${unknown.join(", ")}`, introspection)]
      : []),
  ];
}

function idsOf(capabilities: readonly KnownCapability[]): readonly string[] {
  return capabilities.map((each) => each.id);
}
