import { type Device, openDevice } from '../tests/e2e/support/device.ts';
import { makePerson, makeProfile } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { type Figure, atMost, spread } from './figures.ts';

/** First contentful paint of a new tab on `address`, milliseconds. */
async function firstPaint(device: Device, address: string): Promise<number> {
  const tab = await device.newTab();
  await tab.goto(address);
  const paintMs = await tab.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntriesByName('first-contentful-paint')) resolve(entry.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
  await tab.close();
  return paintMs;
}

async function paints(device: Device, address: string, runs: number): Promise<number[]> {
  const samples: number[] = [];
  for (let run = 0; run < runs; run += 1) samples.push(await firstPaint(device, address));
  return samples;
}

/** How soon the app shows something with the server process stopped; beside it the same page from the server, no worker. */
export async function measureOpening({ runs }: { runs: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const person = await makePerson(server.url);
  await makeProfile(person);
  const plain = await openDevice({ url: server.url });
  const device = await openDevice({ url: server.url, hadNoServer: () => true });
  try {
    await plain.context.addInitScript(() => {
      Object.defineProperty(navigator, 'serviceWorker', { value: undefined });
    });
    const online = await paints(plain, '/', runs);
    await device.open('/');
    await device.readyForOffline();
    await server.stop();
    const landing = await paints(device, '/', runs);
    await server.start();
    await device.signInAs(person);
    await device.open('/');
    await device.page.getByRole('heading', { name: person.name }).first().waitFor();
    await server.stop();
    const profile = await paints(device, '/', runs);
    const figure = (name: string, samples: number[]): Figure => ({
      part: 'Opening with the server gone',
      name,
      unit: 'ms',
      value: spread(samples),
      bar: atMost(300),
    });
    const peer = { name: 'from the server, no worker', value: spread(online) };
    return [
      { ...figure('landing page, first contentful paint', landing), peer },
      figure('own profile, first contentful paint', profile),
    ];
  } finally {
    await plain.dispose();
    await device.dispose();
    await server.dispose();
  }
}
