import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { chooseEncoding, type Encoding } from '#server/platform/http/encodings.ts';

/** Compressing a smaller body saves less than one packet. */
const MIN_BYTES = 1024;

/** Up to this size, compressing takes at most a third of a millisecond, less than handing it to another thread. */
const MAX_SYNC_BYTES = 64 * 1024;

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** For text, smaller than the strongest gzip and faster than a weak one. A window of the size of the text is the fastest to set up. */
const toBrotliOptions = (text: string) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    ...(text.length <= MAX_SYNC_BYTES && { [constants.BROTLI_PARAM_LGWIN]: 16 }),
  },
});
const GZIP_OPTIONS = { level: 5 };

interface Compressor {
  sync: (text: string) => Buffer;
  async: (text: string) => Promise<Buffer>;
}
const COMPRESSORS: Record<Encoding, Compressor> = {
  br: {
    sync: (text) => brotliCompressSync(text, toBrotliOptions(text)),
    async: (text) => brotliAsync(text, toBrotliOptions(text)),
  },
  gzip: { sync: (text) => gzipSync(text, GZIP_OPTIONS), async: (text) => gzipAsync(text, GZIP_OPTIONS) },
};

/**
 * Compresses JSON responses of over a kilobyte for clients that accept it. Calls carry their token in a header, which no other site can
 * make a browser send, so an attacker cannot trigger responses to guess a secret from their size (BREACH).
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!String(reply.getHeader('content-type') ?? '').startsWith('application/json')) return payload;
    void reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    if (typeof payload !== 'string' || payload.length < MIN_BYTES || reply.hasHeader('content-encoding'))
      return payload;
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding === null) return payload;
    const etag = reply.getHeader('etag');
    // The bytes differ from the uncompressed response, so the entity tag must be weak.
    if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('etag', `W/${etag}`);
    void reply.header('content-encoding', encoding).removeHeader('content-length');
    return COMPRESSORS[encoding][payload.length <= MAX_SYNC_BYTES ? 'sync' : 'async'](payload);
  });
}
