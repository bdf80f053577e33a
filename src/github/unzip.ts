import { errorMessage } from "../model/text/error-text.ts";
import { GithubError } from "./failure.ts";

/** One file of a zip archive. Throws `GithubError` for a broken archive, an absent file, and after `most` unpacked bytes. */
export async function unzipped(archive: Buffer, file: string, most: number): Promise<Buffer> {
  // Only here: most commands read no archive.
  const { default: yauzl } = await import("yauzl");
  try {
    const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== file) continue;
      if (entry.uncompressedSize > most) throw tooLarge(file, most);
      const parts: Buffer[] = [];
      // It ends with an error if there is more than the archive declares.
      for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
      return Buffer.concat(parts);
    }
  } catch (error) {
    if (error instanceof GithubError) throw error;
    throw new GithubError("archive", `the artifact is not a valid zip archive: ${errorMessage(error)}`);
  }
  throw new GithubError("archive", `the artifact has no file ${file}`);
}

function tooLarge(file: string, most: number): GithubError {
  return new GithubError("archive", `${file} in the artifact is larger than ${most / 1_000_000} MB`);
}
