import { ADULT } from '../support/adult.ts';
import { signUp } from './support/actions.ts';
import { buildAccount } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeAll(async ({ server }) => {
  await server.stop();
  await server.start({ CHALLENGE: '1' });
});
test.afterAll(async ({ server }) => {
  await server.stop();
  await server.start();
});

test('signing up solves the challenge while the person types, without a word', async ({ phone }) => {
  const { page } = phone;
  const account = buildAccount();
  await page.goto('/register');
  const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/challenge');
  await page.getByLabel('Your name').fill(account.name);
  expect((await asked).status()).toBe(200);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByLabel('Date of birth').fill(ADULT.born_on);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/profile\/step\//, { timeout: 30_000 });
});

test(
  'signing up tries again by itself with a new challenge when the server does not accept the first',
  { tag: '@full' },
  async ({ phone }) => {
    const { page } = phone;
    phone.allowBrowserError(/status of 422/);
    const account = buildAccount();
    const answers: number[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/register' && response.request().method() === 'POST') {
        answers.push(response.status());
      }
    });
    await page.route('**/register', async (route) => {
      const request = route.request();
      if (request.method() !== 'POST' || answers.length > 0) return route.fallback();
      await route.continue({ postData: JSON.stringify({ ...request.postDataJSON(), challenge: 'spoiled' }) });
    });
    await signUp(page, account);
    await expect(page).toHaveURL(/\/profile\/step\//, { timeout: 30_000 });
    expect(answers).toEqual([422, 201]);
  },
);
