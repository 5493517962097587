import { CalendarCheck, CheckCheck, CircleSlash, Eye, Inbox, Reply, Send, Undo2, type LucideIcon } from 'lucide-react';
import { ANSWER_KINDS, getRequestState, type RequestFacts, type RequestState } from '#contract/casting/state.ts';
import type { Answer } from '#contract/records/casting.ts';
import type { Tape } from '#contract/records/tapes.ts';
import type { Item } from '#db/views.ts';
import { StatePill } from '#ui/StatePill.tsx';

const LOOKS: Record<RequestState, { icon: LucideIcon; look: string; word: string }> = {
  asked: { icon: Inbox, look: 'state-asked', word: 'Asked' },
  seen: { icon: Eye, look: 'state-asked', word: 'Seen' },
  confirmed: { icon: CalendarCheck, look: 'state-saved', word: 'Confirmed' },
  declined: { icon: CircleSlash, look: 'state-quiet', word: 'Declined' },
  sent: { icon: Send, look: 'state-sending', word: 'On its way' },
  arrived: { icon: CheckCheck, look: 'state-saved', word: 'Arrived' },
  watched: { icon: Eye, look: 'state-saved', word: 'Watched' },
  answered: { icon: Reply, look: 'state-answer', word: 'Answered' },
  withdrawn: { icon: Undo2, look: 'state-quiet', word: 'Withdrawn' },
};

interface RequestPillProps {
  item: Pick<Item, 'state'> & {
    body: RequestFacts & { answers: readonly Answer[] };
    tape?: { body: Pick<Tape, 'state'> } | null;
  };
  /** What this device itself has seen is no news to the performer. */
  isPerformer?: boolean;
}

/** Where a request stands: what waits on this device first, and then the furthest fact. */
export function RequestPill({ item: { state, body, tape }, isPerformer = false }: RequestPillProps) {
  if (state !== 'saved') return <StatePill state={state} />;
  const reached = getRequestState(body);
  if (reached === 'sent' && tape?.body.state === 'refused')
    return <span className="state state-needs">Not accepted</span>;
  const { icon: Icon, look, word } = LOOKS[isPerformer && reached === 'seen' ? 'asked' : reached];
  const answer = body.answers.at(-1);
  const isNo = answer?.kind === 'no_thank_you';
  return (
    <span className={`state ${reached === 'answered' && isNo ? 'state-quiet' : look}`}>
      <Icon className="ic" aria-hidden />
      <span>{reached === 'answered' && answer ? ANSWER_KINDS[answer.kind] : word}</span>
    </span>
  );
}
