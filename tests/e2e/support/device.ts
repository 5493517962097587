import { type Browser, type BrowserContext, type Disposable, type Page, chromium, devices } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findChromium, findHeadlessShell } from '../../../scripts/find-chromium.ts';
import type { ContextPool } from './context-pool.ts';
import { waitForFirstPull } from './client-store.ts';
import { type BrowserErrors, collectBrowserErrors } from './browser-errors.ts';

export type Shape = 'phone' | 'desktop';

/**
 * A browser as on a person's own phone or computer. With a profile of its own on disk it can be closed, killed and opened
 * again; in a browser shared with others it has its own storage and workers, and ends with them.
 */
export interface Device {
  /** The page in front. A new one after `relaunch`. */
  page: Page;
  context: BrowserContext;
  /** Signs this device in as somebody without the form: every page from now on finds the person's token. */
  signInAs(person: { token: string }): Promise<void>;
  /** Opens an address of the app, e.g. /waiting. */
  open(address: string): Promise<void>;
  /**
   * Resolves once this page's service worker runs and has stored the shell, and who is signed in has all that is their own:
   * from then on no server is needed.
   */
  readyForOffline(): Promise<void>;
  /** Signs in as somebody and opens their own profile; from then on no server is needed. */
  signInForOffline(person: { token: string }): Promise<void>;
  /** Another tab of the same browser. */
  newTab(): Promise<Page>;
  /** Wakes the service worker for a tag, as the browser does when there is signal again: by its own clock up to five minutes later. */
  wakeWorker(tag: string): Promise<void>;
  /** SIGKILL to the whole browser, as when a phone's battery is pulled. */
  kill(): Promise<void>;
  /** Opens the browser again on the same profile on disk (closing or killing it first is the test's part of the story). */
  relaunch(): Promise<void>;
  close(): Promise<void>;
  /** Everything the browsers of this device complained of. */
  browserErrors(): string[];
  allowBrowserError(pattern: RegExp): void;
  /**
   * Closes it and removes what it stored.
   * @param mayBeReused false where a test failed, so that the next one begins with nothing of it
   */
  dispose(mayBeReused?: boolean): Promise<void>;
}

export interface DeviceOptions {
  /** Origin of the app: the server's, or of a proxy in front of it. */
  url: string;
  shape?: Shape;
  colorScheme?: 'light' | 'dark';
  /** Pixels per CSS pixel; the shape's own unless given. */
  deviceScaleFactor?: number;
  /** Lives in this browser, cheaper than one of its own; cannot be killed or opened again. */
  browser?: Browser;
  /** Where a context of that browser comes from and goes back to, with the app installed and nothing stored. */
  pool?: ContextPool;
  /** True once the server was away: lost connections are then no complaint. */
  wasServerDown?: () => boolean;
}

/** A button that does not come stops a test early, with words about the button. */
const ACTION_TIMEOUT_MS = 15_000;

const flags = [
  // The browser's own calls (updates, sync, hints) would look like calls of the app, and no test may leave the machine.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost',
  '--disable-features=OptimizationHints,MediaRouter,Translate,InterestFeedContentSuggestions',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

// One dot per point: the browser draws without a graphics card, and drawing seven times as many took a third of all the time.
const shapes = {
  phone: { ...devices['Pixel 7'], deviceScaleFactor: 1, viewport: { width: 390, height: 844 } },
  desktop: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
};

async function browserPid(context: BrowserContext): Promise<number> {
  const browser = context.browser();
  if (browser === null) throw new Error('This browser does not say which process it is');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const main = processInfo.find((entry) => entry.type === 'browser');
  if (main === undefined) throw new Error('No browser process among those of the browser');
  return main.id;
}

/** What signs a context in, to be taken out of it when another test gets it. */
const tokenScripts = new WeakMap<BrowserContext, Disposable[]>();

/** Signs a browser in without the form: its pages find the token from now on. */
export async function setToken(context: BrowserContext, { token }: { token: string }): Promise<void> {
  const script = await context.addInitScript((kept) => {
    // A blank page has no storage; and only once: a sign-out of the story must stay one.
    if (!location.protocol.startsWith('http') || localStorage.getItem('signed-in-by-test') === kept) return;
    localStorage.setItem('signed-in-by-test', kept);
    localStorage.setItem('token', kept);
  }, token);
  tokenScripts.set(context, [...(tokenScripts.get(context) ?? []), script]);
}

/** A browser for devices to share: all that a page meets of it is that of a whole one. */
export const launchSharedBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await findHeadlessShell(), args: flags });

