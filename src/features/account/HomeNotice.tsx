import { useAccount } from '#session/session.tsx';
import { ConfirmEmailCard } from './ConfirmEmailCard.tsx';
import { QuestionCard } from './QuestionCard.tsx';

/** What Home asks of the person, one thing at a time. */
export function HomeNotice() {
  const { asks } = useAccount().user;
  if (asks === 'email') return <ConfirmEmailCard />;
  return asks ? <QuestionCard question={asks} /> : null;
}
