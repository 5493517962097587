import { SECTIONS } from '#contract/sections/index.ts';
import type { OutboxRow, Reason } from '#db/rows.ts';
import { face, LONG_NAME, mediaBody, mediaRecord, profileRecord, sectionRecord, waiting } from '../records.ts';
import type { Scene } from '../scene.ts';

type Row = Omit<OutboxRow, 'seq'>;

const credits = SECTIONS.find(({ key }) => key === 'experience')!;
const credit = sectionRecord(credits, 0);
const photo = mediaRecord('p1', 'image');
const records = [profileRecord(), credit, photo];

const update = (): Row =>
  waiting({
    kind: 'update',
    type: 'experience',
    target: credit.id,
    patch: { details: 'Young Sulbha' },
    base: credit.body,
  });
const files = [
  { id: 'f1', state: 'ready' as const, name: 'on-stage.jpg', picture: face('bob-17') },
  { id: 'f3', state: 'sent' as const, name: `${LONG_NAME}.jpg`, picture: face('bob-23') },
  { id: 'f4', state: 'sent' as const, name: 'portrait.jpg', picture: face('bob-32') },
];
const upload = (id: string): Row => waiting({ kind: 'upload', type: 'upload', target: id, parent: null });
const photoPatch = { media_type: 'image', name: 'On stage' };
const arjun = { name: 'Arjun Nair', userId: '2' };
/** However a change came to be: the server has trouble, the answer was lost, or the app is too old. */
const ANY: readonly Reason[] = ['stale', 'unknown-op', 'suspect', 'unsure', 'failed'];
const card = { id: '20', stage_name: LONG_NAME };

/** A change of every kind that a person can make, and how each can come to grief. */
const CHANGES: readonly { rows: () => Row[]; stops: readonly Reason[] }[] = [
  {
    rows: () => [waiting({ kind: 'create', type: 'experience', patch: credits.example })],
    stops: ['invalid', 'forbidden', 'gone', ...ANY],
  },
  { rows: () => [update()], stops: ['invalid', 'conflict', 'forbidden', 'gone', ...ANY] },
  {
    rows: () => [waiting({ kind: 'delete', type: 'experience', target: credit.id, base: credit.body })],
    stops: ['invalid', 'conflict', 'forbidden', ...ANY],
  },
  {
    rows: () => [
      waiting({
        kind: 'create',
        type: 'profile',
        parent: null,
        patch: { stage_name: LONG_NAME, profile_type_id: '1' },
      }),
    ],
    stops: ['invalid', 'forbidden', ...ANY],
  },
  {
    rows: () => [upload('f1'), waiting({ kind: 'create', type: 'media', deps: ['f1'], patch: photoPatch })],
    stops: [],
  },
  {
    rows: () => [waiting({ kind: 'create', type: 'media', deps: ['f3'], patch: photoPatch })],
    stops: ['invalid', 'forbidden', 'toobig', 'wrongtype', 'gone', ...ANY],
  },
  {
    rows: () => [waiting({ kind: 'delete', type: 'media', target: 'p1', base: { ...mediaBody('p1', 'image') } })],
    stops: ['invalid', 'conflict', 'forbidden', ...ANY],
  },
  {
    rows: () => [
      waiting({ kind: 'avatar', type: 'profile', target: '10', parent: null, deps: ['f4'], lane: 'avatar:10' }),
    ],
    stops: ['invalid', 'toobig', 'wrongtype', 'gone', ...ANY],
  },
  {
    rows: () => [waiting({ kind: 'save', type: 'saved_profile', target: '20', patch: { saved: true, card } })],
    stops: ['forbidden', 'gone', ...ANY],
  },
  {
    rows: () => [waiting({ kind: 'save', type: 'saved_media', target: '21', patch: { saved: true, card } })],
    stops: ['forbidden', 'gone', ...ANY],
  },
  {
    rows: () => [waiting({ kind: 'save', type: 'conversation', target: 't2', patch: { saved: true, card } })],
    stops: ['forbidden', 'gone', ...ANY],
  },
  {
    rows: () => [waiting({ kind: 'connect', type: 'person', target: 'L_c', lane: 'person:2', patch: arjun })],
    stops: ['invalid', 'forbidden', 'gone', ...ANY],
  },
  {
    rows: () => [
      waiting({
        kind: 'accept',
        type: 'person',
        target: 'c2',
        lane: 'person:5',
        patch: { ...arjun, connection: 'c2' },
      }),
    ],
    stops: ['invalid', 'forbidden', 'gone', ...ANY],
  },
  {
    rows: () => [
      waiting({
        kind: 'delete',
        type: 'connection',
        target: 'c4',
        lane: 'person:4',
        patch: { ...arjun, way: 'block' },
      }),
    ],
    stops: ['forbidden', ...ANY],
  },
  {
    rows: () => [
      waiting({
        kind: 'send',
        type: 'message',
        parent: 't2',
        lane: 'chat:t2',
        patch: { ...arjun, message: 'I can be there at half past four.', receiver_id: '2' },
      }),
    ],
    stops: ['invalid', 'forbidden', 'gone', ...ANY],
  },
  {
    rows: () => [waiting({ kind: 'seen', type: 'notification', target: 'all', lane: 'seen', patch: { ids: ['n1'] } })],
    stops: ['invalid', ...ANY],
  },
];

const REASONS: readonly Reason[] = ['invalid', 'conflict', 'forbidden', 'toobig', 'wrongtype', 'gone', ...ANY];

const page = (state: string, given: Partial<Scene>): Scene => ({
  group: 'Waiting to send',
  state,
  path: '/waiting',
  stored: { records },
  ...given,
});

const one = (): Row[] => CHANGES.flatMap(({ rows }) => rows());

/** A change of each kind that can come to grief in this way. */
const stopped = (reason: Reason): Row[] =>
  CHANGES.filter(({ stops }) => stops.includes(reason)).flatMap(({ rows }) =>
    rows().map((row) => {
      const theirs =
        reason === 'conflict'
          ? { theirs: { body: { ...row.base, details: 'Old Sulbha', version: 2 }, version: 2 } }
          : {};
      const lastError = { status: reason === 'suspect' ? 500 : 422, message: 'The server could not take this.' };
      const tried = { tries: 2, sentOnce: true, notBefore: Date.now() + 3_600_000 };
      return { ...row, ...theirs, ...tried, lastError, state: 'attention' as const, reason };
    }),
  );

export const WAITING_SCENES: readonly Scene[] = [
  page('nothing', {}),
  page('one of each kind, without signal', {
    server: 'gone',
    stored: { records, files, outbox: one() },
  }),
  page('one of each kind, being sent', {
    server: 'silent',
    stored: { records, files, outbox: one() },
  }),
  page('for a sign-in', {
    server: 'gone',
    stored: { records, outbox: [update()], meta: [{ k: 'auth-paused', at: 1 }] },
  }),
  ...REASONS.map((reason) => page(`each kind: ${reason}`, { stored: { records, files, outbox: stopped(reason) } })),
  page('a conflict being settled', {
    stored: {
      records,
      outbox: stopped('conflict').slice(0, 1),
    },
    press: ['Choose a version'],
  }),
  page('a change being discarded', {
    stored: { records, outbox: stopped('forbidden').slice(0, 1) },
    press: ['Discard'],
  }),
];
