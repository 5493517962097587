import { defineConfig } from '@playwright/test';

/** Two browsers and the server behind a network that goes wrong: scripts/test-network.ts starts it. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/network',
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // A round takes one to two minutes; one that hangs is ended.
  timeout: 900_000,
  // What is waited for behind faults comes with the second or third attempt.
  expect: { timeout: 30_000 },
  reporter: 'list',
});
