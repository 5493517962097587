import { findPaymentWords } from '../scam-words.ts';
import { capitalized, codePoints } from '../text.ts';
import { findDelicateWords, findNudeRequest } from './delicate-words.ts';
import type { Notice, Rule, RulePack } from './pack.ts';
import { countWorkingHours, findEarliestDeadline, toWallTime, type WorkCalendar } from './working-time.ts';

/** What a request demands of a performer, as far as rules speak of it. */
export interface RequestTerms {
  /** When the server accepted the request, or the present in the sender's form; milliseconds since 1970. */
  askedAt: number;
  deadlineAt: number;
  /** IANA name: days begin and end there. */
  timeZone: string;
  /** Whose holidays count, for example `US` or `GB-ENG`; null for none. */
  region: string | null;
  /** Further days off that the project names, YYYY-MM-DD. */
  extraHolidays: readonly string[];
  /** Whether the role is for minors or the performer is one. */
  isMinor: boolean;
  round: 'first' | 'callback';
  /** Pages of all sides together. */
  pages: number;
  instructions: string;
  /** Sides that are text and not a PDF. */
  sidesTexts: readonly string[];
  /** The picture height that is demanded, in pixels; null for any. */
  maxHeight: number | null;
  memorize: boolean;
  /** How to audition live or in person instead; null for not at all. */
  liveOption: string | null;
  /** 'none', or what the performer has to know. What is missing was not answered. */
  notices: Readonly<Partial<Record<Notice, string>>>;
}

/** A rule that a request breaks. */
export interface Breach {
  rule: string;
  text: string;
  /** The earliest deadline that the rule allows, in milliseconds since 1970. */
  earliest?: number;
  /** Whether more is due because the role is for minors or the performer is one. Only the server knows the latter. */
  for_minors?: true;
}

/** Something that the sender is asked about, and may leave as it is. */
export interface Doubt {
  rule: string;
  text: string;
}

/** Why a sender breaks a rule. The performer reads it. */
export interface StatedWaiver {
  rule: string;
  text: string;
}

export const WAIVER_TEXT = { least: 10, most: 500 };

interface Findings {
  breaches: Breach[];
  doubts: Doubt[];
}

const countText = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
/** Hours, rounded down so that a breach never reads as if it were none. */
const hoursText = (hours: number) => countText(Math.floor(hours), 'hour');

/** The calendar that a pack prescribes, and what is unknown about it. */
export function getCalendar(
  { weekend, holidays }: Pick<RulePack, 'weekend' | 'holidays'>,
  { timeZone, region, extraHolidays }: Pick<RequestTerms, 'timeZone' | 'region' | 'extraHolidays'>,
): { calendar: WorkCalendar; until: string | null } {
  const [country = ''] = (region ?? '').split('-');
  const list = region === null || !Object.hasOwn(holidays, region) ? undefined : holidays[region];
  return {
    calendar: {
      timeZone,
      weekend: Object.hasOwn(weekend, country) ? weekend[country]! : weekend.default,
      holidays: new Set([...(list?.days ?? []), ...extraHolidays]),
    },
    until: list?.until ?? null,
  };
}

type CheckOf<Kind extends Rule['kind']> = (
  rule: Extract<Rule, { kind: Kind }>,
  terms: RequestTerms,
  pack: RulePack,
) => { breach?: Omit<Breach, 'rule'>; doubt?: string };

