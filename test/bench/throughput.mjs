import { Agent, request } from "node:http";

/** @typedef {import("./catalog-process.mjs").Catalog} Catalog */

/**
 * How fast a catalog takes writes, beside how fast it answers at all.
 * @typedef {object} Throughput
 * @property {number} writes
 * @property {number} clients
 * @property {number} seconds for all writes
 * @property {number} floor seconds for as many requests to `/health`
 */

const clients = 16;

/**
 * Sends writes from several clients at once, proposals and mutations in turn, each of which must be acknowledged;
 * then as many bare requests.
 * @param {Pick<Catalog, "url" | "token">} catalog
 * @param {number} writes
 * @returns {Promise<Throughput>}
 */
export async function measureThroughput(catalog, writes) {
  const seconds = await timed(writes, (index) => write(catalog, index));
  const floor = await timed(writes, () => ask(catalog, "/health"));
  return { writes, clients, seconds, floor };
}

/**
 * @param {number} count
 * @param {(index: number) => Promise<unknown>} work
 */
async function timed(count, work) {
  let next = 0;
  const started = performance.now();
  const client = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (performance.now() - started) / 1000;
}

/**
 * @param {Pick<Catalog, "url" | "token">} catalog
 * @param {number} index
 */
async function write(catalog, index) {
  const tag = `urn:li:tag:throughput-${Math.floor(index / 2) % 500}`;
  if (index % 2 === 0) {
    const aspect = { value: JSON.stringify({ name: `Tag ${index}` }), contentType: "application/json" };
    const proposal = {
      entityType: "tag",
      entityUrn: tag,
      changeType: "UPSERT",
      aspectName: "tagProperties",
      aspect,
    };
    await ask(catalog, "/aspects?action=ingestProposal", { proposal, async: "false" });
    return;
  }
  const input = {
    ownerUrn: "urn:li:corpuser:datahub",
    ownerEntityType: "CORP_USER",
    type: "TECHNICAL_OWNER",
    resourceUrn: tag,
  };
  const query = "mutation Own($input: AddOwnerInput!) { addOwner(input: $input) }";
  const answer = await ask(catalog, "/api/graphql", { query, variables: { input } });
  if (JSON.parse(answer).data?.addOwner !== true) throw new Error(`a mutation failed: ${answer}`);
}

const agent = new Agent({ keepAlive: true, maxSockets: clients });

/**
 * @param {Pick<Catalog, "url" | "token">} catalog
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<string>}
 */
function ask({ url, token }, path, body) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method: body ? "POST" : "GET", headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${path} answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on("error", reject).end(body && JSON.stringify(body));
  });
}
