import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ZodMiniType } from 'zod/mini';
import { toErrorMap, patchSchema, rowSchema } from '#contract/schema.ts';
import type { AnyRow, Field, Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { addProfile, block, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { quantity } from '../support/quantity.ts';

const testServer = useTestServer();

type Row = AnyRow & { id: string; version: number };
type Answer<T> = { message: string; data: T };

async function addPerformer(name?: string): Promise<Person & { profileId: string }> {
  const person = await testServer.join(name);
  return { ...person, profileId: (await addProfile(testServer, person)).id };
}

// --- The form and the server agree ---

const ROWS = quantity(300, 10_000);

/** Generates any value that a form, an older app or an attacker might send for a field. */
function anyValue(field: Field): fc.Arbitrary<unknown> {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      '',
      ' ',
      'x'.repeat(301),
      '\0',
      '👩‍🎤 é',
      'nobody@example.org',
      '+91 20 5550',
      'https://example.org/a',
    ),
  );
  const numbers = fc.oneof(
    fc.integer({ min: -5, max: 2030 }),
    fc.constantFrom(0.5, 12, 1900, 2028, 2029, NaN, '172.5', '12,5'),
  );
  const odd = fc.constantFrom(null, undefined, true, [], {}, ['1'], ['1', '1']);
  const fitting: fc.Arbitrary<unknown> =
    field.kind === 'choice'
      ? fc.constantFrom(...field.options.map((option) => option.value))
      : field.kind === 'flag'
        ? fc.boolean()
        : field.kind === 'ids'
          ? fc.uniqueArray(fc.integer({ min: 1, max: 9 }).map(String), { maxLength: 5 })
          : field.kind === 'month' || field.kind === 'year' || field.kind === 'number'
            ? numbers
            : texts;
  return fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: odd }, { weight: 1, arbitrary: texts });
}

const anyRow = (section: Section) =>
  fc.record(Object.fromEntries(Object.entries(section.fields).map(([key, field]) => [key, anyValue(field)])), {
    requiredKeys: [],
  });

/** Returns the errors of the schema that the server uses for this call, before any other check. */
function serverErrors(section: Section, row: AnyRow): Record<string, string[]> {
  const { create, update } = section.endpoints;
  const { method, path } = create ?? update!;
  const served = testServer.app.describedRoutes.find((route) => route.method === method && route.path === path);
  const read = (served!.body as ZodMiniType<AnyRow>).safeParse({ profile_id: '1', ...row });
  return read.success ? {} : toErrorMap(read.error.issues);
}

function formErrors(section: Section, row: AnyRow): Record<string, string[]> {
  const year = () => new Date().getFullYear();
  const read = (section.set ? patchSchema(section, year) : rowSchema(section, year)).safeParse(row);
  return read.success ? {} : toErrorMap(read.error.issues);
}

describe.each(SECTIONS.map((section) => [section.key, section] as const))('%s', (_, section) => {
  test(`has the same errors in form and server for ${ROWS} rows`, () => {
    fc.assert(
      fc.property(anyRow(section), (row) => {
        expect(serverErrors(section, row)).toEqual(formErrors(section, row));
      }),
      { numRuns: ROWS },
    );
  });

  test('stores what the form accepts and rejects the rest with the same errors', async () => {
    const owner = await addPerformer();
    const { method, path } = section.endpoints.create ?? section.endpoints.update!;
    for (const row of fc.sample(anyRow(section), quantity(6, 15))) {
      // JSON drops undefined and turns NaN into null, so the form validates what is sent.
      const sent = JSON.parse(JSON.stringify(row)) as AnyRow;
      // The server rejects a NUL before it validates fields.
      if (JSON.stringify(sent).includes('\\u0000')) continue;
      const errors = formErrors(section, sent);
      // A profile accepts only a few feedback entries per author.
      const writer = section.writtenBy ? await addPerformer() : owner;
      const body = { profile_id: owner.profileId, ...sent };
      const answer = await testServer.call<{ errors?: object }>(`${method} ${path}`, { token: writer.token, body });
      if (Object.keys(errors).length === 0) expect(answer.status).toBeLessThan(300);
      else expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    }
  });
});

