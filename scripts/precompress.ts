import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible = /\.(js|css|html|svg|webmanifest|json|txt|ttf)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes .br and .gz files beside the text files of a folder where that saves space. The server sends them as they are. */
export async function compressFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !compressible.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const packed = { br: await brotli(bytes, { params }), gz: await zip(bytes, { level: 9 }) };
    for (const [ending, smaller] of Object.entries(packed)) {
      if (smaller.length < bytes.length) await writeFile(`${path}.${ending}`, smaller);
    }
  }
}
