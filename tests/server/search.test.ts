import { beforeAll, describe, expect, test } from 'vitest';
import type { SearchRow } from '#contract/records/search.ts';
import { forgetTerms } from '#server/read-models/search/indexer.ts';
import { addCredit, addPhoto, block } from './support/people.ts';
import { useStage, type Person } from './support/stage.ts';

const stage = useStage();

interface Given {
  name?: string;
  stage_name?: string;
  title?: string;
  location?: string;
  industry?: string;
  ages?: [number, number];
  skills?: [name: string, level: number][];
  languages?: string[];
  attributes?: Record<string, string>;
  credit?: string;
  type?: number;
}
type Found = Person & { profileId: string };

const listed = async (path: string) => (await stage.call<{ id: string; name: string }[]>(`GET ${path}`)).body;
const idOf = async (path: string, name: string) => (await listed(path)).find((each) => each.name === name)!.id;

async function write(person: Person, request: string, body: object) {
  const answer = await stage.call(request, { token: person.token, body });
  if (answer.status >= 300) throw new Error(`${request}: ${answer.text}`);
}

/** Somebody on the board, as they describe themselves. */
async function performer(given: Given): Promise<Found> {
  const person = await stage.join(given.name ?? given.stage_name);
  const types = await listed('/profile_types');
  const made = await stage.call<{ data: { id: string } }>('POST /profile', {
    token: person.token,
    body: {
      profile_type_id: types[given.type ?? 0]!.id,
      stage_name: given.stage_name ?? person.name,
      title: given.title,
      location: given.location,
      profile_industry_id: given.industry && (await idOf('/filters/industry', given.industry)),
    },
  });
  const profile_id = made.body.data.id;
  if (given.ages) {
    const [min_age_range, max_age_range] = given.ages;
    await write(person, 'PUT /profile/update', { profile_id, min_age_range, max_age_range });
  }
  for (const [name, level] of given.skills ?? []) await write(person, 'POST /skills', { profile_id, name, level });
  if (given.languages) {
    const languages: string[] = [];
    for (const name of given.languages) languages.push(await idOf('/languages', name));
    await write(person, 'POST /languages', { profile_id, languages });
  }
  if (given.attributes) await write(person, 'POST /attributes', { profile_id, ...given.attributes });
  if (given.credit) await addCredit(stage, person, profile_id, { experience_title: given.credit });
  return { ...person, profileId: profile_id };
}

const search = async (query: string, person?: Person) =>
  stage.call<SearchRow[]>(`GET /search?${query.replaceAll(' ', '%20')}`, { token: person?.token });
const namesOf = async (query: string, person?: Person) =>
  (await search(query, person)).body.map((row) => row.stage_name);

let meera: Found;
let arjun: Found;
let farah: Found;
beforeAll(async () => {
  meera = await performer({
    stage_name: 'Meera Kulkarni',
    title: 'Actor, stage and screen',
    location: 'Pune, India',
    industry: 'Feature film',
    ages: [24, 36],
    skills: [
      ['Kathak', 3],
      ['Stage combat', 2],
    ],
    languages: ['Marathi', 'Hindi'],
    attributes: { Height: '165', Hair: 'Dark brown', Eyes: 'Hazel' },
    credit: 'Chowk No. 7',
  });
  arjun = await performer({
    stage_name: 'Arjun Nair',
    title: 'Actor and movement performer',
    location: 'Kochi, India',
    industry: 'Theatre',
    ages: [28, 42],
    skills: [
      ['Kalaripayattu', 3],
      ['Kathak', 1],
      ['Stage management', 3],
    ],
    languages: ['Malayalam', 'Hindi'],
    attributes: { Height: '180.5', Hair: 'Black', Eyes: 'Brown' },
    credit: 'Monsoon Ledger',
  });
  farah = await performer({
    name: 'Farah Irani',
    stage_name: 'The Casting Room',
    title: 'Casting director',
    location: 'Mumbai',
    credit: 'Meera and the Sea',
    type: 2,
  });
});

