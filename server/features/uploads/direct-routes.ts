import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { DIRECT_UPLOADS } from '#contract/direct-uploads.ts';
import { completeResponse, partsBody, partsResponse, uploadStateResponse } from '#contract/records/uploads.ts';
import { UPLOAD_CALLS } from '#contract/upload-calls.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { actionRoute, readRoute, requiredAccount, type GuardInput } from '#server/platform/http/route.ts';
import { ADDRESS_SECONDS, type Quarantine, type ReceivedPart } from '#server/platform/storage/quarantine.ts';
import { findDone, requireParts, type DirectUpload } from './direct.ts';
import type { Uploads } from './open.ts';
import { isUploadId } from './protocol.ts';
import { requireQuota } from './quota.ts';
import { fileTooBig } from './size-limits.ts';

const byId = z.object({ id: z.string() });
const gone = () => notFound('upload');

/** @throws 404 if it cannot be the id of an upload */
async function requireUploadId({ params }: GuardInput<Caller, { id: string }>): Promise<string> {
  if (!isUploadId(params.id)) throw gone();
  return params.id.toLowerCase();
}

const toDone = (parts: readonly { n: number; size: number }[]) => parts.map(({ n, size }) => ({ n, size }));

/** The routes of files that a device sends to the bucket itself. Without such a bucket, there are no such uploads: 404. */
export function directUploadRoutes(app: FastifyInstance, { direct, receiver }: Uploads): void {
  const { config, storage, sharedLimiter } = app.deps;

  function requireQuarantine(): Quarantine {
    if (storage.quarantine === undefined) throw gone();
    return storage.quarantine;
  }

  async function findArrived(upload: DirectUpload): Promise<ReceivedPart[]> {
    const { quarantineName: name, bucketUploadId: uploadId } = upload;
    if (uploadId === null) return [];
    return findDone(upload, (await requireQuarantine().listParts({ name, uploadId })) ?? []);
  }

  /** Says where the parts of an open upload go, and what has arrived. Begins it in the bucket, also again if the bucket has forgotten it. */
  async function reach(quarantine: Quarantine, upload: DirectUpload) {
    const { quarantineName: name } = upload;
    let uploadId = await direct.begin(quarantine, upload);
    if (uploadId === null) throw conflict('Try again', 1);
    const parts = await quarantine.listParts({ name, uploadId });
    if (parts !== null) return { place: { name, uploadId }, done: findDone(upload, parts) };
    uploadId = await direct.begin(quarantine, { ...upload, bucketUploadId: uploadId }, uploadId);
    if (uploadId === null) throw conflict('Try again', 1);
    return { place: { name, uploadId }, done: [] };
  }

  actionRoute(app, {
    endpoint: UPLOAD_CALLS.sendParts,
    summary:
      'Begins an upload to the storage or goes on with it: says which parts have arrived, and where to PUT others',
    access: requiredAccount(requireUploadId),
    params: byId,
    body: partsBody,
    responses: { 201: partsResponse },
    handler: async ({ caller, subject: id, body, now }) => {
      const quarantine = requireQuarantine();
      const { video: maxBytes } = config.maxFileBytes;
      if (body.size > maxBytes) throw fileTooBig('size', maxBytes);
      if (body.size < DIRECT_UPLOADS.minFileBytes) throw invalid({ size: ['Send this file through the server'] });
      requireParts(body);
      const upload = await direct.create(caller.userId, id, body, async (tx) => {
        await requireQuota(tx, config, caller.userId, [{ sizeBytes: body.size }]);
        await sharedLimiter.take(LIMIT.uploads, String(caller.userId));
      });
      const answer = {
        state: upload.state,
        part_bytes: DIRECT_UPLOADS.partBytes,
        expires_at: new Date(now.getTime() + ADDRESS_SECONDS * 1000).toISOString(),
      };
      if (upload.state !== 'open') return created({ ...answer, done: toDone(upload.parts), urls: [] });
      const { place, done } = await reach(quarantine, upload);
      const missing = upload.parts.filter(({ n }) => body.want.includes(n) && !done.some((part) => part.n === n));
      const urls = await Promise.all(
        missing.map(async (part) => ({ n: part.n, ...(await quarantine.signPart(place, part)) })),
      );
      return created({ ...answer, done: toDone(done), urls });
    },
  });

  actionRoute(app, {
    endpoint: UPLOAD_CALLS.completeUpload,
    summary: 'Says that all parts are in the storage; the file is checked afterwards',
    access: requiredAccount(requireUploadId),
    params: byId,
    responses: { 202: completeResponse },
    handler: async ({ caller, subject: id }) => {
      const upload = await direct.find(caller.userId, id);
      if (upload === null) throw gone();
      if (upload.state === 'open') {
        const { done } = await reach(requireQuarantine(), upload);
        if (done.length < upload.parts.length) throw conflict('Some parts have not arrived');
        await direct.submit(upload);
      }
      const { state } = (await direct.find(caller.userId, id)) ?? upload;
      return { status: 202, body: { message: 'The file is being checked', state } };
    },
  });

  readRoute(app, {
    endpoint: UPLOAD_CALLS.uploadState,
    summary: 'Says where an upload stands',
    access: requiredAccount(requireUploadId),
    params: byId,
    responses: { 200: uploadStateResponse },
    handler: async ({ caller, subject: id }) => {
      const headers = { 'cache-control': 'no-store' };
      const upload = await direct.find(caller.userId, id);
      if (upload === null) {
        const other = await receiver.look(caller.userId, id);
        if (other === null) throw gone();
        const { lengthBytes: size, offsetBytes: offset } = other;
        return ok({ state: offset < size ? 'open' : 'ready', size, offset, reason: null }, headers);
      }
      const { state, sizeBytes: size, reason } = upload;
      const done = toDone(state === 'open' ? await findArrived(upload) : upload.parts);
      const offset = done.reduce((total, part) => total + part.size, 0);
      return ok({ state, size, offset, done, reason }, headers);
    },
  });
}
