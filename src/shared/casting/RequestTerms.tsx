import { ChevronDown, FileText } from 'lucide-react';
import { countPages } from '#contract/casting/pages.ts';
import { SHOTS, type AuditionRequest } from '#contract/records/casting.ts';
import { count } from '#lib/text.ts';
import { SidesList } from './SidesList.tsx';

/** What a request says about the tape that it asks for. */
type Terms = Pick<
  AuditionRequest,
  | 'sides'
  | 'sides_text'
  | 'instructions'
  | 'takes'
  | 'slate'
  | 'full_length'
  | 'shot'
  | 'max_minutes'
  | 'max_height'
  | 'memorize'
  | 'naming'
  | 'live_option'
>;

/** 'Up to two takes of five minutes' in the words of the trade, one part a line. */
const toTexts = (terms: Terms): string[] => [
  `Up to ${count(terms.takes, 'take')} of at most ${count(terms.max_minutes, 'minute')}. ${SHOTS[terms.shot]} shot.`,
  ...(terms.slate ? ['A slate'] : []),
  ...(terms.full_length ? ['A full-length shot'] : []),
  ...(terms.max_height == null ? [] : [`A picture of ${terms.max_height}p`]),
  terms.memorize ? 'The lines known by heart' : 'The lines may be read',
  ...(terms.naming ? [`Name of the file: ${terms.naming}`] : []),
  ...(terms.live_option ? [`Instead of a tape: ${terms.live_option}`] : []),
];

interface RequestTermsProps {
  terms: Terms;
  /** Whether the PDFs are kept on this device by themselves, as they are for the performer. */
  areSidesKept?: boolean;
}

/** The pages to read and what to send, as both sides of a request see them. */
export function RequestTerms({ terms, areSidesKept = false }: RequestTermsProps) {
  return (
    <>
      {terms.sides && terms.sides.length > 0 && <SidesList sides={terms.sides} areKept={areSidesKept} />}
      {terms.sides_text && (
        <details className="border-b border-base-300 pb-2">
          <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold">
            <FileText className="ic text-muted" aria-hidden />
            <span className="grow">Read the sides</span>
            <span className="num text-sm font-normal text-muted">{count(countPages(terms.sides_text), 'page')}</span>
            <ChevronDown className="ic text-muted in-open:rotate-180" aria-hidden />
          </summary>
          <p className="leading-relaxed break-words whitespace-pre-line">{terms.sides_text}</p>
        </details>
      )}
      {terms.instructions && (
        <p className="py-2.5 leading-relaxed break-words whitespace-pre-line">{terms.instructions}</p>
      )}
      <ul className="list-disc pl-5 text-sm break-words text-muted">
        {toTexts(terms).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}
