import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  // What has a build of its own comes first: left to the end, it would run alone.
  projects: [
    { name: 'extra', testMatch: '**/extra-section.spec.ts' },
    { name: 'app', testMatch: '**/*.spec.ts', testIgnore: '**/extra-section.spec.ts' },
  ],
  // The servers and browsers of two workers are what two cores carry.
  workers: 2,
  fullyParallel: true,
  // A test that passes the second time has found something; it is not repeated until it is silent.
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
});