// --- Sets ---

describe('set section', () => {
  const write = (token: string, body: AnyRow, version?: number) =>
    testServer.call<Answer<Row[]> & { data: { rows: Row[]; version: number } }>('POST /attributes', {
      token,
      body,
      headers: version === undefined ? {} : { 'if-match': `"${version}"` },
    });

  test('keeps omitted rows and the ids of remaining rows', async () => {
    const { token, profileId } = await addPerformer();
    const first = await write(token, { profile_id: profileId, Height: '170', Hair: 'Black' });
    const second = await write(token, { profile_id: profileId, Height: '171' });
    const plain = (rows: Row[]) => rows.map((row) => [row.id, row.attribute_key, row.attribute_value, row.version]);
    const [height, hair] = first.body.data;
    expect(plain(second.body.data)).toEqual([
      [height?.id, 'Height', '171', 2],
      [hair?.id, 'Hair', 'Black', 2],
    ]);
  });

  test('rejects a write for an older version as a whole and returns the current rows', async () => {
    const { token, profileId } = await addPerformer();
    await write(token, { profile_id: profileId, Hair: 'Black' }, 0);
    const late = await write(token, { profile_id: profileId, Hair: 'Grey', Eyes: 'Green' }, 0);
    expect(late.status).toBe(412);
    expect(late.body.data.version).toBe(1);
    expect(late.body.data.rows).toMatchObject([{ attribute_key: 'Hair', attribute_value: 'Black' }]);
    const { body } = await testServer.call<Row[]>(`GET /profiles/${profileId}/attributes`);
    expect(body).toHaveLength(1);
  });

  test('keeps counting versions after it was emptied', async () => {
    const { token, profileId } = await addPerformer();
    await write(token, { profile_id: profileId, Hair: 'Black' });
    await write(token, { profile_id: profileId, Hair: null });
    expect((await write(token, { profile_id: profileId, Hair: 'Grey' }, 0)).status).toBe(412);
    expect((await write(token, { profile_id: profileId, Hair: 'Grey' }, 2)).body.data).toMatchObject([{ version: 3 }]);
  });

  test('serializes concurrent writes', async () => {
    const { token, profileId } = await addPerformer();
    const keys = ['Hair', 'Eyes', 'Skin', 'Build'];
    const answers = await Promise.all(keys.map((key) => write(token, { profile_id: profileId, [key]: 'Brown' })));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    const { body } = await testServer.call<Row[]>(`GET /profiles/${profileId}/attributes`);
    expect(body.map((row) => row.attribute_key).sort()).toEqual([...keys].sort());
    expect(new Set(body.map((row) => row.version))).toEqual(new Set([4]));
  });

  test('rejects ids that are not in the list', async () => {
    const { token, profileId } = await addPerformer();
    const body = { profile_id: profileId, languages: ['1', '999999'] };
    const answer = await testServer.call<{ errors: object }>('POST /languages', { token, body });
    expect([answer.status, answer.body.errors]).toEqual([422, { languages: ['Choose from the list'] }]);
  });
});

// --- Rules across fields ---

test('reports an end before the start beside other errors, on create and edit', async () => {
  const { token, profileId } = await addPerformer();
  const { example } = SECTIONS.find(({ key }) => key === 'experience')!;
  const invalid = { ...example, details: '', end_year: 2020 };
  const errors = { details: ['Add the role you played'], end_year: ['The end comes before the start'] };
  const made = await testServer.call<Answer<Row>>('POST /profile/experience', {
    token,
    body: { profile_id: profileId, ...example },
  });
  for (const call of ['POST /profile/experience', `PUT /profile/experience/${made.body.data.id}`]) {
    const refused = await testServer.call<object>(call, { token, body: { profile_id: profileId, ...invalid } });
    expect([refused.status, refused.body]).toMatchObject([422, { errors }]);
  }
});

