import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly uri?: string;
    readonly diagnostics?: readonly Diagnostic[];
    readonly items?: readonly { readonly section?: string }[];
  };
  readonly result?: unknown;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** What the server says is wrong with a file. */
interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** A YAML language server, as editors start it, and what it says of files. */
export interface Editor {
  /** What is wrong with a file that contains this text. */
  readonly problems: (path: string, text: string) => Promise<readonly Diagnostic[]>;
  /** What the server would complete at the mark `|` in the text of a file. */
  readonly completions: (path: string, text: string) => Promise<readonly string[]>;
  /** The connections that the server tried to make, which all failed. */
  readonly connections: () => string;
}

const require = createRequire(import.meta.url);
const server = require.resolve("yaml-language-server/bin/yaml-language-server");

/** Starts a language server in a folder, without a network. It ends with the test. */
export async function editorIn(folder: string, connectionsFile: string): Promise<Editor> {
  const refusing = join(import.meta.dirname, "refuse-connections.cjs");
  const child = spawn(process.execPath, ["--require", refusing, server, "--stdio"], {
    env: { PATH: process.env["PATH"], CONNECTIONS_FILE: connectionsFile },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });

  const waiting: {
    readonly wants: (message: Message) => boolean;
    readonly take: (message: Message) => void;
  }[] = [];
  const next = (wants: (message: Message) => boolean): Promise<Message> =>
    new Promise((take) => void waiting.push({ wants, take }));
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const receive = (message: Message): void => {
    if (message.method !== undefined && message.id !== undefined)
      send({ id: message.id, result: (message.params?.items ?? []).map(settingsFor) });
    const index = waiting.findIndex(({ wants }) => wants(message));
    if (index >= 0) waiting.splice(index, 1)[0]?.take(message);
  };
  let received = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (let body = bodyIn(received); body; body = bodyIn(received)) {
      received = received.subarray(body.end);
      receive(JSON.parse(body.text) as Message);
    }
  });

  let lastId = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    lastId += 1;
    const id = lastId;
    const answer = next((message) => message.id === id && message.method === undefined);
    send({ id, method, params });
    return (await answer).result;
  };
  let version = 0;
  const open = (path: string, text: string): string => {
    const uri = pathToFileURL(join(folder, path)).href;
    // The server keeps what it has parsed of a version.
    version += 1;
    send({
      method: "textDocument/didOpen",
      params: { textDocument: { uri, languageId: "yaml", version, text } },
    });
    return uri;
  };
  const close = (uri: string): void =>
    send({ method: "textDocument/didClose", params: { textDocument: { uri } } });

  await ask("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { completion: {} } },
  });
  send({ method: "initialized", params: {} });

  return {
    problems: async (path, text) => {
      const uri = pathToFileURL(join(folder, path)).href;
      const told = next(
        ({ method, params }) => method === "textDocument/publishDiagnostics" && params?.uri === uri,
      );
      open(path, text);
      const { params } = await told;
      close(uri);
      return params?.diagnostics ?? [];
    },
    completions: async (path, text) => {
      const before = text.slice(0, text.indexOf("|"));
      const uri = open(path, text.replace("|", ""));
      const lines = before.split("\n");
      const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
      const answer = (await ask("textDocument/completion", { textDocument: { uri }, position })) as {
        readonly items: readonly { readonly label: string }[];
      };
      close(uri);
      return answer.items.map(({ label }) => label);
    },
    connections: () => (existsSync(connectionsFile) ? readFileSync(connectionsFile, "utf8") : ""),
  };
}

// Editors have the server look up the schemas of other files in a public catalog, unless their user does not want that.
function settingsFor({ section }: { readonly section?: string }): object | null {
  return section === "yaml" ? { schemaStore: { enable: false } } : null;
}

/** The first message in what came, and where it ends; undefined where it has not come as a whole. */
function bodyIn(bytes: Buffer): { readonly text: string; readonly end: number } | undefined {
  const start = bytes.indexOf("\r\n\r\n") + 4;
  const length = Number(/Content-Length: (\d+)/i.exec(bytes.subarray(0, start).toString("utf8"))?.[1]);
  const end = start + length;
  return bytes.length >= end ? { text: bytes.subarray(start, end).toString("utf8"), end } : undefined;
}
