import type { Page } from '@playwright/test';

/** Lengths of the tasks over 50 ms while something is done, in milliseconds. */
export async function longTasksWhile(page: Page, work: () => Promise<void>): Promise<number[]> {
  const tasks = await page.evaluateHandle(() => {
    const lengths: number[] = [];
    const observer = new PerformanceObserver((list) => {
      lengths.push(...list.getEntries().map(({ duration }) => duration));
    });
    observer.observe({ type: 'longtask' });
    return { lengths, observer };
  });
  await work();
  return tasks.evaluate(async ({ lengths, observer }) => {
    // The last task is reported once it has ended.
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5000 }));
    lengths.push(...observer.takeRecords().map(({ duration }) => duration));
    observer.disconnect();
    return lengths;
  });
}
