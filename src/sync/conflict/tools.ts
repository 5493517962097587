/** What only a conflict, or a server without keys, has the engine do: no part of what a phone fetches to start. */
export { fetchTheirs } from '../server/lists.ts';
export { probeCreate } from '../server/basic/probe-create.ts';
