import type { ReactNode } from 'react';
import type { AnyRow } from '#contract/section.ts';
import type { LookupEntry } from '#db/lookups.ts';

export interface NamedLanguagesProps {
  /** The body of the section's single item. */
  body: AnyRow;
  /** Renders the languages. A name is '' if this device has never received it. */
  children: (entries: readonly LookupEntry[]) => ReactNode;
}
