import { createHmac, timingSafeEqual } from 'node:crypto';

/** Of a channel's and of an event's name. */
export const NAME_LENGTH = 200;
const NAME = /^[-A-Za-z0-9_=@,.;]+$/;

/**
 * Anybody may listen to a public channel; to a private or presence channel who brings a signature; to a user's own who has signed
 * in. A presence channel tells who listens.
 */
export type ChannelKind = 'public' | 'private' | 'presence' | 'user';

/** Kinds of the protocol that are not offered here: blind relays, and channels that keep their last event. */
const NOT_OFFERED = ['private-encrypted-', 'private-cache-', 'presence-cache-', 'cache-'];
const OF_USER = '#server-to-user-';

export class ChannelError extends Error {
  override name = 'ChannelError';
}

/** @throws ChannelError where the name is none, or of a kind that is not offered */
export function channelKind(name: string): ChannelKind {
  if (NOT_OFFERED.some((prefix) => name.startsWith(prefix)))
    throw new ChannelError('This kind of channel is not offered');
  if (name.length <= NAME_LENGTH && getUserOfChannel(name)) return 'user';
  if (name.length > NAME_LENGTH || !NAME.test(name)) throw new ChannelError('This is no name of a channel');
  if (name.startsWith('presence-')) return 'presence';
  return name.startsWith('private-') ? 'private' : 'public';
}

/** Whose own channel this is; null where it is nobody's. */
export const getUserOfChannel = (name: string): string | null =>
  name.startsWith(OF_USER) ? name.slice(OF_USER.length) : null;

/** Key and secret of the app, which those who publish and those who authorise share. */
export interface Credentials {
  key: string;
  secret: string;
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

/**
 * What lets a socket into a private channel: `key:hmac`, over the id of the socket, the channel and, wherever it is given, the exact
 * text of its data.
 */
export function channelSignature(
  { key, secret }: Credentials,
  socketId: string,
  channel: string,
  channelData?: string,
): string {
  const parts = channelData === undefined ? [socketId, channel] : [socketId, channel, channelData];
  return `${key}:${hmac(secret, parts.join(':'))}`;
}

/** What signs somebody in on a socket: `key:hmac`, over its id and the exact text that says who it is. */
export function userSignature({ key, secret }: Credentials, socketId: string, data: string): string {
  return `${key}:${hmac(secret, `${socketId}::user::${data}`)}`;
}

/** Whether two texts are the same, told in a time that says nothing about where they differ. */
export function isEqualConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** As the protocol forms it: two numbers with a dot. */
export const SOCKET_ID = /^\d{1,20}\.\d{1,20}$/;
