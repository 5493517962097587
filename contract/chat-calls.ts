import type { Endpoint } from './section.ts';

/** What goes between two people who are connected. Apart from the others, for the pages before them do without. */
export const CHAT_CALLS = {
  chat: { method: 'GET', path: '/chat/:connectionId' },
  sendMessage: { method: 'POST', path: '/chat/send' },
  conversations: { method: 'GET', path: '/conversations', plus: true },
  readConversation: { method: 'POST', path: '/conversations/:id/read', plus: true },
  deliveredConversation: { method: 'POST', path: '/conversations/:id/delivered', plus: true },
  starConversation: { method: 'POST', path: '/conversations/:id/star', plus: true },
  unstarConversation: { method: 'POST', path: '/conversations/:id/unstar', plus: true },
  broadcastingAuth: { method: 'POST', path: '/broadcasting/auth' },
  broadcastingUserAuth: { method: 'POST', path: '/broadcasting/user-auth', plus: true },
} as const satisfies Record<string, Endpoint>;
