/** What pages fetch of it when one is met. The worker, which carries what it needs with it, does without the last. */
export { fetchTheirs } from '../lists.ts';
export { probeCreate } from './probe-create.ts';
export { probeMessage } from './probe-message.ts';
