import { Readable } from 'node:stream';
import type { S3Settings } from '#server/platform/config.ts';
import { ADDRESS_SECONDS, type Place, type Quarantine, type ReceivedPart } from './quarantine.ts';
import { connectS3, DEFAULT_TIMEOUTS, nullIfMissing, withIdleTimeout } from './s3.ts';
import { isFileKey } from './storage.ts';

const toHex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
const toBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

/** @param publicEndpoint where devices reach the bucket, if not where this server does */
export async function openQuarantine(settings: S3Settings, publicEndpoint?: string): Promise<Quarantine> {
  const folder = `${settings.prefix}quarantine/`;
  const { bucket: Bucket } = settings;
  const s3 = await connectS3(settings);
  const signer = publicEndpoint === undefined ? s3 : await connectS3({ ...settings, endpoint: publicEndpoint });
  const { UploadPartCommand } = await import('@aws-sdk/client-s3');
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');

  function locate(name: string) {
    if (!isFileKey(name)) throw new Error('Not a name in the quarantine');
    return { Bucket, Key: folder + name };
  }
  const at = ({ name, uploadId }: Place) => ({ ...locate(name), UploadId: uploadId });
  const nameOf = (key: string | undefined) => {
    const name = key?.startsWith(folder) ? key.slice(folder.length) : '';
    return isFileKey(name) ? name : null;
  };

  const signPart: Quarantine['signPart'] = async (place, { n, size, sha256 }) => {
    const headers = { 'x-amz-checksum-sha256': toBase64(sha256) };
    const command = new UploadPartCommand({
      ...at(place),
      PartNumber: n,
      ContentLength: size,
      ChecksumSHA256: headers['x-amz-checksum-sha256'],
    });
    const url = await getSignedUrl(signer, command, {
      expiresIn: ADDRESS_SECONDS,
      // In the address, it would be a parameter that the bucket does not compare with the bytes.
      unhoistableHeaders: new Set(Object.keys(headers)),
      signableHeaders: new Set(['host', 'content-length', ...Object.keys(headers)]),
    });
    return { url, headers };
  };

  async function* listUnfinished() {
    let KeyMarker: string | undefined;
    let UploadIdMarker: string | undefined;
    do {
      // No prefix: MinIO would take it for the complete name of an object and find nothing.
      const page = await s3.listMultipartUploads({ Bucket, KeyMarker, UploadIdMarker });
      for (const { Key, UploadId: uploadId, Initiated: storedAt } of page.Uploads ?? []) {
        const name = nameOf(Key);
        if (name !== null && uploadId !== undefined && storedAt !== undefined) yield { name, uploadId, storedAt };
      }
      KeyMarker = page.IsTruncated ? page.NextKeyMarker : undefined;
      UploadIdMarker = page.NextUploadIdMarker;
    } while (KeyMarker !== undefined);
  }

  async function* listComplete() {
    let ContinuationToken: string | undefined;
    do {
      const page = await s3.listObjectsV2({ Bucket, Prefix: folder, ContinuationToken });
      for (const { Key, LastModified: storedAt } of page.Contents ?? []) {
        const name = nameOf(Key);
        if (name !== null && storedAt !== undefined) yield { name, uploadId: null, storedAt };
      }
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  const sample = { n: 1, size: 1, sha256: '0'.repeat(64) };
  const { url } = await signPart({ name: '0'.repeat(32), uploadId: 'none' }, sample);

  return {
    origin: new URL(url).origin,
    signPart,

    async begin(name) {
      const { UploadId } = await s3.createMultipartUpload({ ...locate(name), ChecksumAlgorithm: 'SHA256' });
      if (UploadId === undefined) throw new Error('The bucket gave the upload no id');
      return UploadId;
    },

    async listParts(place) {
      const parts: ReceivedPart[] = [];
      let PartNumberMarker: string | undefined;
      do {
        const page = await nullIfMissing(s3.listParts({ ...at(place), PartNumberMarker }));
        if (page === null) return null;
        for (const { PartNumber: n, Size: size, ChecksumSHA256: sum, ETag: etag } of page.Parts ?? []) {
          if (n === undefined || size === undefined || etag === undefined) continue;
          parts.push({ n, size, etag, sha256: sum === undefined ? null : toHex(sum) });
        }
        PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
      } while (PartNumberMarker !== undefined);
      return parts;
    },

    async complete(place, parts) {
      const Parts = parts.map(({ n, etag, sha256 }) => ({
        PartNumber: n,
        ETag: etag,
        ...(sha256 !== null && { ChecksumSHA256: toBase64(sha256) }),
      }));
      return (await nullIfMissing(s3.completeMultipartUpload({ ...at(place), MultipartUpload: { Parts } }))) !== null;
    },

    async describe(name) {
      const found = await nullIfMissing(s3.headObject({ ...locate(name), ChecksumMode: 'ENABLED' }));
      if (found === null) return null;
      const [, digest] = /^([\w+/]+=*)-\d+$/.exec(found.ChecksumSHA256 ?? '') ?? [];
      return { size: found.ContentLength ?? 0, digestOfParts: digest === undefined ? null : toHex(digest) };
    },

    async open(name, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await nullIfMissing(s3.getObject({ ...locate(name), Range }));
      return found?.Body instanceof Readable ? withIdleTimeout(found.Body, DEFAULT_TIMEOUTS.idleMs) : null;
    },

    async publish(name, key, pieces, read) {
      if (!isFileKey(key)) throw new Error('Not a key of this store');
      const target = { Bucket, Key: settings.prefix + key };
      const { UploadId } = await s3.createMultipartUpload(target);
      try {
        const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
        for (const [index, piece] of pieces.entries()) {
          const part = { ...target, UploadId, PartNumber: index + 1 };
          const CopySourceRange = `bytes=${piece.start}-${piece.end - 1}`;
          const copy = { ...part, CopySource: `${Bucket}/${folder}${name}`, CopySourceRange };
          const { ETag } = piece.isRewritten
            ? await s3.uploadPart({ ...part, Body: await read(piece) })
            : ((await s3.uploadPartCopy(copy)).CopyPartResult ?? {});
          Parts.push({ ETag, PartNumber: index + 1 });
        }
        await s3.completeMultipartUpload({ ...target, UploadId, MultipartUpload: { Parts } });
      } catch (error) {
        // Best effort: the service may be the one that failed. `clearUnfinished` ends what remains.
        await s3.abortMultipartUpload({ ...target, UploadId }).catch(() => undefined);
        throw error;
      }
    },

    async abort(place) {
      await nullIfMissing(s3.abortMultipartUpload(at(place)));
    },

    async remove(name) {
      await nullIfMissing(s3.deleteObject(locate(name)));
    },

    async *list() {
      yield* listUnfinished();
      yield* listComplete();
    },
  };
}
