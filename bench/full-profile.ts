import { LIMITS } from '#contract/limits.ts';
import type { AnyRow } from '#contract/section.ts';
import { SECTIONS, sectionOf } from '#contract/sections/index.ts';
import { makePerson, makeProfile, type Person } from '../tests/e2e/support/people.ts';
import { picture } from '../tests/e2e/support/pictures.ts';

/** Row counts per section, 200 in total. Only voice artists have job roles and voices. */
const ROWS: Readonly<Record<string, number>> = {
  about_me: 1,
  attribute: 6,
  experience: 42,
  skill: 24,
  voice_characteristic: 12,
  job_role: 12,
  language: 10,
  education: 20,
  award: 20,
  highlight: 20,
  document: 3,
  social_link: 1,
  feedback: 8,
  contact: 6,
  policy: 15,
};

export const ROW_COUNT = Object.values(ROWS).reduce((sum, rows) => sum + rows, 0);
export const SECTION_COUNT = SECTIONS.length;

/** Returns the nth row of a section: its example, made distinct where a text field allows. */
function toRow(key: string, n: number): AnyRow {
  const section = sectionOf(key);
  if (section === undefined) throw new Error(`There is no section ${key}`);
  const [first] = Object.entries(section.fields).filter(([, field]) => field.kind === 'text');
  const row = { ...section.example };
  if (first) row[first[0]] = `${String(row[first[0]])} ${n + 1}`;
  if ('year' in row) row.year = 1990 + (n % 30);
  if ('end_year' in row) Object.assign(row, { start_year: 1980 + n, end_year: 1980 + n });
  if ('level' in row) row.level = 1 + (n % 3);
  return row;
}

async function write(as: Person, method: string, path: string, body: AnyRow): Promise<void> {
  const answer = await as.call(method, path, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

async function addPortrait(url: string, person: Person, profileId: string): Promise<void> {
  const { name, mimeType, buffer } = await picture('portrait.jpg', 400, 500);
  const form = new FormData();
  form.set('profileId', profileId);
  form.set('image', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  const answer = await fetch(`${url}/profile/avatar`, {
    method: 'POST',
    headers: { Accept: 'application/json', Authorization: `Bearer ${person.token}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`The portrait was answered ${answer.status}`);
}

/** Adds a voice artist with a portrait, all facts and 200 rows in every section. */
export async function makeFullProfile(url: string): Promise<Person> {
  const person = await makePerson(url);
  const types = await person.call<{ id: string; slug: string }[]>('GET', '/profile_types');
  const { id } = await makeProfile(person, {
    profile_type_id: types.body.find(({ slug }) => slug === 'voice-artist')?.id,
    title: 'Voice artist',
    location: 'Nagpur',
  });
  const ofProfile = { profile_id: id };
  const facts = { per_day: 12000, dob: '1990-05-17', min_age_range: 20, max_age_range: 40 };
  await write(person, 'PUT', '/profile/update', { ...ofProfile, ...facts });
  await addPortrait(url, person, String(id));
  const languages = (await person.call<{ id: string }[]>('GET', '/languages')).body.slice(0, ROWS.language);
  for (const { key, endpoints } of SECTIONS) {
    const { method, path } = endpoints.create ?? endpoints.update ?? endpoints.list;
    const count = ROWS[key];
    if (count === undefined) throw new Error(`The number of rows of ${key} is not defined`);
    if (key === 'feedback') {
      let colleague = await makePerson(url);
      for (let n = 0; n < count; n += 1) {
        if (n > 0 && n % LIMITS.feedbackPerAuthor === 0) colleague = await makePerson(url);
        await write(colleague, method, path, { ...toRow(key, n), ...ofProfile });
      }
    } else if (endpoints.create === null) {
      const values = key === 'language' ? { languages: languages.map((language) => language.id) } : toRow(key, 0);
      await write(person, method, path, { ...values, ...ofProfile });
    } else {
      for (let n = 0; n < count; n += 1) await write(person, method, path, { ...toRow(key, n), ...ofProfile });
    }
  }
  return person;
}
