import { describe, expect, test } from 'vitest';
import type { SearchFacts, SearchRow } from '#contract/records/search.ts';
import { type SearchablePerson, matchPeople, toSearchable } from '#lib/match-people.ts';
import { parseFilters } from '#lib/search-filters.ts';

const FACTS: SearchFacts = {
  user_id: '1',
  name: '',
  min_age_range: null,
  max_age_range: null,
  profile_industry_id: null,
  languages: [],
  skills: [],
  height: null,
  hair: null,
  eyes: null,
  accents: [],
  voice_languages: [],
  has_reel: false,
  is_active_lately: false,
  is_saved: 0,
};

interface PersonOptions extends Partial<Omit<SearchRow, 'facts' | 'profile_type'>> {
  type?: string;
  facts?: Partial<SearchFacts> | null;
  credits?: string[];
  industry?: string;
}

function person(
  stage_name: string,
  { type = 'actor-performer', facts = {}, credits, industry, ...row }: PersonOptions,
): SearchablePerson {
  const profile_type = {
    id: '1',
    name: type === 'actor-performer' ? 'Actor / Performer' : 'Film Professional',
    slug: type,
  };
  const base = { id: stage_name, title: null, location: null, profile_photo: null, slug: stage_name };
  const whole = facts && { ...FACTS, name: stage_name, ...facts };
  return toSearchable({
    row: { ...base, stage_name, profile_type, ...row, ...(whole && { facts: whole }) },
    industry,
    credits: credits ?? [],
  });
}

const PEOPLE = [
  person('Meera Kulkarni', {
    title: 'Actor, stage and screen',
    location: 'Pune, India',
    industry: 'Feature film',
    credits: ['Chowk No. 7'],
    facts: {
      min_age_range: 24,
      max_age_range: 36,
      profile_industry_id: '1',
      languages: [
        { id: '23', name: 'Marathi' },
        { id: '11', name: 'Hindi' },
      ],
      skills: [
        { name: 'Kathak', level: 3 },
        { name: 'Stage combat', level: 2 },
      ],
      height: 165,
      hair: 'Dark brown',
      eyes: 'Hazel',
      accents: ['British, received'],
      voice_languages: ['English'],
      has_reel: true,
      is_active_lately: true,
    },
  }),
  person('Arjun Nair', {
    title: 'Actor and movement performer',
    location: 'Kochi, India',
    industry: 'Theatre',
    credits: ['Monsoon Ledger'],
    facts: {
      min_age_range: 28,
      max_age_range: 42,
      profile_industry_id: '4',
      languages: [{ id: '11', name: 'Hindi' }],
      skills: [
        { name: 'Kathak', level: 1 },
        { name: 'Stage management', level: 3 },
      ],
      height: 180.5,
      hair: 'Black',
      eyes: 'Brown',
    },
  }),
  person('The Casting Room', {
    type: 'film-professional',
    location: 'Mumbai',
    credits: ['Meera and the Sea'],
    facts: null,
  }),
];
const [M, A, C] = ['Meera Kulkarni', 'Arjun Nair', 'The Casting Room'];

const nameOf = (filter: string, id: string) =>
  filter === 'accent' ? { '3': 'British, received' }[id] : { '7': 'English' }[id];
const search = (query: string) =>
  matchPeople(PEOPLE, parseFilters(new URLSearchParams(query)), nameOf).map(({ row }) => row.stage_name);

describe('text search of people on the device', () => {
  test.each([
    ['q=arjun', [A]],
    ['q=mee', [M, C]],
    ['q=meera', [M, C]],
    ['q=marathi actor', [M]],
    ['q=chowk kathak pune', [M]],
    ['q=theatre', [A]],
    ['q=film professional', [C]],
    ['q=Meera Kulkarnee', [M]],
    ['q=kulkrani', [M]],
    ['q=mira kul', [M]],
    ['q=मीरा कुलकर्णी', [M]],
    ['q=monsson ledgr', [A]],
    ['q=m', [M]],
    ['q=marathi director', []],
    ['q=!!!', []],
    ['', [M, A, C]],
  ])('%s', (query, names) => {
    expect(search(query)).toEqual(names);
  });
});

describe('filters of people on the device', () => {
  test.each([
    ['type=actor-performer', [M, A]],
    ['type=voice-artist,film-professional', [C]],
    ['industry=4', [A]],
    ['language=11', [M, A]],
    ['language=11,23', [M]],
    ['location=Pune', [M]],
    ['location=pune, mumbai', [M, C]],
    ['location=Mumbay', [C]],
    ['location=Nowhere', []],
    ['skill=kathak', [M, A]],
    ['skill=kathak&level=2', [M]],
    ['skill=katak', [M, A]],
    ['skill=stage combat', [M]],
    ['skill=stage combat&level=3', []],
    ['skill=kathak,stage man', [A]],
    ['age=25', [M]],
    ['age=30', [M, A]],
    ['min_age=40&max_age=60', [A]],
    ['max_age=26', [M]],
    ['min_height=170', [A]],
    ['max_height=170', [M]],
    ['min_height=160&max_height=181', [M, A]],
    ['hair=brown', [M]],
    ['hair=black,red', [A]],
    ['eyes=hazel', [M]],
    ['accent=3', [M]],
    ['accent=4', []],
    ['voice_language=7', [M]],
    ['reel=1', [M]],
    ['active=1', [M]],
    ['q=actor&age=30&skill=kathak&location=india', [M, A]],
    ['q=actor&age=30&hair=black&eyes=hazel', []],
  ])('%s', (query, names) => {
    expect(search(query)).toEqual(names);
  });
});

test('ignores similar spellings when enough people match exactly', () => {
  const crowd = [...Array.from({ length: 25 }, (_, n) => person(`Meena ${n}`, {})), person('Meera', {})];
  const names = (q: string) => matchPeople(crowd, { q }, nameOf).map(({ row }) => row.stage_name);
  expect(names('meena')).toHaveLength(25);
  expect(names('meera')[0]).toBe('Meera');
  expect(names('meera')).toHaveLength(26);
});
