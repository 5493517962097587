/**
 * The facts of a request: each a time, ISO text, that is set once and never moves. What a request's state is follows from them, so it cannot
 * go back by mistake. Of `confirmed_at` and `declined_at` the later one holds: people may think again.
 */
export interface RequestFacts {
  asked_at: string;
  seen_at: string | null;
  confirmed_at: string | null;
  declined_at: string | null;
  /** When a tape was announced, when one had arrived whole, and when it was first watched. */
  announced_at: string | null;
  arrived_at: string | null;
  watched_at: string | null;
  answered_at: string | null;
  withdrawn_at: string | null;
}

export const REQUEST_STATES = [
  'asked',
  'seen',
  'confirmed',
  'declined',
  'sent',
  'arrived',
  'watched',
  'answered',
  'withdrawn',
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

const isLater = (one: string | null, other: string | null): boolean =>
  one !== null && (other === null || Date.parse(one) >= Date.parse(other));

/** Whether the performer has said no, and not yes since. */
export const isDeclined = ({
  confirmed_at,
  declined_at,
}: Pick<RequestFacts, 'confirmed_at' | 'declined_at'>): boolean =>
  declined_at !== null && !isLater(confirmed_at, declined_at);

/** The furthest fact that holds. */
export function getRequestState(facts: RequestFacts): RequestState {
  if (facts.withdrawn_at !== null) return 'withdrawn';
  if (facts.answered_at !== null) return 'answered';
  if (facts.watched_at !== null) return 'watched';
  if (facts.arrived_at !== null) return 'arrived';
  if (isDeclined(facts)) return 'declined';
  if (facts.announced_at !== null) return 'sent';
  if (facts.confirmed_at !== null) return 'confirmed';
  return facts.seen_at === null ? 'asked' : 'seen';
}

export const ANSWER_KINDS = {
  callback: 'Callback',
  pencil: 'Pencil',
  cast: 'Cast',
  no_thank_you: 'No, thank you',
} as const;
export type AnswerKind = keyof typeof ANSWER_KINDS;

/** Answers after which nothing more is to come, so that "role is cast" leaves these people alone. */
export const FINAL_ANSWERS: readonly AnswerKind[] = ['cast', 'no_thank_you'];

/** Whether the last answer is a final one. */
export const isAnsweredFinally = (answers: readonly { kind: AnswerKind }[]): boolean => {
  const last = answers.at(-1);
  return last !== undefined && FINAL_ANSWERS.includes(last.kind);
};

interface InRound {
  /** The request of the round before. */
  previous_id?: string | null;
  withdrawn_at?: string | null;
}

/** The ids of requests whose place one of a later round has taken: the person hears the last word there. One that was withdrawn takes no place. */
export const findReplaced = (requests: readonly InRound[]): ReadonlySet<string> =>
  new Set(requests.flatMap(({ previous_id: id, withdrawn_at }) => (id == null || withdrawn_at != null ? [] : [id])));

/**
 * Whether the performer has nothing more to say to a request: it was withdrawn, or its role was cast with others or closed. Whoever was
 * cast may still confirm or decline.
 */
export const isOver = (
  { withdrawn_at, answers }: { withdrawn_at: string | null; answers: readonly { kind: AnswerKind }[] },
  roleStatus: 'open' | 'cast' | 'closed',
): boolean => withdrawn_at !== null || (roleStatus !== 'open' && answers.at(-1)?.kind !== 'cast');
