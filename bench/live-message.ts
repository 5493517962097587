import type { Page, Request } from '@playwright/test';
import { type Device, openDevice } from '../tests/e2e/support/device.ts';
import { connect, makePerson, makeProfile, type Person } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { atMost, type Figure, spread } from './figures.ts';

/** Effects of a message that come late are counted with the next ones. */
const COUNT = 5;
/** The pull that follows the opening of a page is repeated within this time if messages overtake it. */
const REPEATED_WITHIN_MS = 3000;

/** What one device received and sent since the counts were last cleared. */
interface Traffic {
  /** Live events, without the frames of the protocol itself. */
  frames: string[];
  /** Requests that read from the API. */
  pulls: string[];
  posts: string[];
  /** When it last read, in milliseconds since 1970. It is not cleared. */
  pulledAt: number;
}

interface Subject {
  person: Person;
  device: Device;
  traffic: Traffic;
}

/** Counts what all tabs and the worker of a device exchange with the server. */
function watchTraffic({ context }: Device): Traffic {
  const traffic: Traffic = { frames: [], pulls: [], posts: [], pulledAt: Date.now() };
  const watchSockets = (page: Page) =>
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const { event } = JSON.parse(String(payload)) as { event: string };
        if (!/^pusher(_internal)?:/.test(event)) traffic.frames.push(event);
      }),
    );
  context.pages().forEach(watchSockets);
  context.on('page', watchSockets);
  context.on('request', (request: Request) => {
    const line = `${request.method()} ${new URL(request.url()).pathname}`;
    if (request.method() === 'POST') traffic.posts.push(line);
    else if (['fetch', 'xhr'].includes(request.resourceType())) {
      traffic.pulls.push(line);
      traffic.pulledAt = Date.now();
    }
  });
  return traffic;
}

/** Opens the conversation and waits until the device is subscribed and has pulled what it missed before that. */
async function openLiveConversation({ device: { page } }: Subject, conversation: string): Promise<void> {
  // Ends the connection of the page before.
  await page.goto('about:blank');
  const isCaughtUp = new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (!String(payload).includes('subscription_succeeded')) return;
        void page.waitForResponse((answer) => answer.url().includes('/sync')).then(() => resolve());
      }),
    );
  });
  await page.goto(`/messages/${conversation}`);
  await isCaughtUp;
}

/** Sends a message on one screen, and waits until the other shows it and the first one knows that it was read. */
async function exchange(from: Subject, to: Subject, text: string): Promise<void> {
  await from.device.page.getByRole('textbox', { name: /^Message / }).fill(text);
  await from.device.page.getByRole('button', { name: /^Send to / }).click();
  await to.device.page.getByRole('log').getByText(text).waitFor();
  await from.device.page.waitForFunction((words) => {
    const last = [...document.querySelectorAll('[role="log"] [data-key]')].at(-1)?.textContent ?? '';
    return last.includes(words) && last.includes('Read');
  }, text);
}

/** Waits until a device has pulled what the opening of its page made it pull, and clears its counts. */
async function settle({ traffic, device }: Subject): Promise<void> {
  for (let restMs = REPEATED_WITHIN_MS; restMs > 0; restMs = traffic.pulledAt + REPEATED_WITHIN_MS - Date.now())
    await device.page.waitForTimeout(restMs);
  for (const list of [traffic.frames, traffic.pulls, traffic.posts]) list.length = 0;
}

/** Counts live events, pulls and POST requests for a message between two people who both look at their conversation. */
export async function measureLiveMessage(): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const people = [await makePerson(server.url), await makePerson(server.url)] as const;
  for (const person of people) await makeProfile(person);
  const { conversation } = await connect(...people);
  const open = async (person: Person): Promise<Subject> => {
    const device = await openDevice({ url: server.url });
    await device.signInForOffline(person);
    return { person, device, traffic: watchTraffic(device) };
  };
  const [sender, receiver] = [await open(people[0]), await open(people[1])];
  try {
    for (const subject of [sender, receiver]) await openLiveConversation(subject, conversation);
    await exchange(sender, receiver, 'Are you on set already?');
    await exchange(receiver, sender, 'Two minutes');
    await Promise.all([settle(sender), settle(receiver)]);
    for (let n = 1; n <= COUNT; n += 1) await exchange(sender, receiver, `Gate ${n}`);
    const figure = (
      whose: string,
      what: 'frames' | 'pulls' | 'posts',
      { traffic }: Subject,
      limit: number,
    ): Figure => ({
      part: 'One live message in an open conversation',
      name: `${what} of ${whose}`,
      unit: what,
      value: spread([traffic[what].length / COUNT]),
      bar: atMost(limit),
    });
    return [
      figure('its receiver', 'frames', receiver, 1),
      figure('its receiver', 'pulls', receiver, 0),
      figure('its receiver', 'posts', receiver, 1),
      // The receipt; the response to the message brings the rest.
      figure('its sender', 'frames', sender, 1),
      figure('its sender', 'pulls', sender, 0),
      figure('its sender', 'posts', sender, 1),
    ];
  } finally {
    for (const { device } of [sender, receiver]) await device.dispose();
    await server.dispose();
  }
}
