import { defineConfig } from '@playwright/test';
import { isFull } from './tests/support/quantity.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  testMatch: '**/*.spec.ts',
  // Tests tagged @full run only in the full suite: see tests/support/quantity.ts.
  grepInvert: isFull ? [] : /@full/,
  // Two cores can run the servers and browsers of two workers.
  workers: 2,
  fullyParallel: true,
  // No retries: a test that passes only on the second attempt has found a bug.
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
});
