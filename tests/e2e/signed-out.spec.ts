import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const pages = [
  ...['/', '/login', '/register', '/recover', '/forgot', '/reset', '/confirm#t=token', '/secure#t=token', '/guardian'],
  '/no/such/page',
];

for (const shape of ['phone', 'desktop'] as const) {
  test(
    `signed-out pages are accessible in light and dark mode: ${shape}`,
    { tag: shape === 'desktop' ? ['@full'] : [] },
    async ({ newDevice }) => {
      const device = await newDevice({ shape });
      for (const address of pages) {
        await device.open(address);
        await expect(device.page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessibleInBothSchemes(device.page);
        const overflow = await device.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([address, overflow]).toEqual([address, 0]);
      }
    },
  );
}
