import { type Browser, test as base } from '@playwright/test';
import { type ContextPool, createContextPool } from './context-pool.ts';
import { type TcpProxy, startTcpProxy } from './tcp-proxy.ts';
import { type Device, type DeviceOptions, openDevice, launchSharedBrowser } from './device.ts';
import { type Person, makePerson } from './people.ts';
import { type BasicApiProxy, startBasicApiProxy } from './basic-api.ts';
import { type AppServer, appServer } from './server.ts';

interface NewDeviceOptions extends Omit<Partial<DeviceOptions>, 'browser' | 'pool'> {
  /** A browser with a profile on disk of its own, as a test needs that kills it, opens it again or wakes its worker. */
  ownBrowser?: boolean;
  /**
   * A browser that was never here: the first visit itself, with the installing of the worker. Also for tests that change the
   * context in a way that cannot be taken back.
   */
  isFirstVisit?: boolean;
}

interface TestFixtures {
  /** Running when the test starts; the test may stop, kill and start it. Data of other tests lies in it, none of this one's people. */
  server: AppServer;
  /** Somebody new with an account and no profile. */
  person: Person;
  /** A phone with the app installed and nothing stored. */
  phone: Device;
  /** One with a browser and a profile on disk of its own, to be killed and opened again. */
  ownPhone: Device;
  /** Opens further devices; all are closed after the test. The address is the server's unless a proxy's is given. */
  newDevice: (options?: NewDeviceOptions) => Promise<Device>;
  /** A wire in front of the server that can be cut. Visit its url with `newDevice({ url: wire.url })`. */
  tcpProxy: TcpProxy;
  /** The server as another backend would be: every + call of the contract is unknown, no keys, no versions. */
  basicApi: BasicApiProxy;
}

interface WorkerFixtures {
  workerServer: AppServer;
  workerBrowser: Browser;
  workerContexts: ContextPool;
}

/**
 * `test` of every browser spec. A test fails by itself on a console error, an uncaught error, a breach of the content policy
 * and a call to another host; `phone.expectTrouble(/status of 422/)` names what is part of the story.
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
      // A wire of the test's own is there to be cut.
      if (options.url !== undefined) options = { wasServerDown: () => true, ...options };
      const shared = isElsewhere || isFirstVisit ? { browser: workerBrowser } : { pool: workerContexts };
      const device = await openDevice({ url: server.url, wasServerDown, ...(ownBrowser ? {} : shared), ...options });
      devices.push(device);
      return device;
    });
    const trouble = devices.flatMap((device) => device.browserErrors());
    if (info.status !== info.expectedStatus) {
      for (const device of devices) {
        const picture = await device.page.screenshot().catch(() => null);
        if (picture !== null) await info.attach('screen', { body: picture, contentType: 'image/png' });
      }
    }
    for (const device of devices) await device.dispose(info.status === info.expectedStatus && trouble.length === 0);
    if (trouble.length > 0) throw new Error(`The browser complained:\n${trouble.join('\n')}`);
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
