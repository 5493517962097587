import { countPdfPages, isEncryptedPdf } from '#contract/casting/pdf-pages.ts';
import type { AccountDb } from '#db/database.ts';
import { fileBytes } from '#db/media-bytes.ts';

/** What a device finds in a PDF. */
export interface CountedPdf {
  isEncrypted: boolean;
  /** 0 if there are none or they cannot be found; null if this device cannot tell. */
  pages: number | null;
}

/** A program that writes more into one stream does not write a script. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

/** One character for each byte. */
const toText = (bytes: Uint8Array | ArrayBuffer) => new TextDecoder('latin1').decode(bytes);

/** Unpacks a Flate stream, up to where it is damaged: a line break behind it counts as damage, too. */
async function unpack(packed: Blob): Promise<string | null> {
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += toText(part.value);
      if (text.length > MAX_UNPACKED_BYTES) return null;
    }
  } catch (error) {
    // Anything but damaged bytes is a bug.
    if (!(error instanceof TypeError)) throw error;
  } finally {
    // What is left is not needed.
    reader.cancel().catch(() => undefined);
  }
  return text === '' ? null : text;
}

/** Counts the pages of a stored PDF as the server does, also offline. */
export async function countPagesOf(db: AccountDb, mediaId: string): Promise<CountedPdf> {
  const file = await db.media.get(mediaId);
  const blob = file && (await fileBytes(db, file));
  if (!blob) return { isEncrypted: false, pages: null };
  const text = toText(await blob.arrayBuffer());
  if (isEncryptedPdf(text)) return { isEncrypted: true, pages: null };
  if (typeof DecompressionStream === 'undefined') return { isEncrypted: false, pages: null };
  const pages = await countPdfPages({ text, unpack: (start, end) => unpack(blob.slice(start, end)) });
  return { isEncrypted: false, pages };
}
