import { plainCourtesy } from './plain-courtesy.ts';
import { sagAftraTvTheatrical } from './sag-aftra-tv-theatrical.ts';
import type { RulePack } from './pack.ts';

/** Every pack that a project can follow. The first is the default. */
export const RULE_PACKS: readonly RulePack[] = [plainCourtesy, sagAftraTvTheatrical];

export const findPack = (id: string): RulePack | null => RULE_PACKS.find((pack) => pack.id === id) ?? null;

/** The pack that a project or a request names. One that was taken out since is replaced by the default. */
export const getPack = (id: string): RulePack => findPack(id) ?? RULE_PACKS[0]!;
