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
 * A person's phone or computer. With its own browser profile on disk it can be closed, killed and reopened. As a context of
 * a shared browser it has its own storage and workers, but cannot be reopened.
 */
export interface Device {
  /** The active page. A new one after `relaunch`. */
  page: Page;
  context: BrowserContext;
  /** Signs this device in without the form: all pages opened from now on find the person's token. */
  signInAs(person: { token: string }): Promise<void>;
  /** Opens a path of the app, e.g. /waiting. */
  open(address: string): Promise<void>;
  /**
   * Resolves once the service worker has installed the app and, if a person is signed in, the first pull has finished: the
   * device can then work offline.
   */
  readyForOffline(): Promise<void>;
  /** Signs in as a person, opens their own profile and waits until the device can work offline. */
  signInForOffline(person: { token: string }): Promise<void>;
  /** Another tab of the same browser. */
  newTab(): Promise<Page>;
  /** Dispatches a background sync event. The browser itself would do so up to five minutes after coming online. */
  wakeWorker(tag: string): Promise<void>;
  /** Kills the browser with SIGKILL, as when a phone loses power. */
  kill(): Promise<void>;
  /** Opens the browser again on the same profile on disk. The test must close or kill it first. */
  relaunch(): Promise<void>;
  close(): Promise<void>;
  /** Unexpected errors of this device's browsers. */
  browserErrors(): string[];
  allowBrowserError(pattern: RegExp): void;
  /**
   * Closes the device and removes its data.
   * @param mayBeReused false after a failed test, so that the next test gets a fresh context
   */
  dispose(mayBeReused?: boolean): Promise<void>;
}

export interface DeviceOptions {
  /** Origin of the app: the server's, or of a proxy in front of it. */
  url: string;
  shape?: Shape;
  colorScheme?: 'light' | 'dark';
  /** Device pixels per CSS pixel. Defaults to the shape's own. */
  deviceScaleFactor?: number;
  /** Opens a context of this browser, which is cheaper but cannot be killed or reopened. */
  browser?: Browser;
  /** Pool of reusable contexts with the app installed. */
  pool?: ContextPool;
  /** Gives the browser a camera and a microphone, which show and play a test signal, and allows them. */
  hasCamera?: boolean;
  /** True once the server was down: connection errors are then expected. */
  wasServerDown?: () => boolean;
}

/** A missing button fails a test early, with a message that names it. */
const ACTION_TIMEOUT_MS = 15_000;

const flags = [
  // The browser's own requests (updates, sync, hints) would look like the app's, and no test may leave the machine.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost',
  '--disable-features=OptimizationHints,MediaRouter,Translate,InterestFeedContentSuggestions',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const cameraFlags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

// A scale factor of 1: the browser renders without a GPU, and seven times as many pixels took a third of the test time.
const shapes = {
  phone: { ...devices['Pixel 7'], deviceScaleFactor: 1, viewport: { width: 390, height: 844 } },
  desktop: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
};

async function browserPid(context: BrowserContext): Promise<number> {
  const browser = context.browser();
  if (browser === null) throw new Error('This context has no browser whose process could be found');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const main = processInfo.find((entry) => entry.type === 'browser');
  if (main === undefined) throw new Error('The browser does not list its main process');
  return main.id;
}

/** Init scripts that sign a context in, removed before another test reuses it. */
const tokenScripts = new WeakMap<BrowserContext, Disposable[]>();

/** Signs a browser context in without the form: pages opened from now on find the token. */
export async function setToken(context: BrowserContext, { token }: { token: string }): Promise<void> {
  const script = await context.addInitScript((kept) => {
    // A blank page has no storage. Set the token only once, so that a sign-out in the test is final.
    if (!location.protocol.startsWith('http') || localStorage.getItem('signed-in-by-test') === kept) return;
    localStorage.setItem('signed-in-by-test', kept);
    localStorage.setItem('token', kept);
  }, token);
  tokenScripts.set(context, [...(tokenScripts.get(context) ?? []), script]);
}

/** Launches a headless browser for devices to share. Pages cannot tell it from a full browser. */
export const launchSharedBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await findHeadlessShell(), args: flags });

/** Opens a new device, with its browser on an empty page. */
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
    const contextOptions = {
      ...shape,
      ...(options.deviceScaleFactor === undefined ? {} : { deviceScaleFactor: options.deviceScaleFactor }),
      baseURL: options.url,
      colorScheme: options.colorScheme ?? 'light',
      locale: 'en-GB',
      // Tests check final states, not animations.
      reducedMotion: 'reduce',
    } as const;
    const context = await (pool?.acquire(contextOptions) ??
      browser?.newContext(contextOptions) ??
      chromium.launchPersistentContext(own(), {
        ...contextOptions,
        executablePath: await findChromium(),
        args: options.hasCamera ? [...flags, ...cameraFlags] : flags,
      }));
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
