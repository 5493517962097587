/** What is queued for casting and auditions. Loaded with the first of it: few starts of the app need it. */
export { act, type Act } from './acts.ts';
export { sendTape, type NewTape } from './tapes.ts';
