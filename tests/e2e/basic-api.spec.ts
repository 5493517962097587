import { addSkill, expectAllSaved, card, openSignedIn, openWaiting, pill, row, getSkills } from './support/actions.ts';
import { type TcpProxy, startTcpProxy } from './support/tcp-proxy.ts';
import { expectChangesSent, expectChangesOnServer, makeChangesAndKillBrowser } from './support/offline-work.ts';
import { makeProfile } from './support/people.ts';
import { getOutbox } from './support/client-store.ts';
import { expect, test as base } from './support/test.ts';

/** Adds a TCP proxy in front of the basic API, which can drop its responses. */
const test = base.extend<{ basicApiProxy: TcpProxy }>({
  basicApiProxy: async ({ basicApi }, use) => {
    const tcpProxy = await startTcpProxy(Number(new URL(basicApi.url).port));
    await use(tcpProxy);
    await tcpProxy.close();
  },
});

test(
  'sends work done offline exactly once to a basic-API server',
  { tag: '@full' },
  async ({ person, basicApi, server, newDevice }) => {
    await makeProfile(person);
    const phone = await newDevice({ url: basicApi.url, ownBrowser: true });
    phone.allowBrowserError(/status of 404/);
    await openSignedIn(phone.page, person);
    await phone.readyForOffline();

    await makeChangesAndKillBrowser(phone, server);
    await server.start();
    await expectChangesSent(phone);
    await expectChangesOnServer(person, phone.page);
    expect(basicApi.rejectedCalls()).toContain('GET /config');
  },
);

test(
  'does not resend a create whose response was lost when the record is found',
  { tag: '@full' },
  async ({ person, basicApiProxy, newDevice }) => {
    const profile = await makeProfile(person);
    const phone = await newDevice({ url: basicApiProxy.url });
    phone.allowBrowserError(/status of 404/);
    await openSignedIn(phone.page, person);
    basicApiProxy.dropResponseTo('POST /skills');
    await addSkill(phone.page, 'Kathak', 'Expert');
    await expect.poll(() => basicApiProxy.droppedCount()).toBe(1);
    await expectAllSaved(phone.page);
    expect(await getSkills(person, profile.id)).toEqual(['Kathak']);
    expect(await getOutbox(phone.page)).toEqual([]);
    await expect(row(card(phone.page, 'Skills'), 'Kathak')).toHaveCount(1);
  },
);

test(
  'lets the user decide after a lost response when the server has an equal record',
  { tag: '@full' },
  async ({ person, basicApiProxy, newDevice }) => {
    const profile = await makeProfile(person);
    const phone = await newDevice({ url: basicApiProxy.url });
    const { page } = phone;
    phone.allowBrowserError(/status of 404/);
    await openSignedIn(page, person);
    await expect(card(page, 'Skills')).toBeVisible();

    // Another device adds an equal record that this one has not pulled.
    await person.call('POST', '/skills', { profile_id: profile.id, name: 'Kathak', level: 3 });
    basicApiProxy.dropResponseTo('POST /skills');
    await addSkill(page, 'Kathak', 'Expert');
    await expect.poll(() => basicApiProxy.droppedCount()).toBe(1);

    await expect(pill(page)).toHaveText('1 needs you', { timeout: 20_000 });
    await openWaiting(page);
    await expect(row(page, 'Kathak')).toContainText('This may already have been sent');
    expect(await getSkills(person, profile.id)).toEqual(['Kathak', 'Kathak']);
    await row(page, 'Kathak').getByRole('button', { name: 'Check' }).click();
    await expect(row(page, 'Kathak')).toContainText('This may already have been sent');
    expect(await getSkills(person, profile.id)).toEqual(['Kathak', 'Kathak']);
  },
);