/** A fresh device with the browser already open on an empty page. */
export async function openDevice(options: DeviceOptions): Promise<Device> {
  const { browser, pool } = options;
  const profile = browser || pool ? null : await mkdtemp(path.join(tmpdir(), 'callboard-device-'));
  const own = () => {
    if (profile === null)
      throw new Error('Open this device with a browser of its own: newDevice({ ownBrowser: true })');
    return profile;
  };
  const wasServerDown = options.wasServerDown ?? (() => false);
  const { defaultBrowserType: _, ...shape } = shapes[options.shape ?? 'phone'];
  const watches: BrowserErrors[] = [];
  const expected: RegExp[] = [];
  let isOpen = false;

  const launch = async () => {
    const manner = {
      ...shape,
      ...(options.deviceScaleFactor === undefined ? {} : { deviceScaleFactor: options.deviceScaleFactor }),
      baseURL: options.url,
      colorScheme: options.colorScheme ?? 'light',
      locale: 'en-GB',
      // Motion is looked at by people; tests look at where things end.
      reducedMotion: 'reduce',
    } as const;
    const context = await (pool?.acquire(manner) ??
      browser?.newContext(manner) ??
      chromium.launchPersistentContext(own(), { ...manner, executablePath: await findChromium(), args: flags }));
    context.setDefaultTimeout(ACTION_TIMEOUT_MS);
    isOpen = true;
    context.once('close', () => (isOpen = false));
    const watch = collectBrowserErrors(context, [new URL(options.url).origin], wasServerDown);
    expected.forEach((pattern) => watch.allow(pattern));
    watches.push(watch);
    return { context, page: context.pages()[0] ?? (await context.newPage()) };
  };

  const device: Device = {
    ...(await launch()),
    signInAs: (person) => setToken(device.context, person),
    async open(address) {
      await device.page.goto(address);
    },
    async readyForOffline() {
      const isReady = () => navigator.serviceWorker.controller?.state === 'activated';
      await device.page.waitForFunction(isReady, null, { timeout: 15_000 });
      if (await device.page.evaluate(() => localStorage.getItem('token') !== null)) await waitForFirstPull(device.page);
    },
    async signInForOffline(person) {
      await device.signInAs(person);
      await device.open('/');
      await device.readyForOffline();
    },
    newTab: () => device.context.newPage(),
    async wakeWorker(tag) {
      const tab = await device.context.newPage();
      const session = await device.context.newCDPSession(tab);
      const found = new Promise<string>((resolve) => {
        session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
          const own = registrations.find((each) => each.scopeURL.startsWith(options.url) && !each.isDeleted);
          if (own) resolve(own.registrationId);
        });
      });
      await session.send('ServiceWorker.enable');
      const wake = { origin: new URL(options.url).origin, registrationId: await found, tag, lastChance: false };
      await session.send('ServiceWorker.dispatchSyncEvent', wake);
      await tab.close();
    },
    async kill() {
      own();
      const pid = await browserPid(device.context);
      const closed = new Promise((resolve) => device.context.once('close', resolve));
      process.kill(pid, 'SIGKILL');
      await closed;
    },
    async relaunch() {
      own();
      if (isOpen) throw new Error('Close or kill the browser before opening it again');
      Object.assign(device, await launch());
    },
    async close() {
      if (isOpen) await device.context.close();
    },
    browserErrors: () => watches.flatMap((watch) => watch.getUnexpected()),
    allowBrowserError(pattern) {
      expected.push(pattern);
      watches.forEach((watch) => watch.allow(pattern));
    },
    async dispose(mayBeReused = false) {
      if (pool && isOpen && mayBeReused) {
        for (const watch of watches) watch.stop();
        for (const script of tokenScripts.get(device.context) ?? []) await script.dispose();
        tokenScripts.delete(device.context);
        await pool.release(device.context);
      } else await device.close();
      if (profile !== null) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return device;
}
