import type { Page } from '@playwright/test';
import { aboutMe } from '#contract/sections/about_me.ts';
import { experience } from '#contract/sections/experience.ts';
import { skill } from '#contract/sections/skill.ts';
import type { Device } from '../tests/e2e/support/device.ts';
import { makePerson, makeProfile, type Person } from '../tests/e2e/support/people.ts';

const ROWS = 6;

/** Somebody with a profile as a working performer has it. */
export async function makePerformer(url: string): Promise<Person> {
  const person = await makePerson(url);
  const { id } = await makeProfile(person, { title: 'Actor, dancer', location: 'Nagpur' });
  for (let n = 0; n < ROWS; n += 1) {
    await person.call('POST', '/profile/experience', { ...experience.example, profile_id: id });
    await person.call('POST', '/skills', { name: `${String(skill.example.name)} ${n}`, level: 2, profile_id: id });
  }
  await person.call('PUT', '/profile/update', { profile_id: id, description: aboutMe.example.description });
  return person;
}

/** Notes in every page to come when the own profile stands on it: the mark is made before the frame that paints it. */
export async function watchForProfile(device: Device, person: Person): Promise<void> {
  await device.context.addInitScript((name) => {
    new MutationObserver((_changes, observer) => {
      if (![...document.querySelectorAll('h1')].some((heading) => heading.textContent === name)) return;
      performance.mark('own profile');
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }, person.name);
}

/** Milliseconds from the start of the navigation until the own profile stood there. */
export async function profileShownAt(page: Page): Promise<number> {
  const mark = await page.waitForFunction(() => performance.getEntriesByName('own profile')[0]?.startTime);
  return (await mark.jsonValue()) as number;
}

/** Puts the person's token where the app keeps it, opens their profile and waits until the worker could open it again. */
export async function signInOnce(device: Device, person: Person): Promise<void> {
  await device.open('/support');
  await device.page.evaluate((token) => localStorage.setItem('token', token), person.token);
  await device.open('/');
  await profileShownAt(device.page);
  await device.readyForOffline();
}
