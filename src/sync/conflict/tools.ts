/** Code for conflicts and for servers without idempotency keys, kept out of the first bundle. */
export { fetchTheirs } from '../server/lists.ts';
export { probeCreate } from '../server/basic/probe-create.ts';
