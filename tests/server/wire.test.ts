import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/platform/paths.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

/** Devices in the field speak the wire of the day they were installed, so a change of it is accepted on purpose. */
test('the wire is the one in docs/openapi.json; a change of it is accepted with `npm run accept-wire`', async () => {
  const { body } = await stage.call('GET /openapi.json');
  await expect(`${JSON.stringify(body, null, 1)}\n`).toMatchFileSnapshot(path.join(projectRoot, 'docs/openapi.json'));
});
