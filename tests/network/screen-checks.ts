import { expect, type Page } from '@playwright/test';
import { card, row } from '../e2e/support/actions.ts';
import { getOutbox } from '../e2e/support/client-store.ts';
import { findPhoto, showAllRows } from './actions.ts';
import type { ServerState } from './ledger.ts';
import { openOwnProfile, openUntil, type Player } from './player.ts';
import { readConversation } from './server-state.ts';

/** Time for a device to send its outbox without faults. Its own back-off can be five minutes. */
const POLL_OPTIONS = { timeout: 120_000, intervals: [500] };

/** Clicks 'Try now' until the page shows that everything is saved. */
export async function expectAllSaved({ device, trace, name }: Player): Promise<void> {
  const { page } = device;
  await device.open('/waiting');
  const truth = page.locator('#waiting-truth');
  const again = page.getByRole('button', { name: 'Try now' });
  // A row that failed eight times in a row must be retried by the user.
  const poisoned = page.getByRole('button', { name: /^Try again: / });
  const press = async () => {
    for (const button of [poisoned.first(), again]) {
      if (!(await button.isVisible())) continue;
      // The button disappears with the last waiting change, also between two looks at it.
      const pressOne = async () => (await button.isEnabled({ timeout: 1_000 })) && button.click({ timeout: 1_000 });
      await pressOne().catch(() => trace.note(name, 'a button went away'));
    }
  };
  const state = async () => {
    await press();
    const needs = await page.locator('section[aria-labelledby=waiting-needs] li').allInnerTexts();
    return [await truth.textContent(), ...needs];
  };
  await expect.poll(state, POLL_OPTIONS).toEqual(['Everything is saved']);
  expect(await getOutbox(page)).toEqual([]);
}

/** Names on a card that the round created, sorted. */
const namesOn = async (page: Page, title: string, pattern: RegExp) => {
  await showAllRows(page, title);
  // textContent also works for a card far below the viewport, which is not laid out.
  const text = (await card(page, title).textContent({ timeout: 1_000 })) ?? '';
  return [...text.matchAll(pattern)].map(([name]) => name).sort();
};

const namesOf = ({ facts }: ServerState, kind: string) =>
  facts.flatMap((fact) => (fact.kind === kind ? [fact.name] : [])).sort();

/** Expects the browser to show the server's state, each record exactly once. */
export async function expectOnScreen(player: Player, found: ServerState): Promise<void> {
  const { device, person, conversation } = player;
  const { page } = device;
  await openOwnProfile(player);
  const cards = [
    ['Skills', 'skill', /Skill (phone|desktop) \d\d/g],
    ['Credits', 'role in', /Film (phone|desktop) \d\d|The Long Monsoon/g],
  ] as const;
  for (const [title, kind, pattern] of cards) {
    const names = namesOf(found, kind);
    if (names.length === 0) await expect(card(page, title).getByRole('button', { name: /^More for/ })).toHaveCount(0);
    else await expect.poll(() => namesOn(page, title, pattern)).toEqual(names);
  }
  const titles: Record<string, string> = { skill: 'Skills', 'role in': 'Credits', 'director of': 'Credits' };
  for (const { kind, name, value } of found.facts) {
    const title = titles[kind];
    if (title) await expect(row(card(page, title), name)).toContainText(value);
    if (kind === 'profile') await expect(page.getByRole('main')).toContainText(value);
    if (kind === 'photo') {
      await showAllRows(page, 'Photos');
      const photo = findPhoto(card(page, 'Photos'), name);
      await expect(photo).toHaveCount(1);
      await photo.scrollIntoViewIfNeeded();
      await expect(photo.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
    }
  }

  await device.open('/saved');
  const savedNames = namesOf(found, 'saved').map((name) => `Remove ${name} from Saved`);
  await expect(page.getByRole('button', { name: /^Remove .* from Saved$/ })).toHaveCount(savedNames.length);
  for (const name of savedNames) await expect(page.getByRole('button', { name })).toHaveCount(1);

  await device.open('/connections');
  for (const { kind, name, value } of found.facts) {
    if (kind !== 'connection') continue;
    const sign = {
      accepted: page.getByRole('link', { name: `Message ${name}` }),
      asked: page.getByRole('button', { name: `Accept ${name}` }),
      pending: page.getByRole('button', { name: new RegExp(`^Pending: ${name} `) }),
    }[value];
    if (sign) await expect(sign).toHaveCount(1);
  }

  await openUntil(player, `/messages/${conversation}`, () => page.getByRole('textbox', { name: /^Message / }));
  const texts = (await readConversation(person, conversation)).map(({ message }) => message);
  const bubbles = page.getByRole('log').locator('[data-key] [dir]');
  const shown = async () => (await bubbles.allTextContents()).map((text) => text.replace(/^.*?: /, ''));
  // Only the end of a long conversation is rendered.
  await expect
    .poll(async () => {
      const end = await shown();
      return end.length >= Math.min(5, texts.length) && end.join('|') === texts.slice(-end.length).join('|');
    })
    .toBe(true);
}
