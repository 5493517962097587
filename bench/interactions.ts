import type { Locator, Page } from '@playwright/test';
import { openDevice } from '../tests/e2e/support/device.ts';
import { connect, makePerson, makeProfile } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { atMost, type Figure, spread } from './figures.ts';
import { makePhotographer } from './portfolio.ts';

/** A cheap phone against the machine that measures. */
const SLOWED = 6;
const PHOTO_COUNT = 24;
const SHAPE = { width: 720, height: 900, quality: 90 };
const TEXT = 'I trained with a travelling theatre company.';

interface Timings {
  /** The longest interaction: from an input to the paint that follows it, in ms (Event Timing). */
  longest: number;
  /** From the last input until now, in ms. */
  untilNow: number;
}

/** Starts to time interactions. */
async function collectTimings(page: Page): Promise<() => Promise<Timings>> {
  const collected = await page.evaluateHandle(() => {
    const durations: number[] = [];
    // 16 ms is the least that browsers report. A faster interaction has no entry and counts as 0.
    const options = { type: 'event', durationThreshold: 16 } as PerformanceObserverInit;
    const observer = new PerformanceObserver((list) =>
      durations.push(...list.getEntries().map((each) => each.duration)),
    );
    observer.observe(options);
    const last = { input: 0 };
    for (const type of ['click', 'keydown'])
      addEventListener(type, ({ timeStamp }) => (last.input = timeStamp), { capture: true });
    return { durations, observer, last };
  });
  return async () => {
    const timings = await collected.evaluate(async ({ durations, observer, last }) => {
      const untilNow = performance.now() - last.input;
      // Entries arrive after the frame that they measure. Two frames later the last of them is there.
      for (let frame = 0; frame < 2; frame += 1) await new Promise((painted) => requestAnimationFrame(painted));
      await new Promise<void>((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done();
        port2.postMessage(null);
      });
      durations.push(...observer.takeRecords().map(({ duration }) => duration));
      observer.disconnect();
      return { longest: Math.max(0, ...durations), untilNow };
    });
    await collected.dispose();
    return timings;
  };
}

interface Step {
  name: string;
  /** What the user does. Only its inputs are measured. */
  act(): Promise<unknown>;
  /** Resolves when the result is on the screen. */
  shown: Locator;
  /** Returns to the page of the next step. */
  leave?(): Promise<unknown>;
}

/** A short walk through the app: each step is one interaction of a user, or one text that they type. */
function getSteps(page: Page): Step[] {
  const tabs = page.getByRole('navigation', { name: 'Main' });
  const tab = (name: string) => tabs.getByRole('link', { name: new RegExp(`^${name}`) });
  const form = page.getByRole('dialog', { name: 'Edit Profile' });
  const question = page.getByRole('alertdialog');
  const photo = page.locator('main li button:has(img)').first();
  return [
    { name: 'Edit Profile', act: () => page.getByRole('button', { name: 'Edit Profile' }).click(), shown: form },
    {
      name: 'typing a stage name',
      act: () => form.getByLabel('Stage name').pressSequentially(TEXT),
      shown: form,
    },
    {
      name: 'Escape in the form',
      act: () => page.keyboard.press('Escape'),
      shown: question,
      leave: () => question.getByRole('button', { name: 'Close' }).click(),
    },
    { name: 'Messages', act: () => tab('Messages').click(), shown: page.getByRole('heading', { name: 'Messages' }) },
    { name: 'Connections', act: () => tab('Connections').click(), shown: page.getByRole('heading', { level: 1 }) },
    { name: 'Media', act: () => tab('Media').click(), shown: photo },
    { name: 'the lightbox', act: () => photo.click(), shown: page.getByRole('dialog', { name: /^Photo 1 of/ }) },
    {
      name: 'the next photo',
      act: () => page.keyboard.press('ArrowRight'),
      shown: page.getByRole('dialog', { name: /^Photo 2 of/ }),
    },
    { name: 'closing the lightbox', act: () => page.keyboard.press('Escape'), shown: photo },
    { name: 'Home', act: () => tab('Home').click(), shown: page.getByRole('button', { name: 'Edit Profile' }) },
  ];
}

/** Measures the longest interaction of each step on a phone with the processor slowed down. */
export async function measureInteractions({ runs }: { runs: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const found = new Map<string, Timings[]>();
  try {
    const { person } = await makePhotographer(server.url, PHOTO_COUNT, SHAPE);
    const other = await makePerson(server.url);
    await makeProfile(other);
    await connect(person, other);
    for (let run = 0; run < runs; run += 1) {
      const device = await openDevice({ url: server.url });
      try {
        await device.signInForOffline(person);
        await device.open('/');
        const { page } = device;
        const session = await page.context().newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
        for (const { name, act, shown, leave } of getSteps(page)) {
          const collect = await collectTimings(page);
          await act();
          await shown.waitFor();
          found.set(name, [...(found.get(name) ?? []), await collect()]);
          await leave?.();
        }
      } finally {
        await device.dispose();
      }
    }
  } finally {
    await server.dispose();
  }
  const figures = (part: string, of: keyof Timings, bar?: Figure['bar']) =>
    [...found].map(([name, timings]): Figure => {
      const value = spread(timings.map((each) => each[of]));
      return { part, name, unit: 'ms', value, ...(bar && { bar }) };
    });
  return [
    ...figures(
      `The longest interaction, processor slowed down ${SLOWED} times (0: under 16 ms)`,
      'longest',
      atMost(200),
    ),
    ...figures(`From the last input until it is shown, for the first time, slowed down ${SLOWED} times`, 'untilNow'),
  ];
}
