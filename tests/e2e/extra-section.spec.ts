import { pathOf } from '#contract/path.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import { card } from './support/actions.ts';
import { recommendation } from './support/extra/recommendation.ts';
import { wardrobe } from './support/extra/wardrobe.ts';
import { workshop } from './support/extra/workshop.ts';
import { buildProjectWith } from './support/extra-project.ts';
import { getProfilePath, call, connect, makePerson, makeProfile, type Person } from './support/people.ts';
import {
  expectOnCard,
  runSectionLifecycle,
  makeProfileWith,
  getStoredRows,
  getCardText,
} from './support/section-lifecycle.ts';
import { appServer, type AppServer } from './support/server.ts';
import { expect, test as base } from './support/test.ts';
import { runFeedbackLifecycle } from './support/feedback-lifecycle.ts';

/**
 * A section needs nothing but its definition: each of these is one file and one line of the registry, added to a copy of the
 * sources that is built and served like the product itself.
 */
const EXTRAS = [
  { section: workshop, name: 'workshop' },
  { section: wardrobe, name: 'wardrobe' },
  { section: recommendation, name: 'recommendation' },
];
const BUILD_MS = 240_000;

const test = base.extend<object, { workerServer: AppServer }>({
  workerServer: [
    async ({}, use) => {
      const project = await buildProjectWith(EXTRAS);
      const server = await appServer({}, project.folder);
      await use(server);
      await server.dispose();
      await project.remove();
    },
    { scope: 'worker', timeout: BUILD_MS },
  ],
});
// All tests share one build.
test.describe.configure({ mode: 'default' });

interface Answer {
  errors?: Record<string, string[]>;
  data?: AnyRow | AnyRow[];
}

/** Calls the API as a person, or without a session if null. */
const asking = (url: string, person: Person | null) => (method: string, path: string, body?: AnyRow) =>
  call<Answer>(url, person?.token ?? null, method, path, body);

for (const section of [workshop, wardrobe]) {
  test(
    `${section.key}: gets its form, card, routes and offline sync from its definition alone`,
    { tag: '@full' },
    async ({ person, phone, newDevice }) => {
      const checkPublicly = async (_: Section, row: AnyRow, profileId: string | number) => {
        const visitor = await newDevice();
        await visitor.open(await getProfilePath(person, profileId));
        await expectOnCard(visitor.page, section.title, await getCardText(person, section, row));
      };
      await runSectionLifecycle({ sections: [section], person, phone, newDevice, checkElsewhere: checkPublicly });
    },
  );
}

test(
  'recommendation: gets the feedback flow from its definition alone',
  { tag: '@full' },
  async ({ server, person, phone, newDevice }) => {
    await runFeedbackLifecycle({ section: recommendation, url: server.url, person, phone, newDevice });
  },
);

/** Invalid requests, and the fields that the errors name. */
const WRONG: [Section, AnyRow, string[]][] = [
  [workshop, { name: ' ' }, ['name']],
  [workshop, { name: '👩\u200d🎤'.repeat(14) }, ['name']],
  [workshop, { kind: 'Closed', month: 13, year: 1800 }, ['kind', 'month', 'year']],
  [workshop, { days: '2.55', performed: 'yes', link: 'javascript:1' }, ['days', 'link', 'performed']],
  [workshop, { mail: 'nowhere', mobile: 'call me', languages: ['1', '1'] }, ['languages', 'mail', 'mobile']],
  [workshop, { languages: ['1', '999999'] }, ['languages']],
  // A rule that spans two fields.
  [workshop, { days: '1', performed: true }, ['days']],
  [wardrobe, { suit: 'yes', shoe: 'large' }, ['shoe', 'suit']],
  [wardrobe, { shoe: null, uniform: true }, ['shoe']],
];

