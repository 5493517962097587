import path from 'node:path';
import type { S3 } from '@aws-sdk/client-s3';
import { ConfigError, type Config, type S3Settings } from '#server/platform/config.ts';
import { diskStorage } from './disk.ts';
import { openQuarantine } from './s3-quarantine.ts';
import { connectS3, s3Storage } from './s3.ts';
import { newFileKey, type Storage } from './storage.ts';

/**
 * Opens the configured store: a bucket, otherwise the folder `files` of the data directory.
 * @throws ConfigError with a one-line message when the bucket cannot be used
 */
export async function openStorage({ s3, dataDir }: Config): Promise<Storage> {
  if (s3 === undefined) return diskStorage(path.join(dataDir, 'files'));
  await tryBucket(s3);
  const storage = await s3Storage(s3);
  return s3.direct === undefined ? storage : { ...storage, quarantine: await openQuarantine(s3, s3.direct.endpoint) };
}

/** Tries every operation of the store once, so that missing permissions show at startup and not at the first upload. */
async function tryBucket(settings: S3Settings): Promise<void> {
  const s3 = await connectS3(settings);
  const bucket = { Bucket: settings.bucket };
  const probe = { ...bucket, Key: settings.prefix + newFileKey() };
  let isWritten = false;
  const steps: [string, () => Promise<unknown>][] = [
    ['list', () => s3.listObjectsV2({ ...bucket, MaxKeys: 1 })],
    ['list unfinished uploads of', () => s3.listMultipartUploads({ ...bucket, MaxUploads: 1 })],
    [
      'write to',
      async () => {
        await s3.putObject({ ...probe, Body: Buffer.from('Callboard was here') });
        isWritten = true;
      },
    ],
    ['read from', async () => (await s3.getObject(probe)).Body?.transformToByteArray()],
    ['delete from', () => s3.deleteObject(probe)],
    ...(settings.direct === undefined ? [] : [getQuarantineStep(s3, settings)]),
  ];
  try {
    for (const [what, step] of steps) {
      await step().catch(async (error: unknown) => {
        // Best effort: the error to report is already known.
        if (isWritten) await s3.deleteObject(probe).catch(() => undefined);
        throw new ConfigError(toErrorText(error, what, settings), { cause: error });
      });
    }
  } finally {
    s3.destroy();
  }
}

/** Begins an upload as devices need it, and ends it. */
const getQuarantineStep = (s3: S3, { bucket: Bucket, prefix }: S3Settings): [string, () => Promise<unknown>] => [
  'list the parts of uploads to',
  async () => {
    const target = { Bucket, Key: `${prefix}quarantine/${newFileKey()}` };
    const { UploadId } = await s3.createMultipartUpload(target);
    try {
      await s3.listParts({ ...target, UploadId });
    } finally {
      await s3.abortMultipartUpload({ ...target, UploadId });
    }
  },
];

/** The message for the operator, without secrets. */
function toErrorText(error: unknown, what: string, { endpoint, bucket, region }: S3Settings): string {
  if (!(error instanceof Error)) return `S3_BUCKET ${bucket} cannot be used`;
  const where = endpoint ?? `Amazon S3 in ${region}`;
  switch (error.name) {
    case 'InvalidAccessKeyId':
      return `S3_ACCESS_KEY_ID is not known at ${where}`;
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID at ${where}`;
    case 'NoSuchBucket':
      return `S3_BUCKET ${bucket} does not exist at ${where}`;
    case 'AccessDenied':
      return `S3_ACCESS_KEY_ID may not ${what} S3_BUCKET ${bucket}`;
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return `S3_REGION ${region} is not the region of S3_BUCKET ${bucket}`;
    case 'RequestTimeTooSkewed':
      return `${where} refuses the time of this machine; set its clock`;
  }
  if (!isServiceResponse(error)) {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
    return `${endpoint === undefined ? where : `S3_ENDPOINT ${endpoint}`} cannot be reached: ${code}`;
  }
  return `${where} does not let us ${what} S3_BUCKET ${bucket}: ${error.name}`;
}

/** Whether the error is a response of the service, not a network error. */
function isServiceResponse(error: Error): boolean {
  if (!('$metadata' in error) || typeof error.$metadata !== 'object' || error.$metadata === null) return false;
  return 'httpStatusCode' in error.$metadata && error.$metadata.httpStatusCode !== undefined;
}
