import { UNKNOWN_ID, signedIn, type RouteRow } from './route-row.ts';

/** Calls that only the two people of a conversation may make. Others get 404. */
const ofTheTwo = { anonymous: 401, stranger: 404, owner: 200, strangerToInactive: null, connection: 404 };
const marked = (what: string): RouteRow => ({
  ...ofTheTwo,
  good: ({ conversation }) => ({ path: `/conversations/${conversation.id}/${what}`, body: { seq: 0 } }),
  unknown: () => ({ path: `/conversations/${UNKNOWN_ID}/${what}`, body: { seq: 0 } }),
  invalid: {
    request: ({ conversation }) => ({ path: `/conversations/${conversation.id}/${what}`, body: { seq: -1 } }),
    fields: ['seq'],
  },
});
const toggled = (what: string): RouteRow => ({
  ...ofTheTwo,
  good: ({ conversation }) => ({ path: `/conversations/${conversation.id}/${what}` }),
  unknown: () => ({ path: `/conversations/${UNKNOWN_ID}/${what}` }),
  invalid: null,
});

export const CHAT_ROUTES: Record<string, RouteRow> = {
  // Each person gets their own list.
  'GET /conversations': { ...signedIn, good: () => ({ path: '/conversations' }), unknown: null, invalid: null },
  'GET /chat/:connectionId': {
    ...ofTheTwo,
    good: ({ conversation }) => ({ path: `/chat/${conversation.connectionId}` }),
    unknown: () => ({ path: `/chat/${UNKNOWN_ID}` }),
    invalid: {
      request: ({ conversation }) => ({ path: `/chat/${conversation.connectionId}?before_seq=x&limit=many` }),
      fields: ['before_seq', 'limit'],
    },
  },
  'POST /chat/send': {
    anonymous: 401,
    // Answers 404 so that the existence of the conversation is not revealed.
    stranger: 403,
    connection: 403,
    blocked: 403,
    owner: 201,
    strangerToInactive: null,
    good: ({ conversation }) => ({
      path: '/chat/send',
      body: { conversation_id: conversation.id, receiver_id: conversation.otherId, message: 'Places, please' },
    }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/chat/send', body: { message: ' ', client_id: 'one' } }),
      fields: ['conversation_id', 'receiver_id', 'message', 'client_id'],
    },
  },
  'POST /conversations/:id/read': marked('read'),
  'POST /conversations/:id/delivered': marked('delivered'),
  'POST /conversations/:id/star': toggled('star'),
  'POST /conversations/:id/unstar': toggled('unstar'),
  'POST /conversations/:id/pin': toggled('pin'),
  'POST /conversations/:id/unpin': toggled('unpin'),
  'POST /broadcasting/auth': {
    anonymous: 401,
    stranger: 403,
    connection: 403,
    blocked: 403,
    owner: 200,
    // Channels that others share are closed to them.
    suspended: 403,
    strangerToInactive: null,
    good: ({ conversation }) => ({
      path: '/broadcasting/auth',
      body: { socket_id: '12.34', channel_name: `private-chat.${conversation.id}` },
    }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/broadcasting/auth', body: { socket_id: 'twelve' } }),
      fields: ['socket_id', 'channel_name'],
    },
  },
  'POST /broadcasting/user-auth': {
    ...signedIn,
    suspended: 200,
    good: () => ({ path: '/broadcasting/user-auth', body: { socket_id: '12.34' } }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/broadcasting/user-auth', body: { socket_id: 'twelve' } }),
      fields: ['socket_id'],
    },
  },
};
