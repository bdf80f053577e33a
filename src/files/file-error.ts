/** Defines `FileError`, for files that the program refuses to open although the operating system would open them. */

/** Why the program refuses a file. */
export type FileErrorCode = "no-regular-file" | "too-large" | "link" | "link-outside";

const words: Readonly<Record<FileErrorCode, string>> = {
  "no-regular-file": "it is a pipe, socket or device, not a regular file",
  "too-large": "it is too large",
  link: "it is a link",
  "link-outside": "its path contains a link that leads out of the repository",
};

/** The program refused to open a file. The error has a code, as file system errors do; its message does not name the file. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: FileErrorCode;

  constructor(fault: FileErrorCode, message: string = words[fault]) {
    super(message);
    this.code = fault;
  }
}
