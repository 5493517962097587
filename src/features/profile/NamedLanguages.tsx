import { lazyOptional } from '#ui/lazy-part.ts';
import { getLanguages } from '#shared/languages.ts';
import type { NamedLanguagesProps } from './languages.ts';

const NamedFromLookup = lazyOptional(
  async () => (await import('./NamedFromLookup.tsx')).NamedFromLookup,
  ({ body, children }: NamedLanguagesProps) => children(getLanguages(body)),
);

/** The languages of a profile with their names. The server sends the names with the languages. */
export function NamedLanguages(props: NamedLanguagesProps) {
  const entries = getLanguages(props.body);
  return entries.every(({ name }) => name) ? props.children(entries) : <NamedFromLookup {...props} />;
}
