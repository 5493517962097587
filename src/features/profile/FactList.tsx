import { ExternalLink } from 'lucide-react';
import { linesOf } from '#lib/section-layout.ts';
import type { CardBodyProps } from './custom-cards.tsx';

/** A single record line by line: 'Height 172.5 cm', 'Passport Yes'; links as links. */
export function FactList({ section, items, menuOf }: CardBodyProps) {
  const item = items[0];
  if (!item) return null;
  const lines = linesOf(section.key, section, item.body).filter((line) => line.words !== '');
  return (
    <div className="flex items-start gap-2">
      <dl className="grid min-w-0 grow grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {lines.map(({ keys, label, words }) => (
          <div key={label} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-muted">{label}</dt>
            <dd className="num min-w-0 font-medium break-words">
              {section.fields[keys[0] ?? '']?.kind === 'link' ? <OutLink address={words} /> : words}
            </dd>
          </div>
        ))}
      </dl>
      {section.most === 1 && menuOf(item)}
    </div>
  );
}

function OutLink({ address }: { address: string }) {
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" className="underline-offset-4 hover:underline">
      {address.replace(/^https?:\/\/(www\.)?/, '')}{' '}
      <ExternalLink className="inline size-4 align-[-0.15em] text-muted" aria-label="opens another site" />
    </a>
  );
}
