import type { RequestTerms } from '../rules/check.ts';
import { NOTICES } from '../rules/pack.ts';
import { readExtraHolidays } from './extra-holidays.ts';
import { countPages } from './pages.ts';

/** What a role tells performers before they say yes, by the kinds that a request keeps. */
export type Notices = Record<(typeof NOTICES)[number] | 'minors' | 'other', string | null>;

/** The fields of a role from which its notices are read. */
type RoleNotices = Record<(typeof NOTICES)[number] | 'minors' | 'other_notice', string | null>;

/** The notices of a role, as a request keeps them. */
export const getNotices = ({ nudity, intimacy, stunts, minors, other_notice }: RoleNotices): Notices => ({
  nudity,
  intimacy,
  stunts,
  minors,
  other: other_notice,
});

/** Whether a role is for minors: its notice says more than “none”. */
export const isForMinors = ({ minors }: Pick<Notices, 'minors'>): boolean =>
  minors !== null && !['', 'none'].includes(minors.trim().toLowerCase());

/** What of a request the rules speak of. */
interface AskedFor {
  round: RequestTerms['round'];
  instructions?: string | null | undefined;
  sides_text?: string | null | undefined;
  /** The PDFs among the sides. */
  sides?: readonly { pages: number }[];
  max_height?: number | null | undefined;
  memorize: boolean;
  live_option?: string | null | undefined;
  deadline_at: string;
}

interface Circumstances {
  notices: Notices;
  /** Of a project from before there were any, `extra_holidays` is absent. */
  project: { time_zone: string; region: string | null; extra_holidays?: string | null | undefined };
  /** Milliseconds since 1970. */
  askedAt: number;
  isPerformerMinor: boolean;
}

/** What `checkRules` looks at: the same in the sender's form and when the server accepts the request. */
export function toRequestTerms(asked: AskedFor, circumstances: Circumstances): RequestTerms {
  const { notices, project, askedAt, isPerformerMinor } = circumstances;
  const sides = asked.sides_text ?? '';
  return {
    askedAt,
    deadlineAt: Date.parse(asked.deadline_at),
    timeZone: project.time_zone,
    region: project.region,
    extraHolidays: readExtraHolidays(project.extra_holidays ?? null),
    isMinor: isPerformerMinor || isForMinors(notices),
    round: asked.round,
    pages: (asked.sides ?? []).reduce((sum, { pages }) => sum + pages, countPages(sides)),
    instructions: asked.instructions ?? '',
    sidesTexts: sides === '' ? [] : [sides],
    maxHeight: asked.max_height ?? null,
    memorize: asked.memorize,
    liveOption: asked.live_option ?? null,
    notices: Object.fromEntries(NOTICES.map((notice) => [notice, notices[notice] ?? ''])),
  };
}
