import { defineConfig } from 'vitest/config';
import { isFull } from './tests/support/quantity.ts';

const project = (name: string, timeoutMs: number, globalSetup?: string) => ({
  extends: true as const,
  test: {
    name,
    globalSetup,
    // Loading the whole server or engine takes longer than most test files, so these share a process, but not a database.
    isolate: name === 'unit',
    // A unit test has a thread of its own, which starts faster than a process. The simulation creates many short-lived objects.
    ...(name === 'unit' ? { pool: 'threads' as const } : { execArgv: ['--max-semi-space-size=64'] }),
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    exclude: ['tests/server/files-s3.full.test.ts', ...(isFull ? [] : ['**/*.full.test.ts'])],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});

/** Tests of stored files, repeated with S3: an in-memory store or the bucket that the S3_* variables name. */
const s3 = {
  extends: true as const,
  test: {
    name: 's3',
    isolate: false,
    globalSetup: './tests/server/support/global.ts',
    include: ['s3*', 'store', 'uploads', 'interrupted', 'serving', 'avatar', 'crash'].map(
      (name) => `tests/server/files-${name}.test.ts`,
    ),
    env: { TEST_STORE: 's3', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
};

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // The tests are sized for two cores. More forks only slow the databases down.
    maxWorkers: 2,
    projects: [
      s3,
      project('unit', 30_000),
      project('sync', 600_000),
      // Timeouts catch tests that hang. They are generous, so that a busy machine does not fail a passing test.
      project('server', 120_000, './tests/server/support/global.ts'),
      project('contract', 120_000, './tests/server/support/global.ts'),
    ],
  },
});
