import { addSkill, allSaved, card, enter, openWaiting, pill, row, skillsOf } from './support/actions.ts';
import { type CuttingProxy, cuttingProxy } from './support/tcp-proxy.ts';
import { expectAllSent, expectOnServer, workThroughAKill } from './support/offline-work.ts';
import { makeProfile } from './support/people.ts';
import { outboxOf } from './support/client-store.ts';
import { expect, test as base } from './support/test.ts';

/** The wire in front of the plain server: its answers can be lost. */
const test = base.extend<{ plainWire: CuttingProxy }>({
  plainWire: async ({ plain }, use) => {
    const wire = await cuttingProxy(Number(new URL(plain.url).port));
    await use(wire);
    await wire.close();
  },
});

test('the same day against a server that knows none of the extras', async ({ person, plain, server, newDevice }) => {
  await makeProfile(person);
  const phone = await newDevice({ url: plain.url, ownBrowser: true });
  phone.expectTrouble(/status of 404/);
  await enter(phone.page, person);
  await phone.readyForOffline();

  await workThroughAKill(phone, server);
  await server.start();
  await expectAllSent(phone);
  await expectOnServer(person, phone.page);
  expect(plain.refused()).toContain('GET /config');
});

test(
  'a lost answer whose record can be recognised is not sent again',
  { tag: '@full' },
  async ({ person, plainWire, newDevice }) => {
    const profile = await makeProfile(person);
    const phone = await newDevice({ url: plainWire.url });
    phone.expectTrouble(/status of 404/);
    await enter(phone.page, person);
    plainWire.loseAnswerTo('POST /skills');
    await addSkill(phone.page, 'Kathak', 'Expert');
    await expect.poll(() => plainWire.lost()).toBe(1);
    await allSaved(phone.page);
    expect(await skillsOf(person, profile.id)).toEqual(['Kathak']);
    expect(await outboxOf(phone.page)).toEqual([]);
    await expect(row(card(phone.page, 'Skills'), 'Kathak')).toHaveCount(1);
  },
);

test(
  'a lost answer with a twin on the server is the person’s to judge',
  { tag: '@full' },
  async ({ person, plainWire, newDevice }) => {
    const profile = await makeProfile(person);
    const phone = await newDevice({ url: plainWire.url });
    const { page } = phone;
    phone.expectTrouble(/status of 404/);
    await enter(page, person);
    await expect(card(page, 'Skills')).toBeVisible();

    // Another device adds the very same words, unseen by this one.
    await person.call('POST', '/skills', { profile_id: profile.id, name: 'Kathak', level: 3 });
    plainWire.loseAnswerTo('POST /skills');
    await addSkill(page, 'Kathak', 'Expert');
    await expect.poll(() => plainWire.lost()).toBe(1);

    await expect(pill(page)).toHaveText('1 needs you', { timeout: 20_000 });
    await openWaiting(page);
    await expect(row(page, 'Kathak')).toContainText('This may already have been sent');
    expect(await skillsOf(person, profile.id)).toEqual(['Kathak', 'Kathak']);
    await row(page, 'Kathak').getByRole('button', { name: 'Check' }).click();
    await expect(row(page, 'Kathak')).toContainText('This may already have been sent');
    expect(await skillsOf(person, profile.id)).toEqual(['Kathak', 'Kathak']);
  },
);
