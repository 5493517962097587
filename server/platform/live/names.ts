/** What only this person's devices listen to. */
export const userChannel = (userId: number): string => `private-App.Models.User.${userId}`;
export const conversationChannel = (conversationId: number): string => `private-chat.${conversationId}`;

/** As Echo binds `listen('MessageSent')`. */
const NAMESPACE = 'App\\Events\\';
export const eventName = (name: string): string => NAMESPACE + name;

/** Whose, or which conversation's, a channel is; null where it is neither. */
export function parseChannel(channel: string): { of: 'user' | 'conversation'; id: number } | null {
  const found = /^private-(App\.Models\.User|chat)\.([1-9]\d{0,15})$/.exec(channel);
  if (found === null) return null;
  return { of: found[1] === 'chat' ? 'conversation' : 'user', id: Number(found[2]) };
}
