import { SECTIONS } from '#contract/sections/index.ts';
import {
  bareProfile,
  face,
  LONG_NAME,
  LONG_WORD,
  mediaRecord,
  profileRecord,
  RIGHT_TO_LEFT,
  sectionRecord,
  sectionRecords,
  waiting,
} from '../records.ts';
import type { Scene } from '../scene.ts';

const whole = [
  profileRecord(),
  ...sectionRecords(2),
  mediaRecord('p1', 'image'),
  mediaRecord('p2', 'image', { name: LONG_WORD, is_primary: true }),
  mediaRecord('v1', 'video'),
  mediaRecord('a1', 'audio'),
  mediaRecord('d1', 'document'),
];
const credits = SECTIONS.find(({ key }) => key === 'experience')!;
const credit = sectionRecord(credits, 0);
const change = (patch: Record<string, unknown>) =>
  waiting({ kind: 'update', type: 'experience', target: credit.id, patch, base: credit.body, baseVersion: 1 });
const refused = (reason: 'invalid' | 'conflict' | 'forbidden' | 'gone') => ({
  ...change({ details: 'Young Sulbha' }),
  state: 'attention' as const,
  reason,
  ...(reason === 'conflict' && { theirs: { body: { ...credit.body, details: 'Old Sulbha', version: 2 }, version: 2 } }),
  lastError: {
    status: reason === 'invalid' ? 422 : reason === 'conflict' ? 412 : reason === 'gone' ? 404 : 403,
    message: 'Check the form',
    ...(reason === 'invalid' && { errors: { details: ['Keep it to 255 characters'] } }),
  },
});

const rtl = { stage_name: RIGHT_TO_LEFT.name, title: RIGHT_TO_LEFT.title, location: RIGHT_TO_LEFT.place };
const long = { stage_name: LONG_NAME, title: `${LONG_WORD} ${LONG_WORD}`, location: LONG_WORD };
const LONG_TEXT = {
  experience_title: `${LONG_WORD} ${LONG_WORD}`,
  details: LONG_WORD,
  production_details: LONG_NAME,
  skill_name: LONG_WORD,
  name: LONG_NAME,
  title: LONG_WORD,
  institution: LONG_WORD,
};

const own = (state: string, given: Omit<Scene, 'group' | 'state' | 'path'>): Scene => ({
  group: 'Own profile',
  state,
  path: '/profile',
  ...given,
});

const form = (key: string, state: string, given: Partial<Scene> = {}): Scene => ({
  group: 'Forms of a profile',
  state: `${key}, ${state}`,
  path: `/profile?edit=${key === 'profile' ? key : `${key}:new`}`,
  stored: { records: whole },
  ...given,
});

export const PROFILE_SCENES: readonly Scene[] = [
  own('being fetched for the first time', { isNewDevice: true, server: 'silent' }),
  own('on a new device without signal', { isNewDevice: true, server: 'gone' }),
  own('nothing filled in', { stored: { records: [profileRecord(bareProfile())] } }),
  own('filled in', { stored: { records: whole } }),
  own('without signal', { server: 'gone', stored: { records: whole } }),
  own('on this phone', {
    server: 'gone',
    stored: {
      records: whole,
      outbox: [
        change({ details: 'Young Sulbha' }),
        waiting({ kind: 'create', type: 'skill', patch: SECTIONS.find(({ key }) => key === 'skill')!.example }),
        waiting({ kind: 'update', type: 'profile', target: '10', parent: null, patch: { title: 'Actor' } }),
      ],
    },
  }),
  own('sending', { server: 'silent', stored: { records: whole, outbox: [change({ details: 'Young Sulbha' })] } }),
  ...(['invalid', 'conflict', 'forbidden', 'gone'] as const).map((reason) =>
    own(`a change refused, ${reason}`, { stored: { records: whole, outbox: [refused(reason)] } }),
  ),
  own('a portrait on its way', {
    server: 'silent',
    stored: {
      records: whole,
      files: [{ id: 'f1', state: 'ready', name: 'new.jpg', picture: face('bob-17') }],
      outbox: [
        waiting({ kind: 'upload', type: 'upload', target: 'f1', parent: null }),
        waiting({ kind: 'avatar', type: 'profile', target: '10', parent: null, deps: ['f1'], lane: 'avatar:10' }),
      ],
    },
  }),
  own('long names', {
    stored: {
      records: [
        profileRecord(long),
        ...sectionRecords(6, LONG_TEXT),
        mediaRecord('p1', 'image', { name: LONG_WORD }),
        mediaRecord('a1', 'audio', { name: LONG_WORD }),
        mediaRecord('d1', 'document', { name: LONG_WORD }),
      ],
    },
  }),
  own('written from right to left', { stored: { records: [profileRecord(rtl), ...sectionRecords(1)] } }),
  own('inactive', { stored: { records: [profileRecord({ status: 'inactive' }), ...sectionRecords(1)] } }),
  own('signed out by the server', {
    stored: {
      records: whole,
      outbox: [change({ details: 'Young Sulbha' })],
      meta: [{ k: 'auth-paused', at: 1 }],
    },
    server: 'gone',
  }),
  form('profile', 'open'),
  ...SECTIONS.filter(({ key }) => key !== 'feedback').map(({ key }) => form(key, 'open')),
  form('experience', 'sent empty', { press: ['Save'] }),
  form('skill', 'on a full disk', { type: { Skill: 'Kathak' }, press: ['Expert', 'Save'], isDiskFull: true }),
  {
    group: 'Forms of a profile',
    state: 'credit, refused',
    path: `/profile?edit=experience:${credit.id}`,
    stored: { records: whole, outbox: [refused('invalid')] },
  },
];
