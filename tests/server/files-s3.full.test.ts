import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectS3, s3Storage } from '#server/platform/storage/s3.ts';
import { newFileKey, type Storage } from '#server/platform/storage/storage.ts';
import { checkSignature, type SignedRequest } from './support/s3-signature.ts';
import { startS3Server, type S3Server } from './support/s3-server.ts';

// files-store.test.ts covers what all stores have in common. These tests cover the S3 requests and their failures.
const MIB = 1024 * 1024;
const LATER = new Date(Date.now() + 60 * 60_000);

let server: S3Server;
let storage: Storage;
beforeEach(async () => {
  server = await startS3Server();
  storage = await s3Storage(server.settings);
});
afterEach(() => server.close());

async function* chunksOf(bytes: Buffer, size = 123_457) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}
const read = async (stream: Readable | null) => stream && buffer(stream);
/** Answers with an S3 error. */
const refuse = (status: number, code: string): S3Server['intercept'] => {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
    return true;
  };
};
/** Refuses the first calls of an operation, `times` times. */
const refusing = (operation: string, times: number, status: number, code: string): S3Server['intercept'] => {
  let left = times;
  return (call) => call.operation === operation && left-- > 0 && refuse(status, code)(call);
};

describe('parts', () => {
  test.each([0, 5 * MIB])('stores a file of %i bytes in one request', async (sizeBytes) => {
    await storage.write(newFileKey(), chunksOf(randomBytes(sizeBytes)));
    expect(server.calls).toEqual(['PutObject']);
  });

  test('stores a larger file as a multipart upload with parts of 5 MiB', async () => {
    const parts: number[] = [];
    const sizes = () => [...server.unfinished.values()].flatMap(({ parts }) => [...parts.values()]);
    server.intercept = ({ operation }) => {
      if (operation === 'CompleteMultipartUpload') parts.push(...sizes().map(({ bytes }) => bytes.length));
      return false;
    };
    await storage.write(newFileKey(), chunksOf(randomBytes(10 * MIB + 1)));
    expect(server.calls).toEqual([
      'CreateMultipartUpload',
      ...Array<string>(3).fill('UploadPart'),
      'CompleteMultipartUpload',
    ]);
    expect(parts).toEqual([5 * MIB, 5 * MIB, 1]);
  });

  test('never reads more than one unsent part ahead from the source', async () => {
    let taken = 0;
    let ahead = 0;
    const chunk = randomBytes(64 * 1024);
    async function* endless() {
      for (let at = 0; at < 60 * MIB; at += chunk.length) {
        taken += chunk.length;
        ahead = Math.max(ahead, taken - server.receivedBytes());
        yield await Promise.resolve(chunk);
      }
    }
    await storage.write(newFileKey(), endless());
    expect(ahead).toBeLessThanOrEqual(5 * MIB + chunk.length);
  });

  test('aborts the multipart upload when the source throws', async () => {
    async function* broken() {
      yield* chunksOf(randomBytes(12 * MIB));
      throw new Error('the sender went away');
    }
    await expect(storage.write(newFileKey(), broken())).rejects.toThrow('the sender went away');
    expect(server.calls.at(-1)).toBe('AbortMultipartUpload');
    expect([server.objects.size, server.unfinished.size]).toEqual([0, 0]);
  });

  test('aborts the multipart upload when the service rejects a part', async () => {
    let parts = 0;
    server.intercept = (call) =>
      call.operation === 'UploadPart' && (parts += 1) > 1 && refuse(403, 'QuotaExceeded')(call);
    await expect(storage.write(newFileKey(), chunksOf(randomBytes(12 * MIB)))).rejects.toMatchObject({
      name: 'QuotaExceeded',
    });
    expect([server.objects.size, server.unfinished.size]).toEqual([0, 0]);
  });

  test('clears an upload later whose completion and abort both fail', async () => {
    server.intercept = ({ operation, response }) => {
      const isEnd = ['CompleteMultipartUpload', 'AbortMultipartUpload'].includes(operation);
      if (isEnd) response.socket?.destroy();
      return isEnd;
    };
    await expect(storage.write(newFileKey(), chunksOf(randomBytes(6 * MIB)))).rejects.toThrow();
    expect([server.objects.size, server.unfinished.size]).toEqual([0, 1]);
    server.intercept = () => false;
    expect(await storage.clearUnfinished(LATER)).toBe(1);
    expect(server.unfinished.size).toBe(0);
  });
});

