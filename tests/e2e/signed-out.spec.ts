import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const pages = ['/', '/login', '/register', '/no/such/page'];

for (const shape of ['phone', 'desktop'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the signed-out pages shut nobody out: ${shape}, ${colorScheme}`, async ({ newDevice }) => {
      const device = await newDevice({ shape, colorScheme });
      for (const address of pages) {
        await device.open(address);
        await expect(device.page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(device.page);
        const overflow = await device.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([address, overflow]).toEqual([address, 0]);
      }
    });
  }
}
