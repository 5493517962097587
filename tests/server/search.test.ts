import { beforeAll, describe, expect, test } from 'vitest';
import type { SearchRow } from '#contract/records/search.ts';
import { deleteUnusedTerms } from '#server/read-models/search/indexer.ts';
import { addCredit, addPhoto, block } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();

interface Description {
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
type Performer = Person & { profileId: string };

const getList = async (path: string) => (await testServer.call<{ id: string; name: string }[]>(`GET ${path}`)).body;
const getId = async (path: string, name: string) => (await getList(path)).find((each) => each.name === name)!.id;

async function write(person: Person, request: string, body: object) {
  const answer = await testServer.call(request, { token: person.token, body });
  if (answer.status >= 300) throw new Error(`${request}: ${answer.text}`);
}

/** Creates a performer with the described profile. */
async function addPerformer(description: Description): Promise<Performer> {
  const person = await testServer.join(description.name ?? description.stage_name);
  const types = await getList('/profile_types');
  const made = await testServer.call<{ data: { id: string } }>('POST /profile', {
    token: person.token,
    body: {
      profile_type_id: types[description.type ?? 0]!.id,
      stage_name: description.stage_name ?? person.name,
      title: description.title,
      location: description.location,
      profile_industry_id: description.industry && (await getId('/filters/industry', description.industry)),
    },
  });
  const profile_id = made.body.data.id;
  if (description.ages) {
    const [min_age_range, max_age_range] = description.ages;
    await write(person, 'PUT /profile/update', { profile_id, min_age_range, max_age_range });
  }
  for (const [name, level] of description.skills ?? [])
    await write(person, 'POST /skills', { profile_id, name, level });
  if (description.languages) {
    const languages: string[] = [];
    for (const name of description.languages) languages.push(await getId('/languages', name));
    await write(person, 'POST /languages', { profile_id, languages });
  }
  if (description.attributes) await write(person, 'POST /attributes', { profile_id, ...description.attributes });
  if (description.credit) await addCredit(testServer, person, profile_id, { experience_title: description.credit });
  return { ...person, profileId: profile_id };
}

const search = async (query: string, person?: Person) =>
  testServer.call<SearchRow[]>(`GET /search?${query.replaceAll(' ', '%20')}`, { token: person?.token });
const searchNames = async (query: string, person?: Person) =>
  (await search(query, person)).body.map((row) => row.stage_name);

let meera: Performer;
let arjun: Performer;
let farah: Performer;
beforeAll(async () => {
  meera = await addPerformer({
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
  arjun = await addPerformer({
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
  farah = await addPerformer({
    name: 'Farah Irani',
    stage_name: 'The Casting Room',
    title: 'Casting director',
    location: 'Mumbai',
    credit: 'Meera and the Sea',
    type: 2,
  });
});

describe('search words', () => {
  test('match name, title, location, skill, credit, language, industry and profile type', async () => {
    expect(await searchNames('q=arjun')).toEqual(['Arjun Nair']);
    expect(await searchNames('q=farah')).toEqual(['The Casting Room']);
    expect(await searchNames('q=casting director')).toEqual(['The Casting Room']);
    expect(await searchNames('q=kochi')).toEqual(['Arjun Nair']);
    expect(await searchNames('q=kalaripayattu')).toEqual(['Arjun Nair']);
    expect(await searchNames('q=monsoon')).toEqual(['Arjun Nair']);
    expect(await searchNames('q=malayalam')).toEqual(['Arjun Nair']);
    expect(await searchNames('q=theatre')).toEqual(['Arjun Nair']);
    expect(await searchNames('q=film professional')).toEqual(['The Casting Room']);
    expect((await searchNames('q=hindi')).sort()).toEqual(['Arjun Nair', 'Meera Kulkarni']);
  });

  test('must all match, in any field', async () => {
    expect(await searchNames('q=marathi actor')).toEqual(['Meera Kulkarni']);
    expect(await searchNames('q=chowk kathak pune')).toEqual(['Meera Kulkarni']);
    expect(await searchNames('q=marathi director')).toEqual([]);
  });

  test('match by prefix, with typos and by sound in any script', async () => {
    for (const q of ['mee', 'meera kul', 'Meera Kulkarnee', 'MEERA', 'mira', 'मीरा', 'मीरा कुलकर्णी', 'kulkrani']) {
      expect((await searchNames(`q=${encodeURIComponent(q)}`))[0], q).toBe('Meera Kulkarni');
    }
    expect(await searchNames('q=kalaripayatu')).toEqual(['Arjun Nair']);
    expect(await searchNames('q=monsson ledgr')).toEqual(['Arjun Nair']);
    expect(await searchNames('q=mumbay')).toEqual(['The Casting Room']);
  });

  test('rank a match in the name before one in a credit', async () => {
    expect(await searchNames('q=meera')).toEqual(['Meera Kulkarni', 'The Casting Room']);
  });

  test.each(["'", '"', '\\', '!!!', '&|!()', ':*', '%', "n:meera' | 'x", '\u{1f3ad}', 'ا', 'x'.repeat(200)])(
    'with special characters like %s cause no error',
    async (q) => {
      expect((await search(`q=${encodeURIComponent(q)}`)).status).toBe(200);
    },
  );
});

describe('search filters', () => {
  const expectFound = async (query: string, ...names: string[]) =>
    expect((await searchNames(query)).sort(), query).toEqual([...names].sort());
  const [m, a, f] = ['Meera Kulkarni', 'Arjun Nair', 'The Casting Room'];

  test('match alone and combined', async () => {
    await expectFound('type=actor-performer', m, a);
    await expectFound('type=film-professional,voice-artist', f);
    await expectFound(`industry=${await getId('/filters/industry', 'Theatre')}`, a);
    await expectFound(`language=${await getId('/languages', 'Hindi')}`, m, a);
    await expectFound(`language=${await getId('/languages', 'Hindi')},${await getId('/languages', 'Marathi')}`, m);
    await expectFound('location=Pune', m);
    await expectFound('location=pune, kochi', m, a);
    await expectFound('location=Mumbay', f);
    await expectFound('skill=kathak', m, a);
    await expectFound('skill=kathak&level=2', m);
    await expectFound('skill=katak', m, a);
    await expectFound('skill=stage combat', m);
    await expectFound('skill=stage combat&level=3');
    await expectFound('skill=kathak,kalari', a);
    await expectFound('age=25', m);
    await expectFound('age=30', m, a);
    await expectFound('min_age=40&max_age=60', a);
    await expectFound('min_age=37', a);
    await expectFound('max_age=26', m);
    await expectFound('min_height=170', a);
    await expectFound('min_height=160&max_height=180', m);
    await expectFound('hair=brown', m);
    await expectFound('hair=black,red', a);
    await expectFound('eyes=hazel', m);
    await expectFound('reel=1');
    await expectFound('active=1', m, a, f);
    await expectFound(`q=actor&type=actor-performer&skill=kathak&level=1&age=30&location=india&min_height=150`, m, a);
    await expectFound(`q=actor&age=30&hair=black&eyes=hazel`);
  });

  test('match a place by its beginning, also one with which many places begin', async () => {
    await expectFound('location=pu, mum', m, f);
    await expectFound('location=i', m, a);
    const terms = Array.from({ length: 30 }, (_, n) => `('c', 'puri${String.fromCodePoint(97 + n)}')`);
    await testServer.database.pool.query(`insert into search_terms (kind, term) values ${terms.join(', ')}`);
    await expectFound('location=pu', m);
    await testServer.database.pool.query(`delete from search_terms where kind = 'c' and term like 'puri%'`);
  });

  test('return no results for unknown values', async () => {
    for (const query of [
      'type=clown',
      'industry=x',
      'language=999',
      'accent=999',
      'voice_language=0',
      'location=!',
      'skill=!',
    ])
      await expectFound(query);
  });

  test('match a reel and its accents unless it is hidden', async () => {
    const voice = await addPerformer({ stage_name: 'Voice of the Hills' });
    const add = (metadata: object, isHidden: boolean, type: string) =>
      testServer.database.pool.query(
        `insert into media (user_id, profile_id, media_type, name, metadata, is_hidden, created_at, updated_at)
         values ($1, $2, $3, 'Reel', $4, $5, now(), now())`,
        [voice.id, voice.profileId, type, JSON.stringify(metadata), isHidden],
      );
    await add([{ key: 'language_accent', value: 'Scottish' }], true, 'audio');
    await expectFound('reel=1');
    await add(
      [
        { key: 'language_accent', value: 'British, received' },
        { key: 'media_language', value: 'English' },
      ],
      false,
      'audio',
    );
    const accent = (name: string) => getId('/langugae_accents', name);
    await expectFound('reel=1', 'Voice of the Hills');
    await expectFound(`accent=${await accent('British, received')}`, 'Voice of the Hills');
    await expectFound(`accent=${await accent('Scottish')}`);
    await expectFound(`voice_language=${await getId('/media_languages', 'English')}`, 'Voice of the Hills');
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
  ])('reject %s with the field name', async (query, field) => {
    const { status, body } = await search(query);
    expect([status, Object.keys((body as unknown as { errors: object }).errors)]).toEqual([422, [field]]);
  });
});

test('returns the casting facts of a profile in each row', async () => {
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

describe('search index', () => {
  test('reflects a change as soon as the change is answered', async () => {
    const person = await addPerformer({ name: 'Ila Sen', stage_name: 'Quick Change' });
    const { token, profileId: profile_id } = person;
    expect(await searchNames('q=quick change')).toEqual(['Quick Change']);
    await write(person, 'PUT /profile/update', { profile_id, stage_name: 'Slow Burn', location: 'Shillong' });
    expect(await searchNames('q=quick change')).toEqual([]);
    expect(await searchNames('q=slow burn shillong')).toEqual(['Slow Burn']);
    const skill = await testServer.call<{ data: { id: string } }>('POST /skills', {
      token,
      body: { profile_id, name: 'Fire eating', level: 2 },
    });
    expect(await searchNames('q=fire eating')).toEqual(['Slow Burn']);
    await write(person, `PUT /skills/${skill.body.data.id}`, { name: 'Knife throwing', level: 2 });
    expect(await searchNames('q=fire eating')).toEqual([]);
    expect(await searchNames('skill=knife&level=2')).toEqual(['Slow Burn']);
    await write(person, `DELETE /skills/${skill.body.data.id}`, {});
    expect(await searchNames('skill=knife')).toEqual([]);
    await addPhoto(testServer, person, profile_id);
    expect(await searchNames('q=slow burn')).toEqual(['Slow Burn']);
    await write(person, 'PUT /profile/update', { profile_id, status: 'inactive' });
    expect(await searchNames('q=slow burn', person)).toEqual([]);
    await write(person, 'PUT /profile/update', { profile_id, status: 'active' });
    expect(await searchNames('q=slow burn')).toEqual(['Slow Burn']);
    const gone = await testServer.call('DELETE /account', { token, body: { password: person.password } });
    expect([gone.status, await searchNames('q=slow burn')]).toEqual([200, []]);
  });

  test('contains all of several concurrent changes', async () => {
    const person = await addPerformer({ stage_name: 'Busy Bee' });
    const names = Array.from({ length: 12 }, (_, at) => `Trick ${'abcdefghijkl'[at]}`);
    await Promise.all(
      names.flatMap((name) => [
        write(person, 'POST /skills', { profile_id: person.profileId, name, level: 1 }),
        search(`q=${name}`),
      ]),
    );
    for (const name of names) expect(await searchNames(`skill=${name}`), name).toEqual(['Busy Bee']);
  });

  test('deletes unused terms', async () => {
    const known = async (term: string) =>
      (await testServer.database.pool.query('select kind from search_terms where term = $1 order by kind', [term]))
        .rowCount;
    const person = await addPerformer({ stage_name: 'Zzyzx Road', location: 'Zzyzx', skills: [['Zzyzx', 1]] });
    expect(await searchNames('q=zzyzx')).toEqual(['Zzyzx Road']);
    expect(await known('zzyzx')).toBe(3);
    await deleteUnusedTerms(testServer.database.db);
    expect(await known('zzyzx')).toBe(3);
    await write(person, 'PUT /profile/update', { profile_id: person.profileId, status: 'inactive' });
    expect(await searchNames('q=zzyzx')).toEqual([]);
    await deleteUnusedTerms(testServer.database.db);
    expect([await known('zzyzx'), await known('kathak')]).toEqual([0, 2]);
  });
});

test('hides people who block each other', async () => {
  const [one, other] = [await addPerformer({ stage_name: 'Hide Me' }), await addPerformer({ stage_name: 'Seek You' })];
  expect(await searchNames('q=hide me', other)).toEqual(['Hide Me']);
  await block(testServer, one, other);
  expect(await searchNames('q=hide me', other)).toEqual([]);
  expect(await searchNames('q=seek you', one)).toEqual([]);
  expect(await searchNames('q=hide me', farah)).toEqual(['Hide Me']);
});

test('filters by recent activity', async () => {
  const person = await addPerformer({ stage_name: 'Long Gone' });
  expect(await searchNames('q=long gone&active=1')).toEqual(['Long Gone']);
  testServer.clock.advance(40 * 24 * 60 * 60 * 1000);
  expect(await searchNames('q=long gone&active=1')).toEqual([]);
  expect((await search('q=long gone')).body[0]?.facts?.is_active_lately).toBe(false);
  await testServer.call('GET /user', { token: person.token });
  expect(await searchNames('q=long gone&active=1')).toEqual(['Long Gone']);
});

test('returns everybody once and in a stable order across pages', async () => {
  const wanted: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    const stage_name = ['Paging Peter', 'Paginga Paul', 'Somebody'][n % 3]!;
    const { profileId } = await addPerformer({ stage_name, title: 'Paging', credit: n % 2 ? 'Paging' : undefined });
    wanted.push(profileId);
  }
  const whole = (await search('q=paging&limit=50')).body.map(({ id }) => id);
  expect([...whole].sort()).toEqual(wanted.sort());
  const paged: string[] = [];
  let cursor = '';
  do {
    const page = await search(`q=paging&limit=2${cursor && `&cursor=${cursor}`}`);
    paged.push(...page.body.map(({ id }) => id));
    cursor = page.headers['x-next-cursor'] ?? '';
  } while (cursor !== '');
  expect(paged).toEqual(whole);
  const everybody: string[] = [];
  do {
    const page = await search(`limit=3${cursor && `&cursor=${cursor}`}`);
    everybody.push(...page.body.map(({ id }) => id));
    cursor = page.headers['x-next-cursor'] ?? '';
  } while (cursor !== '');
  expect(new Set(everybody).size).toBe(everybody.length);
  expect(everybody.length).toBeGreaterThanOrEqual(10);
});

test('varies by request headers and has an ETag', async () => {
  const answer = await search('q=meera');
  expect(answer.headers['vary']).toContain('X-Requested-With');
  expect(answer.headers['etag']).toBeTruthy();
});
