import type { Endpoint } from './section.ts';

// Exported one by one as well, so that the start of the app and the service worker bundle only the calls that the engine sends.
export const CHAT = { method: 'GET', path: '/chat/:connectionId' } as const satisfies Endpoint;
export const SEND_MESSAGE = { method: 'POST', path: '/chat/send' } as const satisfies Endpoint;
export const STAR = { method: 'POST', path: '/conversations/:id/star', isExtension: true } as const satisfies Endpoint;
export const UNSTAR = {
  method: 'POST',
  path: '/conversations/:id/unstar',
  isExtension: true,
} as const satisfies Endpoint;
export const PIN = { method: 'POST', path: '/conversations/:id/pin', isExtension: true } as const satisfies Endpoint;
export const UNPIN = {
  method: 'POST',
  path: '/conversations/:id/unpin',
  isExtension: true,
} as const satisfies Endpoint;

export const READ_CONVERSATION = {
  method: 'POST',
  path: '/conversations/:id/read',
  isExtension: true,
} as const satisfies Endpoint;
export const DELIVERED_CONVERSATION = {
  method: 'POST',
  path: '/conversations/:id/delivered',
  isExtension: true,
} as const satisfies Endpoint;

/** Chat endpoints between connected people. A file of its own keeps them out of the first bundle. */
export const CHAT_CALLS = {
  chat: CHAT,
  sendMessage: SEND_MESSAGE,
  conversations: { method: 'GET', path: '/conversations', isExtension: true },
  readConversation: READ_CONVERSATION,
  deliveredConversation: DELIVERED_CONVERSATION,
  starConversation: STAR,
  unstarConversation: UNSTAR,
  pinConversation: PIN,
  unpinConversation: UNPIN,
  broadcastingAuth: { method: 'POST', path: '/broadcasting/auth' },
  broadcastingUserAuth: { method: 'POST', path: '/broadcasting/user-auth', isExtension: true },
} as const satisfies Record<string, Endpoint>;
