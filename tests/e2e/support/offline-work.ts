import { type Page, expect } from '@playwright/test';
import {
  ON_THIS_DEVICE,
  addCredit,
  addPhotos,
  addSkill,
  expectAllSaved,
  card,
  pickPortrait,
  pill,
  row,
  save,
  sheet,
  writeAboutMe,
} from './actions.ts';
import type { Device } from './device.ts';
import type { Person } from './people.ts';
import { picture } from './pictures.ts';
import type { AppServer } from './server.ts';
import { getMirror, countChunks } from './client-store.ts';

const ABOUT = 'I came up through street theatre and learned camera on short films.';

interface Profile {
  id: string;
  user_id: string;
  profile_photo: string | null;
}
interface Photo {
  id: string;
  name: string;
  width: number;
  height: number;
  path: string;
}

/** Changes three sections and Edit Profile, and adds two photos and a portrait. */
async function makeChanges(page: Page): Promise<void> {
  await addCredit(page, { project: 'Paper Boats', role: 'Meera', director: 'Devika Rao' });
  await addSkill(page, 'Kathak', 'Expert');
  await writeAboutMe(page, ABOUT);
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await sheet(page, 'Edit Profile').getByLabel('City').fill('Nagpur');
  await save(page, 'Edit Profile');
  await addPhotos(page, [await picture('a.jpg', 320, 400), await picture('b.jpg', 360, 440, '#2e4057')], 'On stage');
  await pickPortrait(page, await picture('me.jpg', 300, 375, '#66a182'));
}

/** Expects every change on the own profile exactly once, in any sync state. */
export async function expectChangesShown(page: Page): Promise<void> {
  await expect(card(page, 'About me')).toContainText(ABOUT);
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toHaveCount(1);
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toContainText('Meera · Theatre');
  await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);
  await expect(card(page, 'Photos').getByRole('button', { name: /^On stage/ })).toHaveCount(2);
  await expect(card(page, 'You')).toContainText('Nagpur');
}

/** Expects every change to be marked as stored on this device only, and counted by the pill. */
async function expectChangesUnsent(page: Page): Promise<void> {
  await expectChangesShown(page);
  for (const title of ['About me', 'Credits', 'Skills']) {
    await expect(card(page, title).getByText(ON_THIS_DEVICE).first()).toBeVisible();
  }
  // Edit Profile and the portrait. The portrait is stored only once its label says so.
  await expect(card(page, 'You').getByText(ON_THIS_DEVICE)).toHaveCount(2);
  await expect(card(page, 'Photos').getByText(ON_THIS_DEVICE)).toHaveCount(2);
  // About me and Edit Profile change one record: one change if both were coalesced before sending, else two.
  await expect(pill(page)).toHaveText(/^[67] waiting$/);
}

/** Makes every change offline, then kills and reopens the browser, and expects every change to be kept. */
export async function makeChangesAndKillBrowser(phone: Device, server: AppServer): Promise<void> {
  await server.stop();
  await makeChanges(phone.page);
  await expectChangesUnsent(phone.page);
  await phone.kill();
  await phone.relaunch();
  await phone.open('/');
  await expectChangesUnsent(phone.page);
}

/** Expects every change to be sent once the server is back, and the outbox to be empty. */
export async function expectChangesSent(phone: Device): Promise<void> {
  const { page } = phone;
  await phone.open('/');
  await expectChangesShown(page);
  await expectAllSaved(page);
  await expect(page.getByText(ON_THIS_DEVICE)).toHaveCount(0);
  expect(await countChunks(page)).toBe(0);
}

/** Expects every change on the server exactly once, and the device's mirror to equal the server's records. */
export async function expectChangesOnServer(person: Person, page: Page): Promise<void> {
  const get = async <T>(path: string) => (await person.call<T>('GET', path)).body;
  const own = (await get<Profile[]>('/profiles/all')).filter((each) => String(each.user_id) === String(person.id));
  const [profile] = own;
  if (profile === undefined) throw new Error('The server has no profile');
  expect(own).toMatchObject([{ stage_name: person.name, location: 'Nagpur', profile_photo: expect.any(String) }]);

  const credits = await get<object[]>(`/profile/experiences/${profile.id}`);
  expect(credits).toMatchObject([
    {
      experience_type: 'Theatre',
      experience_title: 'Paper Boats',
      details: 'Meera',
      production_details: 'Devika Rao',
      start_month: 3,
      start_year: 2024,
      end_month: 3,
      end_year: 2024,
    },
  ]);
  const skills = await get<object[]>(`/profiles/${profile.id}/skills`);
  expect(skills).toMatchObject([{ name: 'Kathak', level: 3 }]);
  const about = await get<object>(`/profile/aboutme/${profile.id}`);
  expect(about).toMatchObject({ description: ABOUT });
  const photos = await get<Photo[]>('/media');
  expect(photos.map((photo) => [photo.name, photo.width, photo.height]).sort()).toEqual([
    ['On stage', 320, 400],
    ['On stage', 360, 440],
  ]);
  for (const path of [profile.profile_photo ?? '', ...photos.map((photo) => photo.path)]) {
    const file = await fetch(new URL(path, page.url()));
    expect([path, file.status, file.headers.get('content-type')?.startsWith('image/')]).toEqual([path, 200, true]);
  }

  await expect
    .poll(async () => {
      const mirror = await getMirror(page);
      return ['profile', 'experience', 'skill', 'media'].map((type) =>
        sortById(mirror.filter((record) => record.type === type).map((record) => record.body)),
      );
    })
    .toEqual([[profile], credits, skills, photos].map(sortById));
}

/** Sorts rows by id and drops the fields that only the full API has. */
function sortById(rows: readonly object[]): object[] {
  return rows
    .map((each) => Object.fromEntries(Object.entries(each).filter(([key]) => key !== 'version' && key !== 'client_id')))
    .sort((a, b) => String(a['id']).localeCompare(String(b['id'])));
}
