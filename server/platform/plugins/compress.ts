import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { chooseEncoding, type Encoding } from '#server/platform/http/encodings.ts';

/** Below this the saving is less than a packet. */
const LEAST_BYTES = 1024;

/** Up to here it takes a third of a millisecond at most; handing it to another thread would cost more than that. */
const AT_ONCE_BYTES = 64 * 1024;

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Of text, smaller than the strongest gzip and quicker than a weak one. A window as large as the text is quickest to set up. */
const brotliOf = (text: string) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    ...(text.length <= AT_ONCE_BYTES && { [constants.BROTLI_PARAM_LGWIN]: 16 }),
  },
});
const GZIP = { level: 5 };

interface Compressor {
  now: (text: string) => Buffer;
  soon: (text: string) => Promise<Buffer>;
}
const COMPRESSORS: Record<Encoding, Compressor> = {
  br: { now: (text) => brotliCompressSync(text, brotliOf(text)), soon: (text) => brotlied(text, brotliOf(text)) },
  gzip: { now: (text) => gzipSync(text, GZIP), soon: (text) => gzipped(text, GZIP) },
};

/**
 * Sends JSON of over a kilobyte compressed to who takes it so. Calls are made with a token in a header, which no other site
 * can have a browser send: nobody can have an answer made again and again to guess a secret by its size.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!String(reply.getHeader('content-type') ?? '').startsWith('application/json')) return payload;
    void reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    if (typeof payload !== 'string' || payload.length < LEAST_BYTES || reply.hasHeader('content-encoding'))
      return payload;
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding === null) return payload;
    const etag = reply.getHeader('etag');
    // The same answer in other bytes: a strong tag would say that they are the same.
    if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('etag', `W/${etag}`);
    void reply.header('content-encoding', encoding).removeHeader('content-length');
    return COMPRESSORS[encoding][payload.length <= AT_ONCE_BYTES ? 'now' : 'soon'](payload);
  });
}
