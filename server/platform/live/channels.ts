import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum length of the name of a channel or an event. */
export const MAX_NAME_LENGTH = 200;
const NAME = /^[-A-Za-z0-9_=@,.;]+$/;

/**
 * Every socket may subscribe to a public channel. Private and presence channels need a signature, and a user channel needs a sign-in
 * as that user. A presence channel also announces its members.
 */
export type ChannelKind = 'public' | 'private' | 'presence' | 'user';

/** Unsupported kinds of the protocol: end-to-end encrypted channels, and channels that cache their last event. */
const UNSUPPORTED_PREFIXES = ['private-encrypted-', 'private-cache-', 'presence-cache-', 'cache-'];
const USER_CHANNEL_PREFIX = '#server-to-user-';

export class ChannelError extends Error {
  override name = 'ChannelError';
}

/** @throws ChannelError when the name is invalid or of an unsupported kind */
export function channelKind(name: string): ChannelKind {
  if (UNSUPPORTED_PREFIXES.some((prefix) => name.startsWith(prefix)))
    throw new ChannelError('This kind of channel is not supported');
  if (name.length <= MAX_NAME_LENGTH && getUserOfChannel(name)) return 'user';
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) throw new ChannelError('Invalid channel name');
  if (name.startsWith('presence-')) return 'presence';
  return name.startsWith('private-') ? 'private' : 'public';
}

/** Id of the user whose channel this is; null for other channels. */
export const getUserOfChannel = (name: string): string | null =>
  name.startsWith(USER_CHANNEL_PREFIX) ? name.slice(USER_CHANNEL_PREFIX.length) : null;

/** The app's key and secret, shared by publishers and by the endpoint that authorizes subscriptions. */
export interface Credentials {
  key: string;
  secret: string;
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

/**
 * The signature for subscribing to a private channel: `key:hmac` over the socket id, the channel and, if given, the exact text of the
 * channel data.
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

/** The signature for signing a socket in: `key:hmac` over the socket id and the exact text of the user data. */
export function userSignature({ key, secret }: Credentials, socketId: string, data: string): string {
  return `${key}:${hmac(secret, `${socketId}::user::${data}`)}`;
}

/** Compares two texts in constant time. */
export function isEqualConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A socket id of the protocol: two numbers joined by a dot. */
export const SOCKET_ID = /^\d{1,20}\.\d{1,20}$/;
