// Loaded into the language server before its own code: a connection fails, and its target is written to a file.
const { appendFileSync } = require("node:fs");
const { Socket } = require("node:net");

Socket.prototype.connect = (...target) => {
  appendFileSync(process.env.CONNECTIONS_FILE, `${JSON.stringify(target)}\n`);
  throw new Error("this test allows no connection");
};