// --- Links: a list of at most one record ---

test('rejects links without a URL on create and edit', async () => {
  const { token, profileId } = await addPerformer();
  const send = (call: string, body: AnyRow) =>
    testServer.call<Answer<Row>>(call, { token, body: { profile_id: profileId, ...body } });
  const errors = { facebook_url: ['Add at least one link'] };
  const empty = await send('POST /social-links', {});
  expect([empty.status, empty.body]).toMatchObject([422, { errors }]);
  const { body } = await send('POST /social-links', { website_url: 'https://example.org' });
  const cleared = await send(`PATCH /social-links/${body.data.id}`, { website_url: null });
  expect([cleared.status, cleared.body]).toMatchObject([422, { errors }]);
});

test('merges a second create of links into the existing record', async () => {
  const { token, profileId } = await addPerformer();
  const send = (body: AnyRow) =>
    testServer.call<Answer<Row>>('POST /social-links', { token, body: { profile_id: profileId, ...body } });
  const first = await send({ website_url: 'https://example.org' });
  const second = await send({ youtube_url: 'https://youtube.com/@example' });
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body.data).toMatchObject({
    id: first.body.data.id,
    website_url: 'https://example.org',
    youtube_url: 'https://youtube.com/@example',
    version: 2,
  });
});

test('answers 412 with the existing links to a conditional create that would replace them', async () => {
  const { token, profileId } = await addPerformer();
  const send = (body: AnyRow) =>
    testServer.call<Answer<Row>>('POST /social-links', {
      token,
      body: { profile_id: profileId, ...body },
      headers: { 'if-none-match': '*' },
    });
  const first = await send({ website_url: 'https://example.org' });
  expect(first.status).toBe(201);
  const other = await send({ website_url: 'https://example.com', youtube_url: 'https://youtube.com/@example' });
  expect([other.status, other.body.data]).toEqual([412, first.body.data]);
  const merged = await send({ website_url: 'https://example.org', youtube_url: 'https://youtube.com/@example' });
  expect([merged.status, merged.body.data]).toMatchObject([
    200,
    { website_url: 'https://example.org', youtube_url: 'https://youtube.com/@example', version: 2 },
  ]);
});

// --- Feedback ---

