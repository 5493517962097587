import type { Page } from '@playwright/test';
import { pathOf } from '#contract/path.ts';
import { getFormTitles, type AnyRow, type Section } from '#contract/section.ts';
import { ON_THIS_DEVICE, expectAllSaved, card, chooseFromMenu, save, sheet } from './actions.ts';
import { expectAccessible } from './axe.ts';
import type { Device, DeviceOptions } from './device.ts';
import { getProfilePath, call, connect, makePerson, makeProfile, type Person } from './people.ts';
import { buildChangedRow, fillSection } from './section-form.ts';
import { expect } from './test.ts';

interface LifecycleOptions {
  section: Section;
  /** Origin of the server. */
  url: string;
  /** The author. */
  person: Person;
  phone: Device;
  newDevice: (options?: Partial<DeviceOptions>) => Promise<Device>;
}

/** A profile's rows as a signed-out visitor gets them. */
async function getPublicRows(url: string, section: Section, profileId: string): Promise<AnyRow[]> {
  const path = pathOf(section.endpoints.list, { profileId });
  const { status, body } = await call<AnyRow[]>(url, null, 'GET', path);
  expect(status).toBe(200);
  return body;
}

/** Opens the menu of a card's only row and chooses an entry. */
async function chooseFromOnlyRow(page: Page, title: string, entry: string): Promise<void> {
  await chooseFromMenu(page, card(page, title).getByRole('button', { name: /^More for/ }), entry);
}

/**
 * Takes feedback through its lifecycle: the author writes and edits it offline; the profile's owner hides it offline, shows
 * it again and deletes it. Each sees the other's changes, and visitors see whatever is not hidden.
 */
export async function runFeedbackLifecycle({
  section,
  url,
  person,
  phone,
  newDevice,
}: LifecycleOptions): Promise<void> {
  const owner = await makePerson(url);
  const profileId = String((await makeProfile(owner)).id);
  const address = await getProfilePath(owner, profileId);
  await makeProfile(person);
  // A connection's feedback is visible at once; a stranger's is hidden until the owner shows it.
  await connect(person, owner);
  const titles = getFormTitles(section);
  const first = { ...section.example };
  const second = { ...first, ...buildChangedRow(section) };
  const text = section.card(second).title;
  const onServer = async () => (await getPublicRows(url, section, profileId)).map((row) => section.card(row).title);

  phone.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await phone.signInForOffline(person);
  await phone.open(address);
  const { page } = phone;
  const mine = card(page, section.title);
  await expect(mine.getByRole('button', { name: `Write ${section.noun}` })).toBeVisible();

  await phone.context.setOffline(true);
  await mine.getByRole('button', { name: `Write ${section.noun}` }).click();
  await fillSection(sheet(page, titles.add), section, first);
  await save(page, titles.add);
  await expect(mine).toContainText(section.card(first).title);
  await phone.open(address);
  await expect(mine.getByText(ON_THIS_DEVICE)).toHaveCount(1);
  await chooseFromOnlyRow(page, section.title, 'Edit');
  await fillSection(sheet(page, titles.edit), section, second);
  await save(page, titles.edit);
  await expect(mine).toContainText(text);
  await expectAccessible(page);
  expect(await onServer()).toEqual([]);
  await phone.context.setOffline(false);
  await expectAllSaved(page);
  expect(await getPublicRows(url, section, profileId)).toEqual([
    expect.objectContaining({ ...second, user_id: String(person.id), is_hidden: false }),
  ]);
  await expect(mine.getByText(text, { exact: true })).toHaveCount(1);

  const laptop = await newDevice({ shape: 'desktop' });
  laptop.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await laptop.signInAs(owner);
  await laptop.open('/');
  const about = card(laptop.page, section.title);
  await expect(about).toContainText(person.name);
  await expect(about).toContainText(text);
  await expect(about.getByRole('button', { name: `Add to ${section.title}` })).toHaveCount(0);
  await expectAccessible(laptop.page);
  await laptop.readyForOffline();
  await laptop.context.setOffline(true);
  await chooseFromOnlyRow(laptop.page, section.title, 'Hide from others');
  await expect(about).toContainText('Hidden from others');
  await laptop.open('/');
  await expect(about).toContainText('Hidden from others');
  expect(await onServer()).toEqual([text]);
  await laptop.context.setOffline(false);
  await expectAllSaved(laptop.page);
  expect(await onServer()).toEqual([]);

  const visitor = await newDevice({ shape: 'desktop' });
  await visitor.open(address);
  const shown = visitor.page.getByText(text, { exact: true });
  await expect(visitor.page.getByRole('heading', { level: 1, name: owner.name })).toBeVisible();
  await expect(visitor.page.getByText('has just joined.')).toBeVisible();
  await expect(shown).toHaveCount(0);
  await phone.open(address);
  await expect(mine).toContainText('Hidden from others');

  // The owner opens the page again: the feedback is still hidden, until the owner shows it.
  await laptop.open('/');
  await expect(about).toContainText('Hidden from others');
  await chooseFromOnlyRow(laptop.page, section.title, 'Show to everyone');
  await expect(about).not.toContainText('Hidden from others');
  await expectAllSaved(laptop.page);
  expect(await onServer()).toEqual([text]);
  await visitor.open(address);
  await expect(shown).toBeVisible();

  // Deleted by the author, then undone.
  await phone.open(address);
  await chooseFromOnlyRow(page, section.title, 'Delete');
  await page.getByRole('complementary', { name: 'Message' }).getByRole('button', { name: 'Undo' }).click();
  await expect(mine).toContainText(text);
  await expectAllSaved(page);
  expect(await onServer()).toEqual([text]);

  // The owner sees the author's edit and may delete it.
  await chooseFromOnlyRow(page, section.title, 'Edit');
  await fillSection(sheet(page, titles.edit), section, first);
  await save(page, titles.edit);
  await expectAllSaved(page);
  await laptop.open('/');
  await expect(about).toContainText(section.card(first).title);
  await expect(about).not.toContainText(text);
  await chooseFromOnlyRow(laptop.page, section.title, 'Delete');
  await expect(about).toHaveCount(0);
  await expect.poll(onServer, { timeout: 30_000 }).toEqual([]);
  await laptop.open('/');
  await expect(laptop.page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await expect(about).toHaveCount(0);
  await phone.open(address);
  await expect(mine.getByRole('button', { name: `Write ${section.noun}` })).toBeVisible();
  await expect(mine.getByRole('button', { name: /^More for/ })).toHaveCount(0);
}