test('answers 401, 403, 404 and 422 from the definition alone', { tag: '@full' }, async ({ server, person }) => {
  const stranger = await makePerson(server.url);
  const nobody = asking(server.url, null);
  const other = asking(server.url, stranger);
  const owner = asking(server.url, person);
  const { id } = await makeProfileWith(person, workshop);
  const profile_id = String(id);

  for (const section of [workshop, wardrobe]) {
    const { list, create, update } = section.endpoints;
    const write = create ?? update!;
    const body = { profile_id, ...section.example };
    expect((await nobody(write.method, write.path, body)).status).toBe(401);
    expect((await other(write.method, write.path, body)).status).toBe(403);
    expect(await getStoredRows(person, section, id)).toEqual([]);
    const made = await owner(write.method, write.path, body);
    expect(made.status).toBe(create ? 201 : 200);
    const path = pathOf(list, { profileId: profile_id });
    for (const asked of [nobody, other, owner]) expect((await asked('GET', path)).body).toHaveLength(create ? 1 : 3);

    const [row] = [made.body.data].flat();
    const change = create ? pathOf(update!, { id: String(row?.id) }) : write.path;
    const remove = pathOf(section.endpoints.remove!, { id: String(row?.id) });
    for (const [asked, status] of [
      [nobody, 401],
      [other, 403],
    ] as const) {
      expect((await asked(update!.method, change, body)).status).toBe(status);
      expect((await asked('DELETE', remove)).status).toBe(status);
    }
    expect(await getStoredRows(person, section, id)).toEqual([expect.objectContaining(section.example)]);
  }

  for (const [section, wrong, fields] of WRONG) {
    const write = section.endpoints.create ?? section.endpoints.update!;
    const answer = await owner(write.method, write.path, { profile_id, ...section.example, ...wrong });
    expect([answer.status, Object.keys(answer.body.errors ?? {}).sort()]).toEqual([422, fields]);
  }

  await owner('PUT', '/profile/update', { profile_id, status: 'inactive' });
  for (const section of [workshop, wardrobe, recommendation]) {
    const path = pathOf(section.endpoints.list, { profileId: profile_id });
    expect([(await nobody('GET', path)).status, (await other('GET', path)).status]).toEqual([404, 404]);
    expect((await owner('GET', path)).status).toBe(200);
  }
});

test(
  'shows each row to the audience that the definition names',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const [stranger, friend, blocked] = await Promise.all([1, 2, 3].map(() => makePerson(server.url)));
    const { id } = await makeProfile(person);
    await makeProfile(friend!);
    const add = (row: AnyRow) =>
      person.call<{ data: { id: string } }>('POST', '/workshops', { profile_id: id, ...workshop.example, ...row });
    await add({ name: 'Open to all' });
    const closed = (await add({ name: 'Behind closed doors', kind: 'Private' })).body.data.id;
    await connect(friend!, person);
    await person.call('POST', `/blocks/${blocked!.id}`);

    const path = `/workshops/${id}`;
    const namesFor = async (who: Person | null) => {
      const { status, body } = await call<AnyRow[]>(server.url, who?.token ?? null, 'GET', path);
      return status === 200 ? body.map((row) => row.name).sort() : status;
    };
    const all = ['Behind closed doors', 'Open to all'];
    expect(await namesFor(null)).toEqual(['Open to all']);
    expect(await namesFor(stranger!)).toEqual(['Open to all']);
    expect(await namesFor(friend!)).toEqual(all);
    expect(await namesFor(person)).toEqual(all);
    expect(await namesFor(blocked!)).toBe(404);
    // A refusal must not reveal that a hidden row exists.
    const taking = async (who: Person) => (await asking(server.url, who)('DELETE', `/workshops/${closed}`)).status;
    expect([await taking(stranger!), await taking(friend!), await taking(blocked!)]).toEqual([404, 403, 404]);

    const address = await getProfilePath(person, id);
    const device = await newDevice();
    await device.signInAs(friend!);
    await device.open(address);
    await expect(card(device.page, 'Workshops')).toContainText('Behind closed doors');
    await device.readyForOffline();
    await server.stop();
    await device.open(address);
    // Rows for connections only are not stored on the connections' phones.
    await expect(card(device.page, 'Workshops')).toContainText('Open to all');
    await expect(device.page.getByText('Behind closed doors')).toHaveCount(0);
  },
);
