/** `npm run reset`: forgets the database, the stored files and the builds. Asks nothing: name the folder by DATA_DIR. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const dataDir = process.env['DATA_DIR'] ?? 'data';
for (const folder of [dataDir, 'dist']) {
  if (!existsSync(folder)) continue;
  await rm(folder, { recursive: true });
  console.log(`Removed ${join(folder)}`);
}
