import { sectionOf } from '#contract/sections/index.ts';
import type { AccountDb } from './database.ts';
import { avatarOf, sectionItems } from './queries.ts';

/** How much of what casting looks for a profile holds beside its own fields; unsent changes count. */
export interface Holdings {
  hasPortrait: boolean;
  credits: number;
  hasLanguages: boolean;
  hasContact: boolean;
}

export async function holdingsOf(db: AccountDb, profileId: string): Promise<Holdings> {
  const rows = async (key: string) => {
    const section = sectionOf(key);
    return section ? sectionItems(db, section, profileId) : [];
  };
  const [portrait, credits, languages, contacts] = await Promise.all([
    avatarOf(db, profileId),
    rows('experience'),
    rows('language'),
    rows('contact'),
  ]);
  const chosen = languages[0]?.body['languages'];
  return {
    hasPortrait: portrait !== null,
    credits: credits.length,
    hasLanguages: Array.isArray(chosen) && chosen.length > 0,
    hasContact: contacts.length > 0,
  };
}
