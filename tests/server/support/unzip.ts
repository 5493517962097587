import { crc32 } from 'node:zlib';

/** Reads the files of an uncompressed archive from its central directory and checks each against its header and checksum. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('End of central directory not found');
  const count = archive.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let n = 0; n < count; n += 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('Central directory entry not found');
    const [crc, size] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24)];
    const [nameLength, extraLength] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)];
    const offset = archive.readUInt32LE(at + 42);
    const name = archive.subarray(at + 46, at + 46 + nameLength).toString();
    if (archive.readUInt32LE(offset) !== 0x04034b50) throw new Error(`${name} has no header`);
    if (archive.readUInt16LE(offset + 8) !== 0) throw new Error(`${name} is not stored`);
    const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
    const bytes = archive.subarray(start, start + size);
    if (crc32(bytes) !== crc) throw new Error(`${name} is damaged`);
    // A streamed file has its checksum after its bytes, any other file in its header.
    const isStreamed = (archive.readUInt16LE(offset + 6) & 8) !== 0;
    const checksum = archive.readUInt32LE(isStreamed ? start + size + 4 : offset + 14);
    if (checksum !== crc) throw new Error(`${name}: checksum differs from the directory`);
    files.set(name, bytes);
    at += 46 + nameLength + extraLength;
  }
  return files;
}
