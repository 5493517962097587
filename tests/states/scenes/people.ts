import type { OpError, Reason } from '#db/rows.ts';
import {
  connectionRecord,
  conversationRecord,
  LONG_WORD,
  message,
  notificationRecord,
  OTHERS,
  profileRecord,
  waiting,
} from '../records.ts';
import type { Scene } from '../scene.ts';

const me = profileRecord();
const [arjun, long, leftward] = OTHERS as [(typeof OTHERS)[0], (typeof OTHERS)[0], (typeof OTHERS)[0]];
const said = [
  message(arjun, 1, 'Are you free on the twelfth?', false),
  message(arjun, 2, `Yes. ${LONG_WORD} https://example.org/${LONG_WORD.toLowerCase()}/${LONG_WORD}`, true),
  message(arjun, 3, 'مرحبا! See you at the theatre.', false),
];
const talk = {
  records: [
    me,
    ...OTHERS.map((other) => connectionRecord(other, 'accepted')),
    conversationRecord(arjun, said.at(-1)!, 1),
    conversationRecord(long, message(long, 1, LONG_WORD, false), 1),
    conversationRecord(leftward, null),
  ],
  messages: said,
};
const unsent = (text: string) =>
  waiting({
    kind: 'send',
    type: 'message',
    parent: 't2',
    lane: 'chat:t2',
    patch: { message: text, receiver_id: '2', name: arjun.name },
  });
const own = { t: '/messages/t2', group: 'Conversation' };
const refused = (state: string, reason: Reason, lastError: OpError): Scene => ({
  group: own.group,
  state,
  path: own.t,
  stored: { ...talk, outbox: [{ ...unsent('I bring the brown shawl.'), state: 'attention', reason, lastError }] },
});

export const PEOPLE_SCENES: readonly Scene[] = [
  { group: 'Messages', state: 'being fetched', path: '/messages', isNewDevice: true, server: 'silent' },
  { group: 'Messages', state: 'none yet', path: '/messages', stored: { records: [me] } },
  { group: 'Messages', state: 'several', path: '/messages', stored: talk },
  { group: 'Messages', state: 'without signal', path: '/messages', server: 'gone', stored: talk },
  { group: own.group, state: 'read', path: own.t, stored: talk },
  { group: own.group, state: 'nothing said yet', path: '/messages/t4', stored: talk },
  {
    group: own.group,
    state: 'not sent yet',
    path: own.t,
    server: 'gone',
    stored: { ...talk, outbox: [unsent('I bring the brown shawl.'), unsent(LONG_WORD)] },
  },
  refused('refused', 'invalid', { status: 422, message: 'Keep it to 5000 characters' }),
  refused('closed with unsent words', 'gone', { status: 404, message: 'Not found' }),
  { group: own.group, state: 'nowhere', path: '/messages/t99', stored: talk },
  { group: 'Connections', state: 'being fetched', path: '/connections', isNewDevice: true, server: 'silent' },
  { group: 'Connections', state: 'none yet', path: '/connections', stored: { records: [me] } },
  {
    group: 'Connections',
    state: 'asked and connected',
    path: '/connections',
    stored: {
      records: [
        me,
        connectionRecord(arjun, 'accepted'),
        connectionRecord(long, 'ours', `I am casting ${LONG_WORD} and would like to see a tape.`),
        connectionRecord(leftward, 'theirs'),
      ],
    },
  },
  {
    group: 'Connections',
    state: 'without signal',
    path: '/connections',
    server: 'gone',
    stored: { records: [me, connectionRecord(arjun, 'accepted'), connectionRecord(long, 'ours')] },
  },
  { group: 'Notifications', state: 'being fetched', path: '/notifications', isNewDevice: true, server: 'silent' },
  { group: 'Notifications', state: 'none yet', path: '/notifications', stored: { records: [me] } },
  {
    group: 'Notifications',
    state: 'of every kind',
    path: '/notifications',
    stored: {
      records: [
        me,
        notificationRecord(1, 'connection.requested', arjun),
        notificationRecord(2, 'connection.accepted', long),
        notificationRecord(3, 'message.received', leftward),
        notificationRecord(4, 'feedback.received', arjun, true),
        notificationRecord(5, 'profile.saved', long, true),
      ],
    },
  },
];
