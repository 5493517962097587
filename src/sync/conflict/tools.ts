import type { ConflictTools } from '../engine-ports.ts';
import { NOT_REACHED } from '../send/verdict.ts';

/** The code that pages load with the first conflict, or for a server with the basic API. The worker has none of it. */
export { mergeTheirs } from './conflict.ts';
export { fetchTheirs } from '../server/lists.ts';
export { basicApi } from '../server/basic-api.ts';
export { probeCreate } from '../server/basic/probe-create.ts';
export { probeMessage } from '../server/basic/probe-message.ts';

/** Few operators have devices send files to a bucket, so that code is a part of its own. */
export const sendDirectly: ConflictTools['sendDirectly'] = async (...given) => {
  const loaded = await import('../files/direct.ts').catch(() => null);
  return loaded === null ? NOT_REACHED : loaded.sendDirectly(...given);
};
