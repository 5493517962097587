// One command: builds what is stale, then serves app and API with demo people in an empty store.
// Plain JavaScript, and the build in a process of its own, so that the server runs without the build's memory and loaders.
import { spawnSync } from 'node:child_process';

const build = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

process.env.SEED_DEMO ??= '1';
process.env.NODE_ENV ??= 'production';
await import('../dist/server/main.js');
