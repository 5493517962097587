import { useAccount } from '#session/session.tsx';
import { ConfirmEmailCard } from './ConfirmEmailCard.tsx';
import { QuestionCard } from './QuestionCard.tsx';

/** What Home asks of the person, one thing at a time. */
export function HomeNotice() {
  const { user } = useAccount();
  if (user.email_verified === false) return <ConfirmEmailCard />;
  return user.asks ? <QuestionCard question={user.asks} /> : null;
}
