import { defineConfig } from 'vitest/config';

const project = (name: string, timeoutMs: number, globalSetup?: string) => ({
  extends: true as const,
  test: {
    name,
    globalSetup,
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    testTimeout: timeoutMs,
    hookTimeout: Math.max(timeoutMs, 60_000),
  },
});

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // Two cores are what the tests are sized for; more forks only make the databases slower.
    maxWorkers: 2,
    // The simulation makes many objects that live for a moment.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      project('unit', 10_000),
      project('sync', 600_000),
      project('server', 30_000, './tests/server/support/global.ts'),
      project('contract', 60_000, './tests/server/support/global.ts'),
    ],
  },
});
