import type { Page } from '@playwright/test';
import {
  PHONE_WORD,
  addCredit,
  addPhotos,
  addSkill,
  card,
  makeProfileInWizard,
  pickPortrait,
  pill,
  row,
  save,
  sheet,
  signIn,
  signUp,
  writeAboutMe,
} from './support/acts.ts';
import { type Person, callAs, stranger } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { mirrorOf, outboxOf, piecesOf } from './support/stored.ts';
import { expect, test } from './support/test.ts';

interface Profile {
  id: string;
  stage_name: string;
  location: string;
  title: string;
  profile_photo: string | null;
  min_age_range: number;
  max_age_range: number;
}
interface Photo {
  name: string;
  width: number;
  height: number;
  path: string;
}

const ABOUT = 'I came up through street theatre and learned camera on short films.';

/** Everything of the story stands on the profile, in whatever state. */
async function expectTheWork(page: Page): Promise<void> {
  await expect(card(page, 'About me')).toContainText(ABOUT);
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toHaveCount(1);
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toContainText('Meera · Theatre');
  await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);
  await expect(card(page, 'Photos').getByRole('button', { name: /On stage/ })).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'You' })).toContainText('Nagpur');
}

async function expectOnThisPhone(page: Page): Promise<void> {
  await expectTheWork(page);
  for (const title of ['About me', 'Credits', 'Skills', 'You']) {
    await expect(card(page, title).getByText(PHONE_WORD).first()).toBeVisible();
  }
  await expect(card(page, 'Photos').getByText(PHONE_WORD)).toHaveCount(2);
  // A credit, a skill, about me, Edit Profile, two photos and the portrait. About me and Edit Profile are one record.
  await expect(pill(page)).toHaveText(/^[67] waiting$/);
}

test('work done with no server, through a killed browser, arrives once', async ({ phone, server, newDevice }) => {
  const asha = stranger();
  await signUp(phone.page, asha);
  await expect(phone.page).toHaveURL(/\/profile\/step\/1$/);
  await makeProfileInWizard(phone.page, 'Actor / Performer', 'Stage and screen actor', 'Pune');
  await expect(pill(phone.page)).toHaveCount(0);
  await phone.readyForOffline();

  await server.stop();
  await addCredit(phone.page, { project: 'Paper Boats', role: 'Meera', director: 'Devika Rao' });
  await addSkill(phone.page, 'Kathak', 'Expert');
  await writeAboutMe(phone.page, ABOUT);
  await phone.page.getByRole('button', { name: 'Edit Profile' }).click();
  await sheet(phone.page, 'Edit Profile').getByLabel('Location').fill('Nagpur');
  await save(phone.page, 'Edit Profile');
  await addPhotos(
    phone.page,
    [await picture('a.jpg', 320, 400), await picture('b.jpg', 360, 440, '#2e4057')],
    'On stage',
  );
  await pickPortrait(phone.page, await picture('me.jpg', 300, 375, '#66a182'));
  await expectOnThisPhone(phone.page);

  await phone.kill();
  await phone.relaunch();
  await phone.open('/');
  await expectOnThisPhone(phone.page);
  await phone.open('/waiting');
  await expect(phone.page.getByRole('heading', { level: 1 })).toContainText(/safe on this phone/);
  await phone.open('/settings');
  await expect(phone.page.getByRole('main').getByText(asha.email)).toBeVisible();

  await server.start();
  // The portrait raises the profile's version on a lane of its own; the edits behind it are merged in silence.
  phone.expectTrouble(/status of 412/);
  await phone.open('/');
  await expectTheWork(phone.page);
  await expect(pill(phone.page)).toHaveCount(0, { timeout: 20_000 });
  await expect(phone.page.getByText(PHONE_WORD)).toHaveCount(0);
  expect(await outboxOf(phone.page)).toEqual([]);
  expect(await piecesOf(phone.page)).toBe(0);
  await phone.open('/waiting');
  await expect(phone.page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible();
  await expect(row(phone.page, 'Paper Boats')).toContainText('Saved');

  const there = await callAs(server.url, asha);
  await expectOnce(there, phone.page);

  const laptop = await newDevice({ shape: 'desktop' });
  await signIn(laptop.page, asha);
  await expectTheWork(laptop.page);
  await expect(laptop.page.getByText(PHONE_WORD)).toHaveCount(0);
});

/** Asks the server itself, and holds this device's mirror against its answers. */
async function expectOnce(asha: Person, page: Page): Promise<void> {
  const ask = async <T>(path: string) => (await asha.call<T>('GET', path)).body;
  const [profile, ...others] = (await ask<(Profile & { user_id: string })[]>('/profiles/all')).filter(
    (each) => each.user_id === asha.id,
  );
  expect(others).toEqual([]);
  expect(profile).toMatchObject({ stage_name: asha.name, title: 'Stage and screen actor', location: 'Nagpur' });
  expect(profile!.profile_photo).not.toBeNull();
  const credits = await ask<object[]>(`/profile/experiences/${profile!.id}`);
  expect(credits).toMatchObject([
    {
      experience_title: 'Paper Boats',
      details: 'Meera',
      production_details: 'Devika Rao',
      start_month: 3,
      end_year: 2024,
    },
  ]);
  const skills = await ask<object[]>(`/profiles/${profile!.id}/skills`);
  expect(skills).toMatchObject([{ name: 'Kathak', level: 3 }]);
  expect(await ask(`/profile/aboutme/${profile!.id}`)).toMatchObject({ description: ABOUT });
  const photos = await ask<Photo[]>('/media');
  expect(photos.map((photo) => [photo.name, photo.width, photo.height]).sort()).toEqual([
    ['On stage', 320, 400],
    ['On stage', 360, 440],
  ]);
  for (const path of [profile!.profile_photo!, ...photos.map((photo) => photo.path)]) {
    const file = await fetch(new URL(path, page.url()));
    expect([path, file.status, file.headers.get('content-type')?.startsWith('image/')]).toEqual([path, 200, true]);
  }

  const mirror = await mirrorOf(page);
  const bodies = (type: string) => mirror.filter((record) => record.type === type).map((record) => record.body);
  expect(bodies('profile')).toEqual([profile]);
  expect(bodies('experience')).toEqual(credits);
  expect(bodies('skill')).toEqual(skills);
  const byWidth = (a: object, b: object) => (a as Photo).width - (b as Photo).width;
  expect((bodies('media') as object[]).sort(byWidth)).toEqual((photos as object[]).sort(byWidth));
}
