import type { Device } from './support/device.ts';
import { card, signOut } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { addPushService, deliverPush, pushOf } from './support/push.ts';
import { expect, test } from './support/test.ts';

/** The notifications that the worker shows. */
async function getShown({ context }: Device) {
  const [worker] = context.serviceWorkers();
  return worker!.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag, silent }) => ({ title, body, tag, silent }));
  });
}
const GENERAL = { title: 'Callboard', body: 'Open Callboard to see what is new.', tag: 'general' };

test.describe('the worker', () => {
  test('shows each push once, with all pages closed, whatever it holds', async ({ ownPhone, person, server }) => {
    await makeProfile(person);
    await ownPhone.context.grantPermissions(['notifications'], { origin: server.url });
    await ownPhone.signInForOffline(person);
    await ownPhone.page.goto('about:blank');
    const push = pushOf(server.url, '/messages/12');
    await deliverPush(ownPhone, server.url, push);
    const first = { title: 'Ila Deshpande', body: 'Sent you a message', tag: 'c-/messages/12' };
    await expect.poll(() => getShown(ownPhone)).toMatchObject([{ ...first, silent: false }]);
    // The same push again, then another one of the same conversation.
    await deliverPush(ownPhone, server.url, push);
    await expect.poll(() => getShown(ownPhone)).toMatchObject([{ ...first, silent: true }]);
    await deliverPush(ownPhone, server.url, pushOf(server.url, '/messages/12'));
    await expect.poll(() => getShown(ownPhone)).toMatchObject([{ ...first, silent: false }]);
    // What cannot be read is shown in general words.
    await deliverPush(ownPhone, server.url, '{"notification":');
    await expect.poll(() => getShown(ownPhone)).toMatchObject([{ tag: 'c-/messages/12' }, GENERAL]);
  });

  test('opens what a push is about with the server dead', async ({ ownPhone, person, server }) => {
    await makeProfile(person);
    await ownPhone.context.grantPermissions(['notifications'], { origin: server.url });
    await ownPhone.signInForOffline(person);
    await ownPhone.page.goto('about:blank');
    await server.kill();
    await deliverPush(ownPhone, server.url, pushOf('https://another.name', '/notifications?n=1'));
    await expect.poll(() => getShown(ownPhone)).toHaveLength(1);
    const opened = await ownPhone.context.serviceWorkers()[0]!.evaluate(async () => {
      const scope = globalThis as unknown as {
        registration: ServiceWorkerRegistration;
        clients: { openWindow: (url: string) => Promise<null> };
        dispatchEvent: (event: Event) => boolean;
      };
      const [notification] = await scope.registration.getNotifications();
      // A tap that a test makes may open no window.
      const wanted = new Promise<string>((resolve) => {
        scope.clients.openWindow = (url) => {
          resolve(url);
          return Promise.resolve(null);
        };
      });
      const Tap = (globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event })
        .NotificationEvent;
      scope.dispatchEvent(new Tap('notificationclick', { notification }));
      return wanted;
    });
    expect(opened).toBe(`${server.url}/notifications?n=1`);
    await ownPhone.page.goto(opened);
    await expect(ownPhone.page.getByRole('heading', { name: 'Nothing new' })).toBeVisible();
    await expect.poll(() => getShown(ownPhone)).toEqual([]);
  });

  test(
    'names nobody after signing out, and forgets what it showed',
    { tag: '@full' },
    async ({ ownPhone, person, server }) => {
      await makeProfile(person);
      await ownPhone.context.grantPermissions(['notifications'], { origin: server.url });
      await ownPhone.signInForOffline(person);
      await deliverPush(ownPhone, server.url, pushOf(server.url, '/messages/12'));
      await expect.poll(() => getShown(ownPhone)).toHaveLength(1);
      await signOut(ownPhone.page);
      await expect(ownPhone.page).toHaveURL(/\/login$/);
      await expect.poll(() => getShown(ownPhone)).toEqual([]);
      await deliverPush(ownPhone, server.url, pushOf(server.url, '/messages/12'));
      await expect.poll(() => getShown(ownPhone)).toMatchObject([GENERAL]);
    },
  );
});

/** Nobody listens there. */
const PUSH_SERVICE = 'localhost:9';

test.describe('the app', () => {
  test.beforeEach(async ({ server }) => {
    await server.stop();
    await server.start({ PUSH_SUBJECT: 'mailto:ops@callboard.example', PUSH_HOSTS: PUSH_SERVICE });
  });
  test.afterEach(({ server }) => server.stop());

  test(
    'asks after the first request, and says in Settings which hop of a test fails',
    { tag: '@full' },
    async ({ newDevice, person, server }) => {
      await makeProfile(person);
      const other = await makePerson(server.url);
      await makeProfile(other);
      const device = await newDevice({ ownBrowser: true });
      const { page } = device;
      await device.context.grantPermissions(['notifications'], { origin: server.url });
      await addPushService(page, `https://${PUSH_SERVICE}`);
      await device.signInForOffline(person);
      await device.open('/connections');
      const sheet = page.getByRole('dialog', { name: 'Hear when they answer?' });
      await expect(sheet).toHaveCount(0);
      await page
        .getByRole('button', { name: /^Connect with/ })
        .first()
        .click();
      await expect(sheet).toBeVisible();
      await expectAccessible(page);
      await sheet.getByRole('switch', { name: 'Feedback' }).uncheck();
      await sheet.getByRole('button', { name: 'Turn on' }).click();
      await expect(page.getByRole('complementary', { name: 'Message' })).toContainText('Notifications are on');

      // Browsers drop subscriptions without telling: the next start subscribes again.
      await page.evaluate(() => localStorage.removeItem('test:subscribed'));
      await device.open('/');
      await expect.poll(() => page.evaluate(() => localStorage.getItem('test:subscribed'))).toBe('1');

      await device.open('/settings');
      const settings = card(page, 'Notifications');
      await expect(settings.getByRole('switch', { name: 'On this phone' })).toBeChecked();
      await expect(settings.getByRole('switch', { name: 'Feedback' })).not.toBeChecked();
      await settings.getByRole('switch', { name: 'Quiet hours' }).check();
      await expect(settings.getByLabel('From')).toHaveValue('22:00');
      await settings.getByRole('button', { name: 'Send a test' }).click();
      await expect(settings.getByText('The push service could not be reached.')).toBeVisible({ timeout: 20_000 });
      await expectAccessible(page);
      await settings.getByRole('switch', { name: 'On this phone' }).click();
      await expect(settings.getByRole('switch', { name: 'On this phone' })).not.toBeChecked();
      await expect(settings.getByRole('button', { name: 'Send a test' })).toHaveCount(0);
    },
  );
});
