'fetched soon after the start';

import { ExternalLink } from 'lucide-react';
import { formatFields } from '#lib/section-layout.ts';
import type { CardBodyProps } from './card-body.ts';

const TILES = 'grid min-w-0 grow grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3';
const LINES = 'grid min-w-0 grow grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5';

/**
 * Renders a single record as facts: short ones side by side ('Height 172.5 cm', 'Passport Yes'), links one below the other.
 * Empty facts and flags that are off are left out.
 */
export function FactList({ section, items, renderMenu }: CardBodyProps) {
  const item = items[0];
  if (!item) return null;
  const isLink = (key: string | undefined) => section.fields[key ?? '']?.kind === 'link';
  const isPresent = (key: string) => section.fields[key]?.kind !== 'flag' || item.body[key] === true;
  const lines = formatFields(section, item.body).filter((line) => line.words !== '' && line.keys.every(isPresent));
  const isShort = !Object.keys(section.fields).some(isLink);
  return (
    <div className="flex items-start gap-2">
      <dl className={isShort ? TILES : LINES}>
        {lines.map(({ keys, label, words }) => (
          <div key={label} className={isShort ? 'min-w-0' : 'col-span-2 grid grid-cols-subgrid'}>
            <dt className={isShort ? 'lab' : 'text-muted'}>{label}</dt>
            <dd className={`num min-w-0 break-words ${isShort ? 'mt-0.5 leading-snug font-semibold' : 'font-medium'}`}>
              {isLink(keys[0]) ? <ExternalLinkText address={words} /> : words}
            </dd>
          </div>
        ))}
      </dl>
      {section.maxItems === 1 && renderMenu(item)}
    </div>
  );
}

function ExternalLinkText({ address }: { address: string }) {
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" className="underline-offset-4 hover:underline">
      {address.replace(/^https?:\/\/(www\.)?/, '')}{' '}
      <ExternalLink className="inline size-4 align-[-0.15em] text-muted" aria-label="opens another website" />
    </a>
  );
}
