import { Readable } from 'node:stream';
import type { S3, S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Settings } from '#server/platform/config.ts';
import { isFileKey, type Storage } from './storage.ts';

/** Minimum size in S3 of every part but the last. */
export const PART_BYTES = 5 * 1024 * 1024;
/** A slow reader holds a connection, so many are needed. */
const MAX_CONNECTIONS = 500;

/** Timeouts for calls of the service. */
export interface S3Timeouts {
  connectMs: number;
  /** From the start of a request to the headers of its response. */
  responseMs: number;
  /** Between chunks of a response body, while the reader waits. */
  idleMs: number;
}
export const DEFAULT_TIMEOUTS: S3Timeouts = { connectMs: 5_000, responseMs: 60_000, idleMs: 30_000 };

/**
 * Stores files in a bucket of any S3-compatible service. A file of up to 5 MiB is one request; a larger one is a multipart upload, which is
 * invisible before its last request, so objects are complete or absent. Each write buffers one part in memory.
 * Source: docs/decisions/010-object-storage.md.
 */
export async function s3Storage(settings: S3Settings, timeouts: S3Timeouts = DEFAULT_TIMEOUTS): Promise<Storage> {
  const { bucket: Bucket, prefix } = settings;
  const s3 = await connectS3(settings, timeouts);

  function toLocation(key: string) {
    if (!isFileKey(key)) throw new Error('Not a key of this store');
    return { Bucket, Key: prefix + key };
  }
  /** The key of an object; null for objects that this store did not write. */
  function toKey(name: string | undefined) {
    const key = name?.startsWith(prefix) ? name.slice(prefix.length) : '';
    return isFileKey(key) ? key : null;
  }

  return {
    async write(key, bytes) {
      const location = toLocation(key);
      const parts: { ETag: string | undefined; PartNumber: number }[] = [];
      let UploadId: string | undefined;
      let sizeBytes = 0;
      try {
        for await (const { Body, isLast } of toParts(bytes)) {
          sizeBytes += Body.byteLength;
          if (isLast && UploadId === undefined) {
            await s3.putObject({ ...location, Body });
            return sizeBytes;
          }
          UploadId ??= (await s3.createMultipartUpload(location)).UploadId;
          const PartNumber = parts.length + 1;
          const { ETag } = await s3.uploadPart({ ...location, UploadId, PartNumber, Body });
          parts.push({ ETag, PartNumber });
        }
        await s3.completeMultipartUpload({ ...location, UploadId, MultipartUpload: { Parts: parts } });
        return sizeBytes;
      } catch (error) {
        // Best effort: the service may be the one that failed. `clearUnfinished` and the sweep clean up later.
        if (UploadId !== undefined) await s3.abortMultipartUpload({ ...location, UploadId }).catch(() => undefined);
        throw error;
      }
    },

    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await nullIfMissing(s3.getObject({ ...toLocation(key), Range }));
      return found?.Body instanceof Readable ? withIdleTimeout(found.Body, timeouts.idleMs) : null;
    },

    async remove(key) {
      await nullIfMissing(s3.deleteObject(toLocation(key)));
    },

    async *list() {
      let ContinuationToken: string | undefined;
      do {
        const page = await s3.listObjectsV2({ Bucket, Prefix: prefix, ContinuationToken });
        for (const { Key, LastModified: storedAt, Size: sizeBytes = 0, ETag: etag } of page.Contents ?? []) {
          const key = toKey(Key);
          if (key !== null && storedAt !== undefined) yield { key, storedAt, sizeBytes, etag };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    async check() {
      await s3.listObjectsV2({ Bucket, Prefix: prefix, MaxKeys: 1 });
    },

    async clearUnfinished(before) {
      let cleared = 0;
      let KeyMarker: string | undefined;
      let UploadIdMarker: string | undefined;
      do {
        // No prefix: MinIO would take it for the complete name of an object and find nothing.
        const page = await s3.listMultipartUploads({ Bucket, KeyMarker, UploadIdMarker });
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          const key = toKey(Key);
          if (key === null || Initiated === undefined || Initiated >= before) continue;
          const ended = await nullIfMissing(s3.abortMultipartUpload({ ...toLocation(key), UploadId }));
          if (ended !== null) cleared += 1;
        }
        KeyMarker = page.IsTruncated ? page.NextKeyMarker : undefined;
        UploadIdMarker = page.NextUploadIdMarker;
      } while (KeyMarker !== undefined);
      return cleared;
    },
  };
}

/** Loads the SDK on demand: a server that stores files on disk does not need its 27 MB of memory. */
export async function connectS3(settings: S3Settings, timeouts: S3Timeouts = DEFAULT_TIMEOUTS): Promise<S3> {
  const { S3 } = await import('@aws-sdk/client-s3');
  const { endpoint, region, accessKeyId, secretAccessKey, pathStyle } = settings;
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const config: S3ClientConfig = {
    ...(endpoint !== undefined && { endpoint }),
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: pathStyle,
    // Each body is signed with its SHA-256. Many services other than Amazon's refuse the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Expect: 100-continue would open a connection for each part of an upload.
    expectContinueHeader: false,
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.responseMs,
      throwOnRequestTimeout: true,
      // This timeout cannot tell a silent service from a slow reader; `withIdleTimeout` can.
      socketTimeout: 0,
    },
  };
  return new S3(config);
}

/** Splits the bytes into parts of 5 MiB. The last part is the rest, and is empty only when there are no bytes. */
async function* toParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<{ Body: Buffer; isLast: boolean }> {
  let buffered: Uint8Array[] = [];
  let bufferedBytes = 0;
  for await (const chunk of bytes) {
    let rest = chunk;
    while (bufferedBytes + rest.byteLength > PART_BYTES) {
      const fitting = rest.subarray(0, PART_BYTES - bufferedBytes);
      const Body = Buffer.concat([...buffered, fitting]);
      [buffered, bufferedBytes] = [[], 0];
      yield { Body, isLast: false };
      rest = rest.subarray(fitting.byteLength);
    }
    buffered.push(rest);
    bufferedBytes += rest.byteLength;
  }
  yield { Body: Buffer.concat(buffered), isLast: true };
}

/** Awaits a call; null when its object or upload does not exist. */
export async function nullIfMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && ['NoSuchKey', 'NoSuchUpload', 'NotFound'].includes(error.name)) return null;
    throw error;
  }
}

/** Aborts when the service sends nothing for `idleMs` while the reader waits. */
export function withIdleTimeout(body: Readable, silenceMs: number): Readable {
  async function* readChunks() {
    const chunks = body.iterator() as AsyncIterator<Uint8Array>;
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Error('The object store stopped responding')), silenceMs);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value;
    }
  }
  const output = Readable.from(readChunks(), { objectMode: false, highWaterMark: 64 * 1024 });
  // Releases the connection when the reader stops early, even while it waits for a chunk.
  output.once('close', () => body.destroy());
  return output;
}