describe('words', () => {
  test('find people by name, title, place, skill, credit, language, industry and kind', async () => {
    expect(await namesOf('q=arjun')).toEqual(['Arjun Nair']);
    expect(await namesOf('q=farah')).toEqual(['The Casting Room']);
    expect(await namesOf('q=casting director')).toEqual(['The Casting Room']);
    expect(await namesOf('q=kochi')).toEqual(['Arjun Nair']);
    expect(await namesOf('q=kalaripayattu')).toEqual(['Arjun Nair']);
    expect(await namesOf('q=monsoon')).toEqual(['Arjun Nair']);
    expect(await namesOf('q=malayalam')).toEqual(['Arjun Nair']);
    expect(await namesOf('q=theatre')).toEqual(['Arjun Nair']);
    expect(await namesOf('q=film professional')).toEqual(['The Casting Room']);
    expect((await namesOf('q=hindi')).sort()).toEqual(['Arjun Nair', 'Meera Kulkarni']);
  });

  test('must all be there, wherever', async () => {
    expect(await namesOf('q=marathi actor')).toEqual(['Meera Kulkarni']);
    expect(await namesOf('q=chowk kathak pune')).toEqual(['Meera Kulkarni']);
    expect(await namesOf('q=marathi director')).toEqual([]);
  });

  test('are found as they are begun, with slips of the finger, and by their sound in any script', async () => {
    for (const q of ['mee', 'meera kul', 'Meera Kulkarnee', 'MEERA', 'mira', 'मीरा', 'मीरा कुलकर्णी', 'kulkrani']) {
      expect((await namesOf(`q=${encodeURIComponent(q)}`))[0], q).toBe('Meera Kulkarni');
    }
    expect(await namesOf('q=kalaripayatu')).toEqual(['Arjun Nair']);
    expect(await namesOf('q=monsson ledgr')).toEqual(['Arjun Nair']);
    expect(await namesOf('q=mumbay')).toEqual(['The Casting Room']);
  });

  test('in a name come before those in a credit', async () => {
    expect(await namesOf('q=meera')).toEqual(['Meera Kulkarni', 'The Casting Room']);
  });

  test.each(["'", '"', '\\', '!!!', '&|!()', ':*', '%', "n:meera' | 'x", '\u{1f3ad}', 'ا', 'x'.repeat(200)])(
    'like %s harm nobody',
    async (q) => {
      expect((await search(`q=${encodeURIComponent(q)}`)).status).toBe(200);
    },
  );
});

