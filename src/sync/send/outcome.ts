import type { ConflictTools } from '../engine-ports.ts';
import type { Verdict } from './verdict.ts';

type Merge = Extract<Verdict, { do: 'merge' }>;

/** A verdict that can be stored: a merge comes with its code, which few changes ever need. */
export type Outcome = Exclude<Verdict, Merge> | (Merge & Pick<ConflictTools, 'mergeTheirs'>);
