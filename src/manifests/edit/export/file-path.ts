import { hash } from "node:crypto";
import { kindOf } from "../../../kinds/index.ts";
import { plainKeyOf, type Urn } from "../../../model/urn.ts";

/** The longest path of a manifest, below the catalog directory. Windows takes 260 characters for all of it. */
const maxPathLength = 240;

const maxNameLength = 80;

/** Names that Windows keeps for devices, whatever follows a dot. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|\.)/i;

/**
 * The path of the manifest of an entity, below the catalog directory and with `/`. It is made of letters, digits and a few
 * signs that every file system takes; all others are percent-encoded. Two entities may have the same one, or one that
 * differs in case only: `isTaken` says so of a path in lower case, and the later one gets a name of its own. `folder` is empty,
 * or ends in `/`.
 */
export function filePathOf(
  urn: Urn,
  kindName: string,
  isTaken: (path: string) => boolean,
  folder = "",
): string {
  const kind = kindOf(kindName);
  const names = kind.pathOf(urn).filter((name) => name !== "");
  const segments = [kind.plural, ...(names.length > 0 ? names : [plainKeyOf(urn)]).map(safeName)];
  const whole = folder + segments.join("/");
  const path = `${whole}.yaml`;
  if (path.length <= maxPathLength && !isTaken(path.toLowerCase())) return path;
  const start = whole.slice(0, maxPathLength - 15).replace(/[/.%]+$|%.$/g, "");
  return `${start}~${digestOf(urn)}.yaml`;
}

/** Whether a path is one of those that `filePathOf` gives an entity, below one of some folders. */
export function isPathOf(path: string, urn: Urn, kindName: string, folders: readonly string[]): boolean {
  return folders.some((folder) =>
    [false, true].some((isTaken) => filePathOf(urn, kindName, () => isTaken, folder) === path),
  );
}

function safeName(name: string): string {
  const encoded = name
    .replace(/[^A-Za-z0-9._@+=-]/gu, percentEncoded)
    .replace(/^\.|\.$/g, percentEncoded)
    .replace(reserved, (device) => percentEncoded(device.slice(0, 1)) + device.slice(1));
  if (encoded.length <= maxNameLength) return encoded;
  return `${encoded.slice(0, maxNameLength - 9).replace(/%.?$|\.+$/, "")}~${digestOf(name)}`;
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

function digestOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 8);
}
