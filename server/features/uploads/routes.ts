import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { LIMITS } from '#contract/limits.ts';
import {
  conflict,
  HttpError,
  invalid,
  notFound,
  tooLarge,
  unsupportedMediaType,
} from '#server/platform/http/errors.ts';
import { authenticateRequest } from '#server/platform/http/route.ts';
import { requireRoom } from './quota.ts';
import { CHUNK_TYPE, isUploadId, readCreation, TUS_EXTENSIONS, TUS_VERSION, wholeNumber } from './protocol.ts';
import type { Receipt, UploadReceiver } from './receive.ts';
import type { Upload, UploadStore } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const gone = () => notFound('upload');
const elsewhere = (offsetBytes: number) =>
  new HttpError(409, { message: 'The upload is at a different point' }, { 'upload-offset': String(offsetBytes) });
const busy = () => new HttpError(423, { message: 'This upload is already in progress' }, { 'retry-after': '1' });
const tooManyBytes = () => tooLarge('This is more data than the upload announced');
/** Where a proxy or the network let the sender down; what came is kept. */
const cut = (upload: Upload) =>
  new HttpError(
    408,
    { message: 'The connection broke. What arrived is kept' },
    {
      'upload-offset': String(upload.offsetBytes),
      connection: 'close',
    },
  );

/** What every answer about an upload says of it. The digest stands there once all bytes are here, for the sender to compare. */
function describe(upload: Upload): Record<string, string> {
  return {
    'upload-offset': String(upload.offsetBytes),
    'upload-expires': new Date(upload.updatedAt.getTime() + LIMITS.uploadDays * DAY_MS).toUTCString(),
    ...(upload.sha256 === null ? {} : { 'upload-sha256': upload.sha256 }),
  };
}

function requireVersion(request: FastifyRequest): void {
  if (request.method === 'OPTIONS' || request.headers['tus-resumable'] === TUS_VERSION) return;
  throw new HttpError(412, { message: `Speak tus ${TUS_VERSION}` }, { 'tus-version': TUS_VERSION });
}

function requireUploadId(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!isUploadId(id)) throw gone();
  return id.toLowerCase();
}

function refuse(receipt: Exclude<Receipt, { kind: 'received' }>): HttpError {
  switch (receipt.kind) {
    case 'cut':
      return cut(receipt.upload);
    case 'busy':
      return busy();
    case 'elsewhere':
      return elsewhere(receipt.offsetBytes);
    case 'too many':
      return tooManyBytes();
    case 'gone':
      return gone();
  }
}

/** The /uploads calls: tus 1.0 with creation, termination and expiration, ids minted by the sender. */
export function uploadRoutes(app: FastifyInstance, store: UploadStore, receiver: UploadReceiver): void {
  const { config, floor } = app.deps;
  const maxBytes = config.maxUploadBytes;
  const callerOf = (request: FastifyRequest) => (request.caller as NonNullable<FastifyRequest['caller']>).userId;

  const { createUpload, upload: one } = CALLS;
  for (const [method, path, summary, status] of [
    ['POST', createUpload.path, 'Begins an upload, or says where it stands (tus 1.0)', 201],
    ['HEAD', one.path, 'Says where an upload stands', 200],
    ['PATCH', one.path, 'Sends bytes of an upload from its offset on', 204],
    ['DELETE', one.path, 'Ends an upload and forgets its bytes', 204],
  ] as const) {
    app.describedRoutes.push({
      method,
      path,
      summary,
      audience: 'required',
      isGuarded: method !== 'POST',
      params: method === 'POST' ? undefined : z.object({ id: z.string() }),
      responses: { [status]: null },
    });
  }

  void app.register(async (scope) => {
    scope.addContentTypeParser(CHUNK_TYPE, (_request, body, done) => done(null, body));
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers({ 'tus-resumable': TUS_VERSION, 'cache-control': 'no-store' });
      if (request.method !== 'OPTIONS') await authenticateRequest(scope.deps, 'required', request);
      requireVersion(request);
    });
    // A browser sends a request whose connection broke once more by itself, from the old offset and to its last byte,
    // and reads no answer before that: only a closed connection spares a phone the rest of a piece that is refused.
    scope.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode >= 400 && !request.raw.complete) void reply.header('connection', 'close');
      return payload;
    });

    const answer = (reply: FastifyReply, status: number, headers: Record<string, string>) =>
      reply.code(status).headers(headers).send();

    for (const path of [CALLS.createUpload.path, CALLS.upload.path]) {
      scope.options(path, async (_request, reply) =>
        answer(reply, 204, {
          'tus-version': TUS_VERSION,
          'tus-extension': TUS_EXTENSIONS,
          'tus-max-size': String(maxBytes),
        }),
      );
    }

    scope.post(CALLS.createUpload.path, async (request, reply) => {
      const asked = readCreation(request.headers, maxBytes);
      if (!asked.ok) {
        const refusal = invalid(asked.errors);
        throw new HttpError(asked.status, refusal.body);
      }
      const { id, lengthBytes } = asked.value;
      const caller = callerOf(request);
      const upload = await store.create(caller, id, lengthBytes, async (tx) => {
        await requireRoom(tx, config, caller, [{ sizeBytes: lengthBytes }]);
        await floor.requireStorageSpace(lengthBytes);
      });
      if (upload === null) throw conflict('This id already belongs to another upload');
      for (const surplus of await store.beyondShare(callerOf(request))) await receiver.end(callerOf(request), surplus);
      const known = await receiver.look(callerOf(request), id);
      return answer(reply, 201, { location: `/uploads/${id}`, ...describe(known ?? upload) });
    });

    scope.head(CALLS.upload.path, async (request, reply) => {
      const upload = await receiver.look(callerOf(request), requireUploadId(request));
      if (upload === null) throw gone();
      return answer(reply, 200, { 'upload-length': String(upload.lengthBytes), ...describe(upload) });
    });

    scope.patch(CALLS.upload.path, async (request, reply) => {
      const id = requireUploadId(request);
      if (request.headers['content-type'] !== CHUNK_TYPE) throw unsupportedMediaType(`Send bytes as ${CHUNK_TYPE}`);
      const offsetBytes = wholeNumber(request.headers['upload-offset']);
      if (offsetBytes === null) throw invalid({ 'Upload-Offset': ['Say where the bytes begin'] });
      const announced = wholeNumber(request.headers['content-length']);
      await floor.requireStorageSpace(announced ?? 0);
      const receipt = await receiver.receive(callerOf(request), id, offsetBytes, request.body as Readable, announced);
      if (receipt.kind !== 'received') throw refuse(receipt);
      return answer(reply, 204, describe(receipt.upload));
    });

    scope.delete(CALLS.upload.path, async (request, reply) => {
      if (!(await receiver.end(callerOf(request), requireUploadId(request)))) throw gone();
      return answer(reply, 204, {});
    });
  });
}
