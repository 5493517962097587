import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/platform/paths.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();

/** Installed apps use the API of the day they were built, so a change must be accepted explicitly. */
test('matches the API description in docs/openapi.json; accept a change with `npm run accept-wire`', async () => {
  const { body } = await testServer.call('GET /openapi.json');
  await expect(`${JSON.stringify(body, null, 1)}\n`).toMatchFileSnapshot(path.join(projectRoot, 'docs/openapi.json'));
});