const CHECKS: { [Kind in Rule['kind']]: CheckOf<Kind> } = {
  notice: ({ hours, minorHours, skips }, terms, pack) => {
    const needed = terms.isMinor ? minorHours : hours;
    const { calendar, until } = getCalendar(pack, terms);
    const counting: WorkCalendar = {
      ...calendar,
      weekend: skips.includes('weekends') ? calendar.weekend : [],
      holidays: skips.includes('holidays') ? calendar.holidays : new Set(),
    };
    const earliest = findEarliestDeadline(counting, terms.askedAt, needed);
    const lastDay = new Date(toWallTime(terms.timeZone, terms.deadlineAt)).toISOString().slice(0, 10);
    const isUnknown = skips.includes('holidays') && terms.region !== null && (until === null || lastDay > until);
    const doubt = isUnknown
      ? `We don’t know the holidays of ${terms.region} ${until === null ? '' : `after ${until} `}and count them as working days. Add those that matter.`
      : undefined;
    if (terms.deadlineAt >= earliest) return { ...(doubt !== undefined && { doubt }) };
    const given = countWorkingHours(counting, terms.askedAt, terms.deadlineAt);
    const text = `${hoursText(given)} to tape. ${terms.isMinor ? 'With minors, ' : ''}${hoursText(needed)} are due, not counting weekends and holidays.`;
    const breach = { text, earliest, ...(terms.isMinor && { for_minors: true as const }) };
    return { breach, ...(doubt !== undefined && { doubt }) };
  },
  pages: ({ first, callback }, { round, pages }) => {
    const most = round === 'first' ? first : callback;
    if (pages <= most) return {};
    const when = round === 'first' ? 'in a first round' : 'for a callback';
    return { breach: { text: `${countText(pages, 'page')} of sides. ${capitalized(when)}, ${most} are the most.` } };
  },
  maxHeight: ({ value }, { maxHeight }) =>
    maxHeight === null || maxHeight <= value
      ? {}
      : { breach: { text: `A picture of ${maxHeight} lines is demanded. ${value} are enough.` } },
  mustBeFalse: (_rule, { memorize }) =>
    memorize ? { breach: { text: 'The lines are to be known by heart. Reading is enough.' } } : {},
  noFee: (_rule, { instructions, sidesTexts }) => {
    const words = findPaymentWords(instructions);
    if (words !== null)
      return { breach: { text: `“${words}” sounds like a fee. An audition never costs the performer anything.` } };
    const inSides = sidesTexts.map(findPaymentWords).find((found) => found !== null);
    // Characters may speak of money. The performer is asked for none.
    return inSides == null ? {} : { doubt: `The sides say “${inSides}”. If it isn’t dialogue, take it out.` };
  },
  noticeGiven: ({ notices: wanted }, { notices, instructions, sidesTexts }) => {
    const missing = wanted.filter((notice) => !notices[notice]?.trim());
    if (missing.length > 0) {
      const text = `Say what the role asks for, or “none”: ${missing.join(', ')}.`;
      return { breach: { text } };
    }
    for (const notice of wanted) {
      if (notices[notice]?.trim().toLowerCase() !== 'none') continue;
      const words = [instructions, ...sidesTexts]
        .map((text) => findDelicateWords(notice, text))
        .find((found) => found !== null);
      if (words != null)
        return {
          doubt: `You say that there is no ${notice === 'stunts' ? 'stunt' : notice}, but the text says “${words}”.`,
        };
    }
    return {};
  },
  neverAsked: (_rule, { instructions }) => {
    const words = findNudeRequest(instructions);
    return words === null
      ? {}
      : { breach: { text: `“${words}” asks for nude material. Nobody may ask for that in an audition.` } };
  },
  required: (_rule, { liveOption }) =>
    liveOption?.trim() ? {} : { breach: { text: 'No way to audition live or in person is offered.' } },
};

function checkRule<Kind extends Rule['kind']>(
  rule: Extract<Rule, { kind: Kind }>,
  terms: RequestTerms,
  pack: RulePack,
): ReturnType<CheckOf<Kind>> {
  return CHECKS[rule.kind](rule, terms, pack);
}

/** Finds the rules that a request breaks, and what its sender should look at again, in the order of the pack. */
export function checkRules(pack: RulePack, terms: RequestTerms): Findings {
  const findings: Findings = { breaches: [], doubts: [] };
  for (const rule of pack.rules) {
    const { breach, doubt } = checkRule(rule, terms, pack);
    if (breach !== undefined) findings.breaches.push({ rule: rule.id, ...breach });
    if (doubt !== undefined) findings.doubts.push({ rule: rule.id, text: doubt });
  }
  return findings;
}

/** Whether a waiver has a reason of proper length for a rule that may be waived. */
const holds = (pack: RulePack, { rule: id, text }: StatedWaiver): boolean => {
  const length = codePoints(text.trim());
  const rule = pack.rules.find((each) => each.id === id);
  return rule?.waiver === 'reason' && length >= WAIVER_TEXT.least && length <= WAIVER_TEXT.most;
};

/** The breaches for which no waiver holds. A request leaves only when there is none. */
export function listUnwaived(pack: RulePack, breaches: readonly Breach[], waivers: readonly StatedWaiver[]): Breach[] {
  const waived = new Set(waivers.filter((waiver) => holds(pack, waiver)).map(({ rule }) => rule));
  return breaches.filter(({ rule }) => !waived.has(rule));
}
