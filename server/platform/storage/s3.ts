import { Readable } from 'node:stream';
import type { S3, S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Settings } from '#server/platform/config.ts';
import { isFileKey, type Storage } from './storage.ts';

/** The smallest that S3 takes of a part that is not the last. */
const PART_BYTES = 5 * 1024 * 1024;
/** A reader who takes their time holds a connection, so there must be many. */
const MAX_CONNECTIONS = 500;

/** How long the service may keep us waiting. */
export interface S3Timeouts {
  connectMs: number;
  /** From the beginning of a request to the head of its answer. */
  responseMs: number;
  /** Within the bytes of an answer, while somebody waits for them. */
  idleMs: number;
}
const PATIENCE: S3Timeouts = { connectMs: 5_000, responseMs: 60_000, idleMs: 30_000 };

/**
 * A store in a bucket of any S3-compatible service. A file of up to 5 MiB is one request, a larger one a multipart upload,
 * which shows nothing before its last request; so objects are whole or not there. Memory holds one part of each write.
 * Source: docs/decisions/010-object-storage.md.
 */
export async function s3Storage(settings: S3Settings, patience: S3Timeouts = PATIENCE): Promise<Storage> {
  const { bucket: Bucket, prefix } = settings;
  const s3 = await connectS3(settings, patience);

  function placeOf(key: string) {
    if (!isFileKey(key)) throw new Error('Not a key of this store');
    return { Bucket, Key: prefix + key };
  }
  /** Our key of an object; null for what is none of ours. */
  function keyOf(name: string | undefined) {
    const key = name?.startsWith(prefix) ? name.slice(prefix.length) : '';
    return isFileKey(key) ? key : null;
  }

  return {
    async write(key, bytes) {
      const place = placeOf(key);
      const sent: { ETag: string | undefined; PartNumber: number }[] = [];
      let UploadId: string | undefined;
      let sizeBytes = 0;
      try {
        for await (const { Body, isLast } of partsOf(bytes)) {
          sizeBytes += Body.byteLength;
          if (isLast && UploadId === undefined) {
            await s3.putObject({ ...place, Body });
            return sizeBytes;
          }
          UploadId ??= (await s3.createMultipartUpload(place)).UploadId;
          const PartNumber = sent.length + 1;
          const { ETag } = await s3.uploadPart({ ...place, UploadId, PartNumber, Body });
          sent.push({ ETag, PartNumber });
        }
        await s3.completeMultipartUpload({ ...place, UploadId, MultipartUpload: { Parts: sent } });
        return sizeBytes;
      } catch (error) {
        // What the service cannot be told now (it may be the one that failed) `clearUnfinished` and the sweep tell it later.
        if (UploadId !== undefined) await s3.abortMultipartUpload({ ...place, UploadId }).catch(() => undefined);
        throw error;
      }
    },

    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await nullIfMissing(s3.getObject({ ...placeOf(key), Range }));
      return found?.Body instanceof Readable ? withIdleTimeout(found.Body, patience.idleMs) : null;
    },

    async remove(key) {
      await nullIfMissing(s3.deleteObject(placeOf(key)));
    },

    async *list() {
      let ContinuationToken: string | undefined;
      do {
        const page = await s3.listObjectsV2({ Bucket, Prefix: prefix, ContinuationToken });
        for (const { Key, LastModified: storedAt } of page.Contents ?? []) {
          const key = keyOf(Key);
          if (key !== null && storedAt !== undefined) yield { key, storedAt };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    async clearUnfinished(before) {
      let cleared = 0;
      let KeyMarker: string | undefined;
      let UploadIdMarker: string | undefined;
      do {
        // Without a prefix: MinIO takes one for the whole name of an object and would find nothing.
        const page = await s3.listMultipartUploads({ Bucket, KeyMarker, UploadIdMarker });
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          const key = keyOf(Key);
          if (key === null || Initiated === undefined || Initiated >= before) continue;
          const ended = await nullIfMissing(s3.abortMultipartUpload({ ...placeOf(key), UploadId }));
          if (ended !== null) cleared += 1;
        }
        KeyMarker = page.IsTruncated ? page.NextKeyMarker : undefined;
        UploadIdMarker = page.NextUploadIdMarker;
      } while (KeyMarker !== undefined);
      return cleared;
    },
  };
}

/** Loaded where it is wanted: a server with its files on the disk does without the 27 MB of it. */
export async function connectS3(settings: S3Settings, patience: S3Timeouts = PATIENCE): Promise<S3> {
  const { S3 } = await import('@aws-sdk/client-s3');
  const { endpoint, region, accessKeyId, secretAccessKey, pathStyle } = settings;
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const config: S3ClientConfig = {
    ...(endpoint !== undefined && { endpoint }),
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: pathStyle,
    // Each body is signed with its SHA-256; the newer checksums beside it are refused by many services that are not Amazon's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Would open a connection for each part of an upload.
    expectContinueHeader: false,
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.responseMs,
      throwOnRequestTimeout: true,
      // Cannot tell a service that is silent from a reader who takes their time; `unlessSilent` can.
      socketTimeout: 0,
    },
  };
  return new S3(config);
}

/** The bytes in pieces of 5 MiB; the last one is what remains and is empty only when there are no bytes at all. */
async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<{ Body: Buffer; isLast: boolean }> {
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  for await (const chunk of bytes) {
    let rest = chunk;
    while (gatheredBytes + rest.byteLength > PART_BYTES) {
      const fitting = rest.subarray(0, PART_BYTES - gatheredBytes);
      const Body = Buffer.concat([...gathered, fitting]);
      [gathered, gatheredBytes] = [[], 0];
      yield { Body, isLast: false };
      rest = rest.subarray(fitting.byteLength);
    }
    gathered.push(rest);
    gatheredBytes += rest.byteLength;
  }
  yield { Body: Buffer.concat(gathered), isLast: true };
}

/** The answer; null where what was asked for is not there. */
async function nullIfMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && ['NoSuchKey', 'NoSuchUpload', 'NotFound'].includes(error.name)) return null;
    throw error;
  }
}

/** Breaks off when the service says nothing while the reader waits. */
function withIdleTimeout(body: Readable, silenceMs: number): Readable {
  async function* listening() {
    const chunks = body.iterator() as AsyncIterator<Uint8Array>;
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Error('The object store fell silent')), silenceMs);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value;
    }
  }
  const heard = Readable.from(listening(), { objectMode: false, highWaterMark: 64 * 1024 });
  // A reader who goes away early leaves the connection, also in the middle of waiting.
  heard.once('close', () => body.destroy());
  return heard;
}
