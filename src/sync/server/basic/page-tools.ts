/** What pages fetch of it when one is met. The worker, which carries what it needs with it, does without the last. */
export { fetchTheirs } from '../lists.ts';
export { lookForCreate } from './probe-create.ts';
export { lookForMessage } from './probe-message.ts';
