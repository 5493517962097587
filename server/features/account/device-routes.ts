import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { DEVICE_CALLS } from '#contract/device-calls.ts';
import { SAY_PENDING } from '#contract/pending.ts';
import { lostRecord } from '#contract/records/devices.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { hasNewStore, requirePending } from '#server/platform/http/pending.ts';
import { ok } from '#server/platform/http/response.ts';
import { actionRoute, requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import { attachDevice, dismissLost, hearDevice, listLost, putDevice } from './devices.ts';
import { rememberDevice } from './known-devices.ts';
import { findPlace } from './place.ts';
import { toDeviceName } from './device.ts';

const uuid = z.uuid();

/** Returns the device of the caller's session. A session from before devices were recorded gets one, with a cookie. */
async function ensureDevice(
  tx: Db,
  request: FastifyRequest,
  { userId, sessionId, deviceId }: Caller,
  now: Date,
): Promise<{ deviceId: string; headers: Record<string, string> }> {
  if (deviceId !== null) return { deviceId, headers: {} };
  const { nonce, cookie } = await rememberDevice(tx, request, userId);
  const about = { name: toDeviceName(request.headers['user-agent']), place: findPlace(request) };
  const id = await putDevice(tx, userId, nonce, about, now);
  await attachDevice(tx, sessionId, id);
  return { deviceId: id, headers: { 'set-cookie': cookie } };
}

/** Routes about changes that wait on a device, or that were lost with its storage. */
export function deviceRoutes(app: FastifyInstance): void {
  /** Records what the headers of a request say. Returns headers of the answer. */
  const hear = (request: FastifyRequest, caller: Caller, now: Date) =>
    app.deps.db.transaction(async (tx) => {
      const heard = { report: requirePending(request), hasNewStore: hasNewStore(request) };
      const { deviceId, headers } = await ensureDevice(tx, request, caller, now);
      await hearDevice(tx, { ...caller, deviceId }, heard, now);
      return { deviceId, headers };
    });

  actionRoute(app, {
    endpoint: SAY_PENDING,
    summary: 'Says in the headers X-Pending, X-Pending-Detail and X-Store which changes wait on the device',
    access: requiredAccount(),
    responses: { 204: null },
    handler: async ({ caller, request, now }) => {
      const { headers } = await hear(request, caller, now);
      return { status: 204, body: undefined, headers };
    },
  });

  actionRoute(app, {
    endpoint: DEVICE_CALLS.lost,
    summary: 'Changes that never arrived because the storage of one of the caller’s devices was deleted',
    access: requiredAccount(),
    responses: { 200: z.array(lostRecord) },
    handler: async ({ caller, request, db, now }) => {
      const isTold = request.headers['x-pending'] !== undefined;
      const { deviceId, headers } = isTold ? await hear(request, caller, now) : { ...caller, headers: {} };
      return ok(await listLost(db, { ...caller, deviceId }, now), { ...headers, 'cache-control': 'no-store' });
    },
  });

  writeRoute(app, {
    endpoint: DEVICE_CALLS.dismiss,
    summary: 'Dismisses the notice about a device’s lost changes',
    access: requiredAccount(),
    isOpenToSuspended: true,
    params: z.object({ id: z.string() }),
    responses: { 200: messageOnly },
    handler: async ({ caller, params, db, now }) => {
      const { success } = z.safeParse(uuid, params.id);
      if (!success || !(await dismissLost(db, caller.userId, params.id, now))) throw notFound('device');
      return ok({ message: 'You won’t be told about this again' });
    },
  });
}
