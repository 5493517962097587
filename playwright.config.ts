import { defineConfig } from '@playwright/test';
import { isFull } from './tests/support/quantity.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  testMatch: '**/*.spec.ts',
  // Tests tagged @full belong to the full suite alone: see tests/support/quantity.ts.
  grepInvert: isFull ? [] : /@full/,
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
