/** Larger events may exceed the limits of live services. */
export const MAX_EVENT_BYTES = 10_000;

/** The private channel of a user's own devices, with an event of its own for each kind of change. */
export const userChannel = (userId: number): string => `private-App.Models.User.${userId}`;
/** The private channel of a user's own devices with exactly one event for each write that concerns them. */
export const changesChannel = (userId: number): string => `private-changes.${userId}`;
export const conversationChannel = (conversationId: number): string => `private-chat.${conversationId}`;

/** Laravel Echo prefixes the event of `listen('MessageSent')` with this namespace. */
const NAMESPACE = 'App\\Events\\';
export const eventName = (name: string): string => NAMESPACE + name;

/** The user or conversation that a channel belongs to; null for other channels. */
export function parseChannel(channel: string): { of: 'user' | 'conversation'; id: number } | null {
  const found = /^private-(App\.Models\.User|changes|chat)\.([1-9]\d{0,15})$/.exec(channel);
  if (found === null) return null;
  return { of: found[1] === 'chat' ? 'conversation' : 'user', id: Number(found[2]) };
}
