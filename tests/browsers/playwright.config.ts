import { defineConfig } from '@playwright/test';

/** Runs the tests in other engines, with their own drivers. Playwright provides the runner and `expect`. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/browsers',
  projects: [
    { name: 'firefox', metadata: { engine: 'firefox' } },
    { name: 'webkit', metadata: { engine: 'webkit' } },
  ],
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 420_000,
  reporter: 'list',
});
