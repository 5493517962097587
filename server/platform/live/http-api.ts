import { createHash, createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Clock } from '#server/platform/clock.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import {
  channelKind,
  ChannelError,
  isEqualConstantTime,
  NAME_LENGTH,
  SOCKET_ID,
  type Credentials,
} from './channels.ts';
import type { Hub } from './hub.ts';

const TIMELY_S = 600;
const CHANNELS_AT_ONCE = 100;
const BATCH = 10;
/** Of one event's data. */
const DATA_BYTES = 100_000;

interface ApiOptions {
  credentials: Credentials;
  appId: string;
  hub: Hub;
  clock: Clock;
}

const refuse = (status: number, message: string) => new HttpError(status, { message });

/** A name of a channel that can be published to. */
const channelName = z.string().refine((name) => {
  try {
    return Boolean(channelKind(name));
  } catch (error) {
    if (error instanceof ChannelError) return false;
    throw error;
  }
}, 'This is no name of a channel');
const event = {
  name: z.string().min(1).max(NAME_LENGTH),
  data: z.string(),
  socket_id: z.string().regex(SOCKET_ID).nullish(),
  /** What the caller wants to hear of the channels, names with commas between. */
  info: z.string().default(''),
};
const eventBody = z.object({
  ...event,
  channel: channelName.optional(),
  channels: z.array(channelName).max(CHANNELS_AT_ONCE).optional(),
});
const query = z.object({ info: z.string().default(''), filter_by_prefix: z.string().default('') });
const batchBody = z.object({ batch: z.array(z.object({ ...event, channel: channelName })).max(BATCH) });

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const found = schema.safeParse(body);
  if (!found.success) throw refuse(400, found.error.issues[0]?.message ?? 'The body cannot be read');
  return found.data;
}

/** Holds a call against its signature, as servers of the protocol sign. @throws 401 */
function admit(request: FastifyRequest, { key, secret }: Credentials, now: Date): void {
  const url = new URL(request.url, 'http://api');
  const query = url.searchParams;
  const told = query.get('auth_signature') ?? '';
  const signed = [...query]
    .filter(([name]) => name !== 'auth_signature')
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const right = createHmac('sha256', secret).update(`${request.method}\n${url.pathname}\n${signed}`).digest('hex');
  if (query.get('auth_key') !== key || query.get('auth_version') !== '1.0' || !isEqualConstantTime(told, right)) {
    throw refuse(401, 'The signature does not fit');
  }
  const at = Number(query.get('auth_timestamp'));
  if (!(Math.abs(now.getTime() / 1000 - at) <= TIMELY_S)) throw refuse(401, 'The call comes too late or too early');
  const digest = createHash('md5')
    .update(request.rawBody ?? '')
    .digest('hex');
  if (request.rawBody !== null && query.get('body_md5') !== digest) throw refuse(401, 'The body is another one');
}

/** The HTTP API of the protocol, so that other programs can publish through the embedded endpoint. Off unless it is asked for. */
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
        admit(request, credentials, clock.now());
        return reply.header('cache-control', 'no-store').send(handle(request, params));
      },
    });
  /** @throws 400 where users are to be counted that are not known */
  const wants = (info: string, areUsersKnown: boolean) => {
    const wanted = info.split(',');
    if (wanted.includes('user_count') && !areUsersKnown) throw refuse(400, 'Only presence channels count their users');
    return wanted;
  };
  const requireSmall = (data: string) => {
    if (Buffer.byteLength(data) > DATA_BYTES) throw refuse(413, 'The data is too large');
  };
  const publish = (channels: string[], { name, data, socket_id: except }: z.infer<z.ZodObject<typeof event>>) => {
    requireSmall(data);
    hub.publish({ channels, event: name, data, except: except ?? undefined });
  };
  const infoOf = (name: string, info: string) => {
    const wanted = wants(info, name.startsWith('presence-'));
    const found = hub.channel(name);
    return {
      ...(wanted.includes('subscription_count') && { subscription_count: found?.subscriptions ?? 0 }),
      ...(wanted.includes('user_count') && { user_count: found?.users ?? 0 }),
    };
  };

  route('POST', '/events', (request) => {
    const body = read(eventBody, request.body);
    const channels = body.channels ?? (body.channel === undefined ? [] : [body.channel]);
    if (channels.length === 0) throw refuse(400, 'Name a channel');
    const told = channels.map((name) => [name, infoOf(name, body.info)] as const);
    publish(channels, body);
    return body.info === '' ? {} : { channels: Object.fromEntries(told) };
  });
  route('POST', '/batch_events', (request) => {
    const { batch } = read(batchBody, request.body);
    for (const { data } of batch) requireSmall(data);
    const told = batch.map(({ channel, info }) => infoOf(channel, info));
    for (const each of batch) publish([each.channel], each);
    return batch.every(({ info }) => info === '') ? {} : { batch: told };
  });
  route('GET', '/channels', (request) => {
    const { filter_by_prefix: prefix, info } = read(query, request.query);
    wants(info, prefix.startsWith('presence-'));
    return { channels: Object.fromEntries(hub.channels(prefix).map(({ name }) => [name, infoOf(name, info)])) };
  });
  route('GET', '/channels/:channel', (request, { channel = '' }) => ({
    occupied: hub.channel(channel) !== null,
    ...infoOf(channel, read(query, request.query).info),
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
