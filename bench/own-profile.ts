import type { Page } from '@playwright/test';
import { aboutMe } from '#contract/sections/about_me.ts';
import { experience } from '#contract/sections/experience.ts';
import { skill } from '#contract/sections/skill.ts';
import type { Device } from '../tests/e2e/support/device.ts';
import { confirmEmail } from '../tests/e2e/support/mail.ts';
import { makePerson, makeProfile, type Person } from '../tests/e2e/support/people.ts';
import type { AppServer } from '../tests/e2e/support/server.ts';

const ROWS = 6;

/** Adds a person with a typical profile. */
export async function makePerformer(server: AppServer): Promise<Person> {
  const person = await makePerson(server.url);
  // Home asks an unconfirmed person to confirm, which most people have done.
  await confirmEmail(server, person);
  const { id } = await makeProfile(person, { title: 'Actor, dancer', location: 'Nagpur' });
  for (let n = 0; n < ROWS; n += 1) {
    await person.call('POST', '/profile/experience', { ...experience.example, profile_id: id });
    await person.call('POST', '/skills', { name: `${String(skill.example.name)} ${n}`, level: 2, profile_id: id });
  }
  await person.call('PUT', '/profile/update', { profile_id: id, description: aboutMe.example.description });
  return person;
}

/** Installs a script that records when the own profile appears. The mark is set before the frame that paints it. */
export async function watchForProfile(device: Device, person: Person): Promise<void> {
  await device.context.addInitScript((name) => {
    new MutationObserver((_changes, observer) => {
      if (![...document.querySelectorAll('h1')].some((heading) => heading.textContent === name)) return;
      performance.mark('own profile');
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }, person.name);
}

/** Milliseconds from the start of the navigation until the own profile was shown. */
export async function profileShownAt(page: Page): Promise<number> {
  const mark = await page.waitForFunction(() => performance.getEntriesByName('own profile')[0]?.startTime);
  return (await mark.jsonValue()) as number;
}

/** Signs the device in with the token of the person, opens their profile and waits until the worker can open it offline. */
export async function signInOnce(device: Device, person: Person): Promise<void> {
  await device.open('/support');
  await device.page.evaluate((token) => localStorage.setItem('token', token), person.token);
  await device.open('/');
  await profileShownAt(device.page);
  await device.readyForOffline();
}
