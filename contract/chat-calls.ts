import type { Endpoint } from './section.ts';

// By name as well: what the outbox asks is all that the worker has room for.
export const CHAT = { method: 'GET', path: '/chat/:connectionId' } as const satisfies Endpoint;
export const SEND_MESSAGE = { method: 'POST', path: '/chat/send' } as const satisfies Endpoint;
export const STAR = { method: 'POST', path: '/conversations/:id/star', isExtension: true } as const satisfies Endpoint;
export const UNSTAR = {
  method: 'POST',
  path: '/conversations/:id/unstar',
  isExtension: true,
} as const satisfies Endpoint;

/** What goes between two people who are connected. Apart from the others, for the pages before them do without. */
export const CHAT_CALLS = {
  chat: CHAT,
  sendMessage: SEND_MESSAGE,
  conversations: { method: 'GET', path: '/conversations', isExtension: true },
  readConversation: { method: 'POST', path: '/conversations/:id/read', isExtension: true },
  deliveredConversation: { method: 'POST', path: '/conversations/:id/delivered', isExtension: true },
  starConversation: STAR,
  unstarConversation: UNSTAR,
  broadcastingAuth: { method: 'POST', path: '/broadcasting/auth' },
  broadcastingUserAuth: { method: 'POST', path: '/broadcasting/user-auth', isExtension: true },
} as const satisfies Record<string, Endpoint>;
