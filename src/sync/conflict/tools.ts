/** The code that pages load with the first conflict, or for a server with the basic API. The worker has none of it. */
export { mergeTheirs } from './conflict.ts';
export { fetchTheirs } from '../server/lists.ts';
export { basicApi } from '../server/basic-api.ts';
export { probeCreate } from '../server/basic/probe-create.ts';
export { probeMessage } from '../server/basic/probe-message.ts';