describe('filters', () => {
  const only = async (query: string, ...names: string[]) =>
    expect((await namesOf(query)).sort(), query).toEqual([...names].sort());
  const [m, a, f] = ['Meera Kulkarni', 'Arjun Nair', 'The Casting Room'];

  test('stand alone, and together', async () => {
    await only('type=actor-performer', m, a);
    await only('type=film-professional,voice-artist', f);
    await only(`industry=${await idOf('/filters/industry', 'Theatre')}`, a);
    await only(`language=${await idOf('/languages', 'Hindi')}`, m, a);
    await only(`language=${await idOf('/languages', 'Hindi')},${await idOf('/languages', 'Marathi')}`, m);
    await only('location=Pune', m);
    await only('location=pune, kochi', m, a);
    await only('location=Mumbay', f);
    await only('skill=kathak', m, a);
    await only('skill=kathak&level=2', m);
    await only('skill=katak', m, a);
    await only('skill=stage combat', m);
    await only('skill=stage combat&level=3');
    await only('skill=kathak,kalari', a);
    await only('age=25', m);
    await only('age=30', m, a);
    await only('min_age=40&max_age=60', a);
    await only('min_age=37', a);
    await only('max_age=26', m);
    await only('min_height=170', a);
    await only('min_height=160&max_height=180', m);
    await only('hair=brown', m);
    await only('hair=black,red', a);
    await only('eyes=hazel', m);
    await only('reel=1');
    await only('active=1', m, a, f);
    await only(`q=actor&type=actor-performer&skill=kathak&level=1&age=30&location=india&min_height=150`, m, a);
    await only(`q=actor&age=30&hair=black&eyes=hazel`);
  });

  test('that mean nobody find nobody', async () => {
    for (const query of [
      'type=clown',
      'industry=x',
      'language=999',
      'accent=999',
      'voice_language=0',
      'location=!',
      'skill=!',
    ])
      await only(query);
  });

  test('know a reel and its accents, but not one that is hidden', async () => {
    const voice = await performer({ stage_name: 'Voice of the Hills' });
    const add = (metadata: object, isHidden: boolean, type: string) =>
      stage.database.pool.query(
        `insert into media (user_id, profile_id, media_type, name, metadata, is_hidden, created_at, updated_at)
         values ($1, $2, $3, 'Reel', $4, $5, now(), now())`,
        [voice.id, voice.profileId, type, JSON.stringify(metadata), isHidden],
      );
    await add([{ key: 'language_accent', value: 'Scottish' }], true, 'audio');
    await only('reel=1');
    await add(
      [
        { key: 'language_accent', value: 'British, received' },
        { key: 'media_language', value: 'English' },
      ],
      false,
      'audio',
    );
    const accent = (name: string) => idOf('/langugae_accents', name);
    await only('reel=1', 'Voice of the Hills');
    await only(`accent=${await accent('British, received')}`, 'Voice of the Hills');
    await only(`accent=${await accent('Scottish')}`);
    await only(`voice_language=${await idOf('/media_languages', 'English')}`, 'Voice of the Hills');
  });

  test.each([
    ['age=old', 'age'],
    ['age=101', 'age'],
    ['min_age=-1', 'min_age'],
    ['max_height=9999', 'max_height'],
    ['level=4', 'level'],
    ['reel=yes', 'reel'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['limit=ten', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['q=a&cursor=eyJzdGVwIjoxfQ', 'cursor'],
  ])('like %s are refused by name', async (query, field) => {
    const { status, body } = await search(query);
    expect([status, Object.keys((body as unknown as { errors: object }).errors)]).toEqual([422, [field]]);
  });
});

test('a row says what a casting call goes by', async () => {
  const { body } = await search('q=meera kulkarni', arjun);
  expect(body[0]).toMatchObject({
    id: meera.profileId,
    title: 'Actor, stage and screen',
    location: 'Pune, India',
    profile_type: { slug: 'actor-performer' },
    profile_photo: null,
    facts: {
      user_id: meera.id,
      name: 'Meera Kulkarni',
      min_age_range: 24,
      max_age_range: 36,
      languages: [{ name: 'Marathi' }, { name: 'Hindi' }],
      skills: [
        { name: 'Kathak', level: 3 },
        { name: 'Stage combat', level: 2 },
      ],
      height: 165,
      hair: 'Dark brown',
      eyes: 'Hazel',
      has_reel: false,
      is_active_lately: true,
      is_saved: 0,
    },
  });
  expect(JSON.stringify(body)).not.toMatch(/dob|per_day|email|contact/);
  await write(arjun, `POST /profile/${meera.profileId}/save`, {});
  expect((await search('q=meera kulkarni', arjun)).body[0]?.facts?.is_saved).toBe(1);
  expect((await search('q=meera kulkarni')).body[0]?.facts?.is_saved).toBe(0);
});

describe('what changes', () => {
  test('is found as soon as the change is answered', async () => {
    const person = await performer({ name: 'Ila Sen', stage_name: 'Quick Change' });
    const { token, profileId: profile_id } = person;
    expect(await namesOf('q=quick change')).toEqual(['Quick Change']);
    await write(person, 'PUT /profile/update', { profile_id, stage_name: 'Slow Burn', location: 'Shillong' });
    expect(await namesOf('q=quick change')).toEqual([]);
    expect(await namesOf('q=slow burn shillong')).toEqual(['Slow Burn']);
    const skill = await stage.call<{ data: { id: string } }>('POST /skills', {
      token,
      body: { profile_id, name: 'Fire eating', level: 2 },
    });
    expect(await namesOf('q=fire eating')).toEqual(['Slow Burn']);
    await write(person, `PUT /skills/${skill.body.data.id}`, { name: 'Knife throwing', level: 2 });
    expect(await namesOf('q=fire eating')).toEqual([]);
    expect(await namesOf('skill=knife&level=2')).toEqual(['Slow Burn']);
    await write(person, `DELETE /skills/${skill.body.data.id}`, {});
    expect(await namesOf('skill=knife')).toEqual([]);
    await addPhoto(stage, person, profile_id);
    expect(await namesOf('q=slow burn')).toEqual(['Slow Burn']);
    await write(person, 'PUT /profile/update', { profile_id, status: 'inactive' });
    expect(await namesOf('q=slow burn', person)).toEqual([]);
    await write(person, 'PUT /profile/update', { profile_id, status: 'active' });
    expect(await namesOf('q=slow burn')).toEqual(['Slow Burn']);
    const gone = await stage.call('DELETE /account', { token, body: { password: person.password } });
    expect([gone.status, await namesOf('q=slow burn')]).toEqual([200, []]);
  });

  test('at once in many places is found whole', async () => {
    const person = await performer({ stage_name: 'Busy Bee' });
    const names = Array.from({ length: 12 }, (_, at) => `Trick ${'abcdefghijkl'[at]}`);
    await Promise.all(
      names.flatMap((name) => [
        write(person, 'POST /skills', { profile_id: person.profileId, name, level: 1 }),
        search(`q=${name}`),
      ]),
    );
    for (const name of names) expect(await namesOf(`skill=${name}`), name).toEqual(['Busy Bee']);
  });

  test('leaves no word behind for good', async () => {
    const known = async (term: string) =>
      (await stage.database.pool.query('select kind from search_terms where term = $1 order by kind', [term])).rowCount;
    const person = await performer({ stage_name: 'Zzyzx Road', location: 'Zzyzx', skills: [['Zzyzx', 1]] });
    expect(await namesOf('q=zzyzx')).toEqual(['Zzyzx Road']);
    expect(await known('zzyzx')).toBe(3);
    await forgetTerms(stage.database.db);
    expect(await known('zzyzx')).toBe(3);
    await write(person, 'PUT /profile/update', { profile_id: person.profileId, status: 'inactive' });
    expect(await namesOf('q=zzyzx')).toEqual([]);
    await forgetTerms(stage.database.db);
    expect([await known('zzyzx'), await known('kathak')]).toEqual([0, 2]);
  });
});

test('who blocked somebody is not found by them, nor they by who blocked', async () => {
  const [one, other] = [await performer({ stage_name: 'Hide Me' }), await performer({ stage_name: 'Seek You' })];
  expect(await namesOf('q=hide me', other)).toEqual(['Hide Me']);
  await block(stage, one, other);
  expect(await namesOf('q=hide me', other)).toEqual([]);
  expect(await namesOf('q=seek you', one)).toEqual([]);
  expect(await namesOf('q=hide me', farah)).toEqual(['Hide Me']);
});

test('who was about lately is told from who was not', async () => {
  const person = await performer({ stage_name: 'Long Gone' });
  expect(await namesOf('q=long gone&active=1')).toEqual(['Long Gone']);
  stage.clock.advance(40 * 24 * 60 * 60 * 1000);
  expect(await namesOf('q=long gone&active=1')).toEqual([]);
  expect((await search('q=long gone')).body[0]?.facts?.is_active_lately).toBe(false);
  await stage.call('GET /user', { token: person.token });
  expect(await namesOf('q=long gone&active=1')).toEqual(['Long Gone']);
});

test('pages hold everybody once, in one order', async () => {
  const wanted: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    const stage_name = ['Paging Peter', 'Paginga Paul', 'Somebody'][n % 3]!;
    const { profileId } = await performer({ stage_name, title: 'Paging', credit: n % 2 ? 'Paging' : undefined });
    wanted.push(profileId);
  }
  const whole = (await search('q=paging&limit=50')).body.map(({ id }) => id);
  expect([...whole].sort()).toEqual(wanted.sort());
  const pieces: string[] = [];
  let cursor = '';
  do {
    const page = await search(`q=paging&limit=2${cursor && `&cursor=${cursor}`}`);
    pieces.push(...page.body.map(({ id }) => id));
    cursor = page.headers['x-next-cursor'] ?? '';
  } while (cursor !== '');
  expect(pieces).toEqual(whole);
  const everybody: string[] = [];
  do {
    const page = await search(`limit=3${cursor && `&cursor=${cursor}`}`);
    everybody.push(...page.body.map(({ id }) => id));
    cursor = page.headers['x-next-cursor'] ?? '';
  } while (cursor !== '');
  expect(new Set(everybody).size).toBe(everybody.length);
  expect(everybody.length).toBeGreaterThanOrEqual(10);
});

test('the address is a page to a browser and a call to the app', async () => {
  const answer = await search('q=meera');
  expect(answer.headers['vary']).toContain('X-Requested-With');
  expect(answer.headers['etag']).toBeTruthy();
});
