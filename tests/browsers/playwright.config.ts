import { defineConfig } from '@playwright/test';

/** Runs the story in other engines. They are driven past Playwright, which lends its runner and its `expect`. */
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
