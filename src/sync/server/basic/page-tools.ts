/** The conflict tools that pages load on first use. The worker has the first two bundled and does without the last. */
export { fetchTheirs } from '../lists.ts';
export { probeCreate } from './probe-create.ts';
export { probeMessage } from './probe-message.ts';
