import { card, openSignedIn } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { confirmEmail, readStopPath } from './support/mail.ts';
import { makeProfile, signInByApi } from './support/people.ts';
import { expect, test } from './support/test.ts';

const MAIL_WEBHOOK_SECRET = 'the-mail-service-says-so';
const getsSignInMail = async (person: { call: <T>(method: string, path: string) => Promise<{ body: T }> }) =>
  (await person.call<{ sign_in_mail: boolean }>('GET', '/settings')).body.sign_in_mail;

test.beforeAll(async ({ server }) => {
  await server.stop();
  await server.start({ MAIL_WEBHOOK_SECRET });
});
test.afterAll(async ({ server }) => {
  await server.stop();
  await server.start();
});

test('the link that stops e-mails asks first, and then stops them', async ({ person, server, phone }) => {
  const { page } = phone;
  await signInByApi(server.url, person);
  const { path } = await readStopPath(server, person, 'signin.new');
  await phone.open(path);
  await expect(page.getByRole('heading', { level: 1, name: 'Stop these e-mails' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  expect(await getsSignInMail(person)).toBe(true);
  await page.getByRole('button', { name: 'Stop these e-mails' }).click();
  await expect(page.getByText('You no longer get e-mails about new devices.')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  expect(await getsSignInMail(person)).toBe(false);
});

test(
  'a person whose e-mail bounced is told on Home and in Settings',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    const { page } = phone;
    await makeProfile(person);
    await confirmEmail(server, person);
    await signInByApi(server.url, person);
    const { messageId } = await readStopPath(server, person, 'signin.new');
    const { status } = await fetch(`${server.url}/mail/bounces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${MAIL_WEBHOOK_SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events: [{ message_id: messageId, kind: 'bounce', permanent: true }] }),
    });
    expect(status).toBe(204);
    await openSignedIn(page, person);
    const told = page.getByText(`We couldn’t reach ${person.email}. Check the address.`);
    await expect(told).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('link', { name: 'Change e-mail' }).click();
    await expect(page.getByRole('dialog', { name: 'Change e-mail' })).toBeVisible();
    await expect(told).toBeVisible();
    await expectAccessibleInBothSchemes(page);
  },
);

test(
  'switches e-mail about news and about messages, and keeps both after a reload',
  { tag: '@full' },
  async ({ person, phone }) => {
    const { page } = phone;
    await makeProfile(person);
    await openSignedIn(page, person);
    await phone.open('/settings');
    const settings = card(page, 'E-mail about news');
    const news = settings.getByRole('switch', { name: 'News' });
    const messages = settings.getByRole('switch', { name: 'Messages too' });
    await expect(settings).toContainText('E-mail goes out once your address is confirmed.');
    await expect(news).toBeChecked();
    await messages.check();
    const getMailSettings = async () => {
      const { body } = await person.call<{ news_mail: boolean; message_mail: boolean }>('GET', '/settings');
      return [body.news_mail, body.message_mail];
    };
    await expect.poll(getMailSettings).toEqual([true, true]);
    await page.reload();
    await expect(messages).toBeChecked();
    await expectAccessibleInBothSchemes(page);
    await news.uncheck();
    await expect.poll(getMailSettings).toEqual([false, true]);
    await page.reload();
    await expect(news).not.toBeChecked();
    await expect(messages).toBeDisabled();
    await expect(settings).toContainText('Needs e-mail about news to be on');
    await expectAccessibleInBothSchemes(page);
  },
);
