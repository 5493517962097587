import type { ProfilePage } from '#contract/records/page.ts';
import type { SearchRow } from '#contract/records/search.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { face, LONG_NAME, LONG_WORD, mediaBody, profileBody, profileRecord, RIGHT_TO_LEFT } from '../records.ts';
import type { Scene } from '../scene.ts';

const me = { stored: { records: [profileRecord()] } };

const found = (id: string, given: Partial<SearchRow>): SearchRow => ({
  id,
  title: 'Stage actor',
  stage_name: 'Prakash Gowda',
  location: 'Bengaluru',
  profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' },
  profile_photo: face('curly-beard-29'),
  slug: `person-${id}`,
  ...given,
});
const FOUND = [
  found('21', {}),
  found('22', { stage_name: LONG_NAME, title: LONG_WORD, location: LONG_WORD, profile_photo: null }),
  found('23', { stage_name: RIGHT_TO_LEFT.name, title: RIGHT_TO_LEFT.title, location: RIGHT_TO_LEFT.place }),
];

const theirs = (given: Parameters<typeof profileBody>[0], count: number): ProfilePage => ({
  profile: profileBody({ id: '30', user_id: '3', slug: 'person-3', ...given }),
  others: [{ id: '30', title: 'Actor', profile_type: { slug: 'actor-performer' } }],
  rows: {
    ...Object.fromEntries(
      SECTIONS.filter(({ cardinality }) => cardinality === 'many').map((section) => [
        section.key,
        Array.from({ length: count }, (_, at) => ({ ...section.example, id: `${section.key}-${at}` })),
      ]),
    ),
    media: count === 0 ? [] : [mediaBody('o1', 'image'), mediaBody('o2', 'audio')],
  },
});
const PAGE = '/profile/person-3/actor-performer';
const answersPage = (page: ProfilePage) => ({ 'GET /profiles/page/person-3/actor-performer': page });
const body = (state: string, given: Partial<Scene>): Scene => ({
  group: 'Somebody’s page',
  state,
  path: PAGE,
  ...given,
});

export const PAGE_SCENES: readonly Scene[] = [
  { group: 'Search', state: 'being asked', path: '/search', server: 'silent', ...me },
  { group: 'Search', state: 'nobody found', path: '/search?q=zither', answers: { 'GET /search': [] }, ...me },
  { group: 'Search', state: 'some found', path: '/search', answers: { 'GET /search': FOUND }, ...me },
  { group: 'Search', state: 'without signal', path: '/search?q=prakash', server: 'gone', ...me },
  body('being asked for', { server: 'silent', ...me }),
  body('not there', me),
  body('without signal and never seen', { server: 'gone', ...me }),
  body('nearly empty', { answers: answersPage(theirs({ profile_photo: null, title: null }, 0)), ...me }),
  body('filled in', { answers: answersPage(theirs({ stage_name: 'Prakash Gowda' }, 3)), ...me }),
  body('long names', { answers: answersPage(theirs({ stage_name: LONG_NAME, title: LONG_WORD }, 1)), ...me }),
  body('seen by a visitor', { isVisitor: true, answers: answersPage(theirs({ stage_name: RIGHT_TO_LEFT.name }, 2)) }),
  { group: 'Saved', state: 'nothing yet', path: '/saved', ...me },
  { group: 'Settings', state: 'open', path: '/settings', ...me },
  { group: 'Settings', state: 'without signal', path: '/settings', server: 'gone', ...me },
  { group: 'Insights', state: 'being asked for', path: '/insights', server: 'silent', ...me },
  { group: 'Insights', state: 'without signal', path: '/insights', server: 'gone', ...me },
  { group: 'Help', state: 'open', path: '/help', ...me },
  { group: 'Nothing there', state: 'signed in', path: '/no-such-page', ...me },
  { group: 'Visitors', state: 'first page', path: '/', isVisitor: true },
  { group: 'Visitors', state: 'sign in', path: '/login', isVisitor: true },
  { group: 'Visitors', state: 'sign in, sent empty', path: '/login', isVisitor: true, press: ['Sign in'] },
  { group: 'Visitors', state: 'sign up', path: '/register', isVisitor: true },
];
