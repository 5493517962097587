/** What is queued for casting and auditions. Loaded with the first of it: few starts of the app need it. */
export { act, type Act } from './acts.ts';
export { createAll } from './create-all.ts';
export { askQuestion, type NewQuestion } from './questions.ts';
export { addCandidates, moveCandidates, type CandidatePlace, type NewCandidates } from './shortlist.ts';
export { sendTape, type NewTape } from './tapes.ts';
