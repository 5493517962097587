import { lazyOptional } from './lazy-part.ts';

// Few people are verified offices, so the code is fetched with the first of them.

/** @see ./VerifiedMark.tsx */
export const VerifiedMark = lazyOptional(async () => (await import('./VerifiedMark.tsx')).VerifiedMark);

/** @see ./VerifiedMark.tsx */
export const VerifiedOffice = lazyOptional(async () => (await import('./VerifiedMark.tsx')).VerifiedOffice);
