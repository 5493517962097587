import type { Page } from '@playwright/test';
import { openDevice, type Device } from '#tests/e2e/support/device.ts';
import type { Person } from '#tests/e2e/support/people.ts';
import { BENCH_PATH, serveBenchPage } from './bench-page.ts';

/**
 * Opens a browser with a profile on disk, on a page of the server's origin that contains the engine of `person`.
 * @param files responses for further addresses under /bench/
 */
export async function openEngine(
  url: string,
  person: Person,
  files: Record<string, Buffer> = {},
): Promise<{ device: Device; page: Page }> {
  const device = await openDevice({ url, shape: 'desktop' });
  await serveBenchPage(device, { source: 'bench/engine-page.ts', workers: ['src/lib/digest-worker.ts'], files });
  await device.open(BENCH_PATH);
  await device.page.evaluate(([id, token]) => window.enginePage.open(id, token), [
    String(person.id),
    person.token,
  ] as const);
  return { device, page: device.page };
}
