import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { chooseEncoding, type Encoding } from '#server/http/encodings.ts';

/** Below this the saving is less than a packet. */
const LEAST_BYTES = 1024;

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

const compress: Record<Encoding, (text: string) => Promise<Buffer>> = {
  // Of text, about as small as the strongest gzip and as quick as a weak one.
  br: (text) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    return brotlied(text, { params });
  },
  gzip: (text) => gzipped(text, { level: 5 }),
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
    return compress[encoding](payload);
  });
}
