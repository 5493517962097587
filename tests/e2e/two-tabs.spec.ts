import type { Page } from '@playwright/test';
import { addSkill, expectAllSaved, card, openSignedIn, pill, row, getSkills, writeAboutMe } from './support/actions.ts';
import { makeProfile } from './support/people.ts';
import { getOutbox } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

/** Tags of the background syncs that the browser will fire once it is online. */
const getSyncTags = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (worker as unknown as { sync: { getTags(): Promise<string[]> } }).sync.getTags();
  });

test(
  'shares one queue between two tabs, shows each other’s work and sends it once',
  { tag: '@full' },
  async ({ phone, person, server }) => {
    const profile = await makeProfile(person);
    const first = phone.page;
    await openSignedIn(first, person);
    const second = await phone.newTab();
    await second.goto('/');
    await expect(card(second, 'Skills')).toBeVisible();
    await phone.readyForOffline();

    await server.stop();
    await addSkill(first, 'Kathak', 'Expert');
    await addSkill(second, 'Fencing', 'Beginner');
    await writeAboutMe(first, 'Words from the first tab');
    await expect(card(second, 'About me')).toContainText('Words from the first tab');
    await writeAboutMe(second, 'Words from the second tab');
    for (const tab of [first, second]) {
      await expect(row(card(tab, 'Skills'), 'Kathak')).toHaveCount(1);
      await expect(row(card(tab, 'Skills'), 'Fencing')).toHaveCount(1);
      await expect(card(tab, 'About me')).toContainText('Words from the second tab');
    }
    await expect(pill(first)).toHaveText(/waiting$/);
    await expect(pill(second)).toHaveText((await pill(first).textContent()) ?? '');

    await server.start();
    // Both tabs come online at the same moment.
    await Promise.all([first, second].map((tab) => tab.evaluate(() => dispatchEvent(new Event('online')))));
    for (const tab of [first, second]) await expectAllSaved(tab);
    expect(await getOutbox(first)).toEqual([]);
    expect(await getSkills(person, profile.id)).toEqual(['Fencing', 'Kathak']);
    const about = await person.call('GET', `/profile/aboutme/${profile.id}`);
    expect(about.body).toMatchObject({ description: 'Words from the second tab' });
  },
);

test(
  'finishes the work of a tab that was closed before the response arrived',
  { tag: '@full' },
  async ({ person, tcpProxy, newDevice }) => {
    const profile = await makeProfile(person);
    const phone = await newDevice({ url: tcpProxy.url });
    const first = phone.page;
    await openSignedIn(first, person);
    const second = await phone.newTab();
    await second.goto('/');
    await expect(card(second, 'Skills')).toBeVisible();

    const answer = tcpProxy.holdResponseTo('POST /skills');
    await addSkill(first, 'Kathak', 'Expert');
    await expect.poll(() => answer.isHeld()).toBe(true);
    await addSkill(second, 'Fencing', 'Beginner');
    await first.close();

    // It retries soon on its own, so 'Try now' may already be gone.
    await expectAllSaved(second);
    expect(await getSkills(person, profile.id)).toEqual(['Fencing', 'Kathak']);
  },
);

test('sends queued work from the worker after the last tab was closed', async ({ ownPhone: phone, person, server }) => {
  const profile = await makeProfile(person);
  await openSignedIn(phone.page, person);
  await phone.readyForOffline();
  const elsewhere = await phone.newTab();
  await phone.page.bringToFront();

  await server.stop();
  await addSkill(phone.page, 'Kathak', 'Expert');
  await expect(pill(phone.page)).toHaveText('1 waiting');
  await expect.poll(() => getSyncTags(phone.page)).toEqual(['outbox']);
  await phone.page.close();

  await server.start();
  expect(await getSkills(person, profile.id)).toEqual([]);
  await phone.wakeWorker('outbox');
  await expect.poll(() => getSkills(person, profile.id), { timeout: 20_000 }).toEqual(['Kathak']);

  phone.page = elsewhere;
  await phone.open('/');
  await expect(row(card(elsewhere, 'Skills'), 'Kathak')).toHaveCount(1);
  await expect(pill(elsewhere)).toHaveCount(0);
  expect(await getOutbox(elsewhere)).toEqual([]);
});
