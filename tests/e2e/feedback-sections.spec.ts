import { SECTIONS } from '#contract/sections/index.ts';
import { card } from './support/actions.ts';
import { makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { runFeedbackLifecycle } from './support/feedback-lifecycle.ts';

for (const section of SECTIONS.filter((each) => each.writtenBy === 'viewers')) {
  // By default the simulation, the server tests and sections.spec.ts show each step of it.
  test(
    `${section.key}: is written and edited offline by the author, then hidden, shown and deleted by the owner`,
    { tag: '@full' },
    async ({ server, person, phone, newDevice }) => {
      await runFeedbackLifecycle({ section, url: server.url, person, phone, newDevice });
    },
  );
}

test('leaves no gap where a card is missing', { tag: '@full' }, async ({ person, phone }) => {
  await makeProfile(person);
  await phone.signInAs(person);
  await phone.open('/');
  const { page } = phone;
  /** Measures both edges at once: cards that load after the first paint push the others down. */
  const between = async (upper: string, lower: string) => {
    const above = await card(page, upper).elementHandle();
    const below = (element: Element, other: Element | null) =>
      Math.round(element.getBoundingClientRect().top - (other?.getBoundingClientRect().bottom ?? 0));
    return card(page, lower).evaluate(below, above);
  };
  // Feedback from others appears between these two cards once there is any.
  const gap = await between('Social Media / Links', 'Contacts');
  expect(gap).toBe(await between('Contacts', 'My Policy'));
});