describe('transient errors', () => {
  test.each([
    ['PutObject', 9],
    ['UploadPart', 6 * MIB],
    ['CompleteMultipartUpload', 6 * MIB],
  ])('are retried for %s', async (operation, sizeBytes) => {
    const [key, bytes] = [newFileKey(), randomBytes(sizeBytes)];
    server.intercept = refusing(operation, 2, 503, 'SlowDown');
    await storage.write(key, chunksOf(bytes));
    expect((await read(await storage.open(key)))?.equals(bytes)).toBe(true);
  });

  test('rejects a 200 response that contains an error', async () => {
    const key = newFileKey();
    server.intercept = refusing('CompleteMultipartUpload', 100, 200, 'InternalError');
    await expect(storage.write(key, chunksOf(randomBytes(6 * MIB)))).rejects.toThrow();
    server.intercept = () => false;
    expect(await storage.open(key)).toBeNull();
  });
});

describe('reading', () => {
  /** Sends the head and half of the bytes, then calls `then`. */
  const sendHalf = (bytes: Buffer, then: (end: () => void) => void): S3Server['intercept'] => {
    return ({ operation, response }) => {
      if (operation !== 'GetObject') return false;
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, bytes.length / 2), () => then(() => response.socket?.destroy()));
      return true;
    };
  };

  test('reports a truncated response as an error, not as a shorter file', async () => {
    const [key, bytes] = [newFileKey(), randomBytes(2 * MIB)];
    await storage.write(key, chunksOf(bytes));
    server.intercept = sendHalf(bytes, (end) => end());
    await expect(storage.open(key).then(read)).rejects.toThrow('aborted');
  });

  test('times out when the service stalls in the middle of a response', async () => {
    const impatient = await s3Storage(server.settings, { connectMs: 5000, responseMs: 5000, idleMs: 50 });
    const [key, bytes] = [newFileKey(), randomBytes(200_000)];
    await impatient.write(key, chunksOf(bytes));
    server.intercept = sendHalf(bytes, () => {});
    await expect(impatient.open(key).then(read)).rejects.toThrow('The object store stopped responding');
  });

  test('times out when the service does not respond at all', async () => {
    const impatient = await s3Storage(server.settings, { connectMs: 5000, responseMs: 50, idleMs: 50 });
    server.intercept = () => true;
    await expect(impatient.open(newFileKey())).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('reports a refused request as an error, not as a missing file', async () => {
    server.intercept = refuse(403, 'AccessDenied');
    await expect(storage.open(newFileKey())).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(storage.remove(newFileKey())).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('requests only the given range of an object', async () => {
    const key = newFileKey();
    await storage.write(key, chunksOf(randomBytes(1000)));
    const ranges: unknown[] = [];
    server.intercept = ({ response }) => {
      ranges.push(response.req.headers.range);
      return false;
    };
    expect((await read(await storage.open(key, { start: 10, end: 19 })))?.length).toBe(10);
    expect(ranges).toEqual(['bytes=10-19']);
  });
});

describe('shared bucket', () => {
  test('lists and clears only the files under its own prefix', async () => {
    const mine = await s3Storage({ ...server.settings, prefix: 'stage/' });
    const s3 = await connectS3(server.settings);
    const Bucket = server.settings.bucket;
    const [key, foreign] = [newFileKey(), newFileKey()];
    await mine.write(key, chunksOf(randomBytes(9)));
    await storage.write(foreign, chunksOf(randomBytes(9)));
    await s3.putObject({ Bucket, Key: 'stage/notes.txt', Body: 'not ours' });
    const foreignNames = [newFileKey(), 'stage/notes.txt', `other/${newFileKey()}`];
    for (const Key of [`stage/${newFileKey()}`, ...foreignNames]) await s3.createMultipartUpload({ Bucket, Key });
    const keysOf = async (store: Storage) => {
      const found: string[] = [];
      for await (const { key } of store.list()) found.push(key);
      return found;
    };
    expect(await keysOf(mine)).toEqual([key]);
    expect(await keysOf(storage)).toEqual([foreign]);
    expect(await mine.clearUnfinished(LATER)).toBe(1);
    expect([...server.unfinished.values()].map((upload) => upload.key)).toEqual(foreignNames);
  });

  test('clears unfinished uploads page by page', async () => {
    const s3 = await connectS3(server.settings);
    const key = newFileKey();
    // Several uploads share one key: a page may end between them.
    const names = [...Array.from({ length: 5 }, () => newFileKey()), ...Array<string>(5).fill(key)];
    for (const Key of names) await s3.createMultipartUpload({ Bucket: server.settings.bucket, Key });
    expect(await storage.clearUnfinished(LATER)).toBe(10);
    expect(server.unfinished.size).toBe(0);
  });
});

describe('signatures', () => {
  const trusted = {
    secrets: new Map([['AKIAIOSFODNN7EXAMPLE', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY']]),
    region: 'us-east-1',
    now: new Date('2013-05-24T00:00:00Z'),
  };
  /** The examples from Amazon's description of Signature Version 4. */
  const example = (
    method: string,
    url: string,
    [names, signature]: [string, string],
    headers: Record<string, string> = {},
    body = '',
  ): SignedRequest => ({
    method,
    url,
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-date': '20130524T000000Z',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`,
      ...headers,
    },
    body: Buffer.from(body),
  });
  const ranged = example(
    'GET',
    '/test.txt',
    ['host;range;x-amz-content-sha256;x-amz-date', 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
    { range: 'bytes=0-9' },
  );
  const listed = example('GET', '/?max-keys=2&prefix=J', [
    'host;x-amz-content-sha256;x-amz-date',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ]);

  test.each([
    ['an object', ranged],
    ['a list', listed],
  ])('accepts the published example of %s', (_, request) => {
    expect(() => checkSignature(request, trusted)).not.toThrow();
  });

  test.each<[string, Partial<SignedRequest>, string]>([
    ['another path', { url: '/other.txt' }, 'SignatureDoesNotMatch'],
    ['another query', { url: '/test.txt?acl=' }, 'SignatureDoesNotMatch'],
    ['another method', { method: 'DELETE' }, 'SignatureDoesNotMatch'],
    ['another range', { headers: { ...ranged.headers, range: 'bytes=0-99' } }, 'SignatureDoesNotMatch'],
    ['another body', { body: Buffer.from('x') }, 'XAmzContentSHA256Mismatch'],
    ['a header that is not signed', { headers: { ...ranged.headers, 'x-amz-acl': 'public-read' } }, 'AccessDenied'],
    ['no signature', { headers: { ...ranged.headers, authorization: undefined } }, 'AccessDenied'],
  ])('rejects %s', (_, change, code) => {
    expect(() => checkSignature({ ...ranged, ...change }, trusted)).toThrow(code);
  });

  test('rejects an expired request', () => {
    const now = new Date('2013-05-24T00:16:00Z');
    expect(() => checkSignature(ranged, { ...trusted, now })).toThrow('RequestTimeTooSkewed');
  });

  test('signs every byte that is sent', async () => {
    const digests: unknown[] = [];
    server.intercept = ({ response }) => {
      digests.push(response.req.headers['x-amz-content-sha256']);
      return false;
    };
    await storage.write(newFileKey(), chunksOf(randomBytes(9)));
    await storage.write(newFileKey(), chunksOf(randomBytes(6 * MIB)));
    expect(digests).toHaveLength(5);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });
});
