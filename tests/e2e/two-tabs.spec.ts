import type { Page } from '@playwright/test';
import { addSkill, allSaved, card, enter, pill, row, skillsOf, writeAboutMe } from './support/actions.ts';
import { makeProfile } from './support/people.ts';
import { outboxOf } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

/** For what the browser will wake the worker once there is signal. */
const wakeUpsAskedFor = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (worker as unknown as { sync: { getTags(): Promise<string[]> } }).sync.getTags();
  });

test('two tabs write into one queue, show each other’s work and send it once', async ({ phone, person, server }) => {
  const profile = await makeProfile(person);
  const first = phone.page;
  await enter(first, person);
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
  // Both tabs learn of the signal at the same moment.
  await Promise.all([first, second].map((tab) => tab.evaluate(() => dispatchEvent(new Event('online')))));
  for (const tab of [first, second]) await allSaved(tab);
  expect(await outboxOf(first)).toEqual([]);
  expect(await skillsOf(person, profile.id)).toEqual(['Fencing', 'Kathak']);
  const about = await person.call('GET', `/profile/aboutme/${profile.id}`);
  expect(about.body).toMatchObject({ description: 'Words from the second tab' });
});

test(
  'a tab closed before it heard the answer leaves the rest to the other',
  { tag: '@full' },
  async ({ person, wire, newDevice }) => {
    const profile = await makeProfile(person);
    const phone = await newDevice({ url: wire.url });
    const first = phone.page;
    await enter(first, person);
    const second = await phone.newTab();
    await second.goto('/');
    await expect(card(second, 'Skills')).toBeVisible();

    const answer = wire.holdAnswerTo('POST /skills');
    await addSkill(first, 'Kathak', 'Expert');
    await expect.poll(() => answer.isHeld()).toBe(true);
    await addSkill(second, 'Fencing', 'Beginner');
    await first.close();

    // By itself, and soon: whoever taps Try now may come too late.
    await allSaved(second);
    expect(await skillsOf(person, profile.id)).toEqual(['Fencing', 'Kathak']);
  },
);

test('the worker sends what waits after the last tab was closed', async ({ ownPhone: phone, person, server }) => {
  const profile = await makeProfile(person);
  await enter(phone.page, person);
  await phone.readyForOffline();
  const elsewhere = await phone.newTab();
  await phone.page.bringToFront();

  await server.stop();
  await addSkill(phone.page, 'Kathak', 'Expert');
  await expect(pill(phone.page)).toHaveText('1 waiting');
  await expect.poll(() => wakeUpsAskedFor(phone.page)).toEqual(['outbox']);
  await phone.page.close();

  await server.start();
  expect(await skillsOf(person, profile.id)).toEqual([]);
  await phone.wakeWorker('outbox');
  await expect.poll(() => skillsOf(person, profile.id), { timeout: 20_000 }).toEqual(['Kathak']);

  phone.page = elsewhere;
  await phone.open('/');
  await expect(row(card(elsewhere, 'Skills'), 'Kathak')).toHaveCount(1);
  await expect(pill(elsewhere)).toHaveCount(0);
  expect(await outboxOf(elsewhere)).toEqual([]);
});
