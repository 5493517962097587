import { type Browser, test as base } from '@playwright/test';
import { type ContextPool, createContextPool } from './context-pool.ts';
import { type TcpProxy, startTcpProxy } from './tcp-proxy.ts';
import { type Device, type DeviceOptions, openDevice, launchSharedBrowser } from './device.ts';
import { type Person, makePerson } from './people.ts';
import { type BasicApiProxy, startBasicApiProxy } from './basic-api.ts';
import { type AppServer, appServer } from './server.ts';

interface NewDeviceOptions extends Omit<Partial<DeviceOptions>, 'browser' | 'pool'> {
  /** Uses a separate browser with its own profile on disk, to be killed, reopened, or sent background syncs. */
  ownBrowser?: boolean;
  /**
   * Uses a fresh context, for tests of the first visit and its worker installation, and for tests that change the context
   * irreversibly.
   */
  isFirstVisit?: boolean;
}

interface TestFixtures {
  /** Runs when the test starts; the test may stop, kill and start it. It has data of other tests, but not of this test's people. */
  server: AppServer;
  /** A new person with an account and no profile. */
  person: Person;
  /** A phone with the app installed and no stored data. */
  phone: Device;
  /** A phone with its own browser and profile on disk, to be killed and reopened. */
  ownPhone: Device;
  /** Opens further devices; all are closed after the test. The URL defaults to the server's. */
  newDevice: (options?: NewDeviceOptions) => Promise<Device>;
  /** A TCP proxy in front of the server. Use it with `newDevice({ url: tcpProxy.url })`. */
  tcpProxy: TcpProxy;
  /** The server reduced to the basic API: no extension endpoints, idempotency keys or versions. */
  basicApi: BasicApiProxy;
}

interface WorkerFixtures {
  workerServer: AppServer;
  workerBrowser: Browser;
  workerContexts: ContextPool;
}

/**
 * The `test` of every browser spec. A test fails on a console error, an uncaught error, a violation of the content security
 * policy, or a request to another host, unless it expects one: `phone.allowBrowserError(/status of 422/)`.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  workerServer: [
    async ({}, use) => {
      const server = await appServer();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],

  workerBrowser: [
    async ({}, use) => {
      const browser = await launchSharedBrowser();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],

  workerContexts: [
    async ({ workerBrowser, workerServer }, use) => {
      await use(createContextPool(workerBrowser, workerServer.url));
    },
    { scope: 'worker' },
  ],

  server: async ({ workerServer }, use, info) => {
    await workerServer.start();
    await use(workerServer);
    if (info.status !== info.expectedStatus) {
      await info.attach('server log', { body: workerServer.log(), contentType: 'text/plain' });
    }
  },

  person: async ({ server }, use) => {
    await use(await makePerson(server.url));
  },

  newDevice: async ({ server, workerBrowser, workerContexts }, use, info) => {
    const devices: Device[] = [];
    const stopsBefore = server.stopCount();
    const wasServerDown = () => server.stopCount() > stopsBefore;
    await use(async ({ ownBrowser = false, isFirstVisit = false, ...options } = {}) => {
      const isElsewhere = options.url !== undefined && options.url !== server.url;
      // A proxy of the test may cut connections.
      if (options.url !== undefined) options = { wasServerDown: () => true, ...options };
      const shared = isElsewhere || isFirstVisit ? { browser: workerBrowser } : { pool: workerContexts };
      const device = await openDevice({ url: server.url, wasServerDown, ...(ownBrowser ? {} : shared), ...options });
      devices.push(device);
      return device;
    });
    const errors = devices.flatMap((device) => device.browserErrors());
    if (info.status !== info.expectedStatus) {
      for (const device of devices) {
        const picture = await device.page.screenshot().catch(() => null);
        if (picture !== null) await info.attach('screen', { body: picture, contentType: 'image/png' });
      }
    }
    for (const device of devices) await device.dispose(info.status === info.expectedStatus && errors.length === 0);
    if (errors.length > 0) throw new Error(`Unexpected browser errors:\n${errors.join('\n')}`);
  },

  phone: async ({ newDevice }, use) => {
    await use(await newDevice());
  },

  ownPhone: async ({ newDevice }, use) => {
    await use(await newDevice({ ownBrowser: true }));
  },

  tcpProxy: async ({ server }, use) => {
    const tcpProxy = await startTcpProxy(server.port);
    await use(tcpProxy);
    await tcpProxy.close();
  },

  basicApi: async ({ server }, use) => {
    const basicApi = await startBasicApiProxy(server.port);
    await use(basicApi);
    await basicApi.close();
  },
});

export { expect } from '@playwright/test';
