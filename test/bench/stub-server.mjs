// Started as `node stub-server.mjs URL STATE DATASETS`: answers for so many datasets of the sample with next to no work, and hands
// every other request to the catalog at that address.
import { startProxy } from "./proxy.mjs";
import { stubAnswer } from "./stub-answer.mjs";

const [target = "", state, datasets] = process.argv.slice(2);
if (state !== "in-sync" && state !== "differing") throw new Error(`no state of the stub: ${state}`);
const { url } = await startProxy(target, (request) =>
  stubAnswer(request, { state, datasets: Number(datasets) }),
);
console.log(`Stub listening on ${url}`);
