import { Hand } from 'lucide-react';
import { useAccount } from '#session/session.tsx';
import { ButtonLink } from '#ui/Button.tsx';
import { ConfirmEmailCard } from './ConfirmEmailCard.tsx';
import { HomeCard } from './HomeCard.tsx';
import { QuestionCard } from './QuestionCard.tsx';

/** What Home asks of the person, one thing at a time. */
export function HomeNotice() {
  const { asks, is_suspended: isSuspended } = useAccount().user;
  if (isSuspended) return <SuspendedCard />;
  if (asks === 'email') return <ConfirmEmailCard />;
  return asks ? <QuestionCard question={asks} /> : null;
}

/** Says that the person is suspended, also before a write was refused. */
function SuspendedCard() {
  return (
    <HomeCard
      icon={Hand}
      title="You can read, but not write"
      label="Your account"
      isUrgent
      actions={
        <ButtonLink to="/decisions" look="tonal" className="grow md:grow-0">
          Read why
        </ButtonLink>
      }
    >
      <p className="text-sm text-muted">Nobody else sees your profile while this lasts.</p>
    </HomeCard>
  );
}
