/** The texts that people agree to. */
export const LEGAL_DOCUMENTS = ['terms', 'privacy'] as const;
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number];

interface LegalText {
  title: string;
  /** Its page. */
  path: string;
  /** Every version, oldest first. `changes`: what is new, in at most two lines; nothing in the first. */
  versions: readonly [LegalVersion, ...LegalVersion[]];
}
export interface LegalVersion {
  version: string;
  changes: readonly string[];
}

/** A new version here asks everybody once. The pages with the texts are in `src/app/pages/Legal.tsx`. */
export const LEGAL: Record<LegalDocument, LegalText> = {
  terms: {
    title: 'Terms & Conditions',
    path: '/terms',
    versions: [{ version: '1', changes: ['People under 18 need a parent or guardian who agrees.'] }],
  },
  privacy: {
    title: 'Privacy Policy',
    path: '/privacy',
    versions: [
      {
        version: '1',
        changes: [
          'You choose whether visitors see phone numbers, e-mail addresses and your day rate.',
          'We keep your date of birth, and which version of this text you agreed to.',
        ],
      },
    ],
  },
};

/** The version that counts now. */
export const getCurrentVersion = (document: LegalDocument): LegalVersion => LEGAL[document].versions.at(-1)!;

export const isKnownVersion = (document: LegalDocument, version: string): boolean =>
  LEGAL[document].versions.some((each) => each.version === version);

/** The current version of every text, as somebody agrees to all of them. */
export const getCurrentVersions = (): Record<LegalDocument, string> => ({
  terms: getCurrentVersion('terms').version,
  privacy: getCurrentVersion('privacy').version,
});
