import { crc32, deflateRawSync } from "node:zlib";

/** A zip archive of files. `declared` is what it says of the size of each, if not the truth. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, declared?: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(data), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(declared ?? data.length, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const offset = parts.reduce((sum, { length }) => sum + length, 0);
    parts.push(Buffer.from("PK\u0003\u0004"), about, Buffer.from(name), packed);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000"), about, rest(offset), Buffer.from(name));
  }
  const [local, central] = [Buffer.concat(parts), Buffer.concat(directory)];
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

/** The end of an entry of the directory: where its file begins. */
function rest(offset: number): Buffer {
  const bytes = Buffer.alloc(14);
  bytes.writeUInt32LE(offset, 10);
  return bytes;
}
