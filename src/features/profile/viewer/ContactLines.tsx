import { Mail, Phone } from 'lucide-react';
import { CONTACT_TYPES } from '#contract/sections/contact.ts';
import type { CardBodyProps } from '../card-body.ts';

/** Renders contacts with buttons to call and to write. */
export function ContactLines({ items }: Pick<CardBodyProps, 'items'>) {
  return (
    <ul>
      {items.map(({ key, body }) => {
        const { name, mobile, email, address } = body as Record<string, string | null>;
        const kind = CONTACT_TYPES.find((type) => type.value === body.contact_type)?.label;
        const details = [mobile, email, address].filter(Boolean).join(', ');
        return (
          <li key={key} className="flex flex-wrap items-center gap-2 border-t border-base-300 py-2.5 first:border-t-0">
            <div className="min-w-0 grow basis-40 leading-snug">
              <div className="font-semibold break-words">{name}</div>
              <div className="text-sm break-words">
                {kind}
                {details && <span className="text-muted"> · {details}</span>}
              </div>
            </div>
            {mobile && (
              <a
                href={`tel:${mobile.replace(/[^\d+]/g, '')}`}
                className="tap btn btn-tonal btn-square"
                aria-label={`Call ${name}`}
              >
                <Phone className="ic" aria-hidden />
              </a>
            )}
            {email && (
              <a href={`mailto:${email}`} className="tap btn btn-tonal btn-square" aria-label={`Write to ${name}`}>
                <Mail className="ic" aria-hidden />
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}