describe('feedback', () => {
  async function addFeedback() {
    const [owner, author, other] = await Promise.all([addPerformer('Nell'), addPerformer('Ira'), addPerformer('Asha')]);
    await connect(testServer, author, owner);
    const body = { profile_id: owner.profileId, feedback: 'Prepared and punctual' };
    const { id } = (await testServer.call<Answer<Row>>('POST /feedback', { token: author.token, body })).body.data;
    const list = async (token: string | null) =>
      (await testServer.call<Row[]>(`GET /feedback/${owner.profileId}`, { token })).body.map((row) => row.id);
    return { owner, author, other, id, list };
  }
  const change = (token: string, id: string, body: AnyRow) =>
    testServer.call<Answer<Row>>(`PUT /feedback/${id}`, { token, body });

  test('shows its author', async () => {
    const { owner } = await addFeedback();
    const { body } = await testServer.call<Row[]>(`GET /feedback/${owner.profileId}`);
    expect(body).toMatchObject([
      { feedback: 'Prepared and punctual', is_hidden: false, profile: { user: { name: 'Ira' } } },
    ]);
  });

  test('is visible only to owner and author when the owner hides it', async () => {
    const { owner, author, other, id, list } = await addFeedback();
    expect((await change(owner.token, id, { is_hidden: true })).status).toBe(200);
    expect(await list(owner.token)).toEqual([id]);
    expect(await list(author.token)).toEqual([id]);
    expect(await list(other.token)).toEqual([]);
    expect(await list(null)).toEqual([]);
  });

  test('can be edited only by its author', async () => {
    const { owner, author, other, id } = await addFeedback();
    expect((await change(author.token, id, { feedback: 'A joy' })).body.data).toMatchObject({
      feedback: 'A joy',
      version: 2,
    });
    expect((await change(owner.token, id, { feedback: 'The best' })).status).toBe(403);
    expect((await change(author.token, id, { is_hidden: false })).status).toBe(403);
    expect((await change(other.token, id, { feedback: 'Late' })).status).toBe(403);
  });

  test('is hidden until the owner approves it when the author is not a connection, and again after an edit', async () => {
    const { owner, other, list } = await addFeedback();
    const body = { profile_id: owner.profileId, feedback: 'Saw her twice' };
    const written = await testServer.call<Answer<Row>>('POST /feedback', { token: other.token, body });
    const { id } = written.body.data;
    expect(written.body.data).toMatchObject({ is_hidden: true });
    expect(await list(null)).not.toContain(id);
    expect(await list(other.token)).toContain(id);
    expect(await list(owner.token)).toContain(id);
    expect((await change(other.token, id, { is_hidden: false })).status).toBe(403);
    expect((await change(owner.token, id, { is_hidden: false })).status).toBe(200);
    expect(await list(null)).toContain(id);
    expect((await change(other.token, id, { feedback: 'Saw her twice' })).body.data).toMatchObject({
      is_hidden: false,
    });
    expect((await change(other.token, id, { feedback: 'Call me' })).body.data).toMatchObject({ is_hidden: true });
    expect(await list(null)).not.toContain(id);
  });

  test('is limited to three entries per author and profile, even under concurrent requests', async () => {
    const [owner, author] = [await addPerformer('Nell'), await addPerformer('Ira')];
    const write = (feedback: string, client_id: string = randomUUID()) =>
      testServer.call<Answer<Row>>('POST /feedback', {
        token: author.token,
        body: { profile_id: owner.profileId, feedback, client_id },
      });
    const again = randomUUID();
    const first = await write('First', again);
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => write(text)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
    expect((await write('First', again)).status).toBe(200);
    const refused = await write('One more');
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { feedback: [expect.any(String)] } }]);
    await testServer.call(`DELETE /feedback/${first.body.data.id}`, { token: author.token });
    expect((await write('One more')).status).toBe(201);
  });

  test('cannot be rewritten by an author whom the owner has blocked, or who cannot see the page any more', async () => {
    const { owner, author, other, id } = await addFeedback();
    const written = await testServer.call<Answer<Row>>('POST /feedback', {
      token: other.token,
      body: { profile_id: owner.profileId, feedback: 'Saw her twice' },
    });
    await block(testServer, owner, author);
    expect((await change(author.token, id, { feedback: 'You will hear from me' })).status).toBe(403);
    await testServer.call('PUT /profile/update', {
      token: owner.token,
      body: { profile_id: owner.profileId, status: 'inactive' },
    });
    expect((await change(other.token, written.body.data.id, { feedback: 'Where are you?' })).status).toBe(403);
    const { body } = await testServer.call<AnyRow[]>(`GET /feedback/${owner.profileId}`, { token: owner.token });
    expect(body.map((row) => row.feedback).sort()).toEqual(['Prepared and punctual', 'Saw her twice']);
    // Taking one's words back stays possible.
    expect((await testServer.call(`DELETE /feedback/${id}`, { token: author.token })).status).toBe(200);
  });

  test('is synced to owner and author and deleted for both', async () => {
    const { owner, author, id } = await addFeedback();
    const pullFeedback = async (token: string) => {
      const { body } = await testServer.call<{ records: { type: string; id: string; body: unknown }[] }>('GET /sync', {
        token,
      });
      return body.records.filter((record) => record.type === 'feedback').map((record) => record.id);
    };
    expect([await pullFeedback(owner.token), await pullFeedback(author.token)]).toEqual([[id], [id]]);
    expect((await testServer.call(`DELETE /feedback/${id}`, { token: owner.token })).status).toBe(200);
    expect([await pullFeedback(owner.token), await pullFeedback(author.token)]).toEqual([[], []]);
  });
});
