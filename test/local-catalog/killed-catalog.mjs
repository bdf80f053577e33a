// Serves the data directory that it is given, from the built product, and prints where; to be killed by a test.
import { startCatalog } from "../../dist/local-catalog/server.js";

const [dataDir] = process.argv.slice(2);
const { url } = await startCatalog({ dataDir, port: 0, auth: false });
console.log(url);
