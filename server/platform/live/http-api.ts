import { createHash, createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Clock } from '#server/platform/clock.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import {
  channelKind,
  ChannelError,
  isEqualConstantTime,
  MAX_NAME_LENGTH,
  SOCKET_ID,
  type Credentials,
} from './channels.ts';
import type { Hub } from './hub.ts';

const MAX_CLOCK_SKEW_S = 600;
const MAX_CHANNELS = 100;
const MAX_BATCH_SIZE = 10;
/** Of one event. */
const MAX_DATA_BYTES = 100_000;

interface ApiOptions {
  credentials: Credentials;
  appId: string;
  hub: Hub;
  clock: Clock;
}

const refuse = (status: number, message: string) => new HttpError(status, { message });

/** Name of a channel that events can be published to. */
const channelName = z.string().refine((name) => {
  try {
    return Boolean(channelKind(name));
  } catch (error) {
    if (error instanceof ChannelError) return false;
    throw error;
  }
}, 'Invalid channel name');
const event = {
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  data: z.string(),
  socket_id: z.string().regex(SOCKET_ID).nullish(),
  /** Attributes of the channels to return, separated by commas. */
  info: z.string().default(''),
};
const eventBody = z.object({
  ...event,
  channel: channelName.optional(),
  channels: z.array(channelName).max(MAX_CHANNELS).optional(),
});
const query = z.object({ info: z.string().default(''), filter_by_prefix: z.string().default('') });
const batchBody = z.object({ batch: z.array(z.object({ ...event, channel: channelName })).max(MAX_BATCH_SIZE) });

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const found = schema.safeParse(body);
  if (!found.success) throw refuse(400, found.error.issues[0]?.message ?? 'The body cannot be read');
  return found.data;
}

/** Verifies the signature of a call. @throws 401 */
function verifySignature(request: FastifyRequest, { key, secret }: Credentials, now: Date): void {
  const url = new URL(request.url, 'http://api');
  const query = url.searchParams;
  const given = query.get('auth_signature') ?? '';
  const signed = [...query]
    .filter(([name]) => name !== 'auth_signature')
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const expected = createHmac('sha256', secret).update(`${request.method}\n${url.pathname}\n${signed}`).digest('hex');
  if (query.get('auth_key') !== key || query.get('auth_version') !== '1.0' || !isEqualConstantTime(given, expected)) {
    throw refuse(401, 'The signature does not fit');
  }
  const at = Number(query.get('auth_timestamp'));
  if (!(Math.abs(now.getTime() / 1000 - at) <= MAX_CLOCK_SKEW_S))
    throw refuse(401, 'The timestamp is too old or in the future');
  const digest = createHash('md5')
    .update(request.rawBody ?? '')
    .digest('hex');
  if (request.rawBody !== null && query.get('body_md5') !== digest)
    throw refuse(401, 'The body does not match body_md5');
}

/** Serves the HTTP API of the protocol, for programs that publish through the embedded endpoint. Off by default. */
export function serveHttpApi(app: FastifyInstance, { credentials, appId, hub, clock }: ApiOptions): void {
  const route = (
    method: 'GET' | 'POST',
    path: string,
    handle: (request: FastifyRequest, params: Record<string, string>) => object,
  ) =>
    app.route({
      method,
      url: `/apps/:appId${path}`,
      handler: (request: FastifyRequest, reply: FastifyReply) => {
        const params = request.params as Record<string, string>;
        if (params['appId'] !== appId) throw refuse(404, 'There is no such app');
        verifySignature(request, credentials, clock.now());
        return reply.header('cache-control', 'no-store').send(handle(request, params));
      },
    });
  /** @throws 400 when user_count is requested for a channel without users */
  const parseInfo = (info: string, areUsersKnown: boolean) => {
    const requested = info.split(',');
    if (requested.includes('user_count') && !areUsersKnown)
      throw refuse(400, 'Only presence channels count their users');
    return requested;
  };
  const requireSmall = (data: string) => {
    if (Buffer.byteLength(data) > MAX_DATA_BYTES) throw refuse(413, 'The data is too large');
  };
  const publish = (channels: string[], { name, data, socket_id: except }: z.infer<z.ZodObject<typeof event>>) => {
    requireSmall(data);
    hub.publish({ channels, event: name, data, except: except ?? undefined });
  };
  const getInfo = (name: string, info: string) => {
    const requested = parseInfo(info, name.startsWith('presence-'));
    const found = hub.channel(name);
    return {
      ...(requested.includes('subscription_count') && { subscription_count: found?.subscriptions ?? 0 }),
      ...(requested.includes('user_count') && { user_count: found?.users ?? 0 }),
    };
  };

  route('POST', '/events', (request) => {
    const body = read(eventBody, request.body);
    const channels = body.channels ?? (body.channel === undefined ? [] : [body.channel]);
    if (channels.length === 0) throw refuse(400, 'Name a channel');
    const infos = channels.map((name) => [name, getInfo(name, body.info)] as const);
    publish(channels, body);
    return body.info === '' ? {} : { channels: Object.fromEntries(infos) };
  });
  route('POST', '/batch_events', (request) => {
    const { batch } = read(batchBody, request.body);
    for (const { data } of batch) requireSmall(data);
    const infos = batch.map(({ channel, info }) => getInfo(channel, info));
    for (const each of batch) publish([each.channel], each);
    return batch.every(({ info }) => info === '') ? {} : { batch: infos };
  });
  route('GET', '/channels', (request) => {
    const { filter_by_prefix: prefix, info } = read(query, request.query);
    parseInfo(info, prefix.startsWith('presence-'));
    return { channels: Object.fromEntries(hub.channels(prefix).map(({ name }) => [name, getInfo(name, info)])) };
  });
  route('GET', '/channels/:channel', (request, { channel = '' }) => ({
    occupied: hub.channel(channel) !== null,
    ...getInfo(channel, read(query, request.query).info),
  }));
  route('GET', '/channels/:channel/users', (_request, { channel = '' }) => {
    if (!channel.startsWith('presence-')) throw refuse(400, 'Only presence channels know their users');
    return { users: hub.members(channel).map((id) => ({ id })) };
  });
  route('POST', '/users/:userId/terminate_connections', (_request, { userId = '' }) => {
    hub.endUser(userId);
    return {};
  });
}
