import { defineConfig } from 'vitest/config';
import { isFull } from './tests/support/quantity.ts';

const project = (name: string, timeoutMs: number, globalSetup?: string) => ({
  extends: true as const,
  test: {
    name,
    globalSetup,
    // Loading the whole server takes longer than most of its test files; what these share is a process, not a database.
    isolate: globalSetup === undefined,
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    exclude: ['tests/server/files-s3.full.test.ts', ...(isFull ? [] : ['**/*.full.test.ts'])],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});

/** What touches stored files, once more with the store on S3: in memory, or the bucket that S3_* name. */
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
    // Two cores are what the tests are sized for; more forks only make the databases slower.
    maxWorkers: 2,
    // The simulation makes many objects that live for a moment.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      s3,
      project('unit', 30_000),
      project('sync', 600_000),
      // Time limits are for tests that hang. One that passes on a busy machine is not failed by a clock.
      project('server', 120_000, './tests/server/support/global.ts'),
      project('contract', 120_000, './tests/server/support/global.ts'),
    ],
  },
});
