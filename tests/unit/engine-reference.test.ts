import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#server/platform/paths.ts';
import { engineReference } from '../../scripts/reference.ts';

it(
  'the engine’s reference says what its types say; `npm run reference` writes it anew',
  { timeout: 60_000 },
  async () => {
    await expect(engineReference()).toMatchFileSnapshot(path.join(projectRoot, 'docs/for-developers/engine.md'));
  },
);
