import { EyeOff, Hand } from 'lucide-react';
import { useAccount } from '#session/session.tsx';
import { ButtonLink } from '#ui/Button.tsx';
import { ConfirmEmailCard } from './ConfirmEmailCard.tsx';
import { HIDDEN_NOUNS } from './hidden-nouns.ts';
import { HomeCard } from './HomeCard.tsx';
import { QuestionCard } from './QuestionCard.tsx';

/** What Home tells the person, and asks of them, one thing at a time. */
export function HomeNotice() {
  const { asks, is_suspended: isSuspended, hidden_by_desk: hidden = [] } = useAccount().user;
  if (isSuspended) return <SuspendedCard />;
  return (
    <div className="space-y-3">
      {hidden.length > 0 && <HiddenCard hidden={hidden} />}
      {asks === 'email' && <ConfirmEmailCard />}
      {asks && asks !== 'email' && <QuestionCard question={asks} />}
    </div>
  );
}

/** Says that the desk hides something of the person's, and leads to why and to the answer. */
function HiddenCard({ hidden }: { hidden: readonly string[] }) {
  const [first = ''] = hidden;
  const noun = HIDDEN_NOUNS[first.split(':')[0] ?? ''] ?? 'text';
  return (
    <HomeCard
      icon={EyeOff}
      title={
        hidden.length === 1 ? `Your ${noun} is hidden from others` : `${hidden.length} things are hidden from others`
      }
      label="Hidden from others"
      isUrgent
      actions={
        <ButtonLink to="/decisions" look="tonal" className="grow md:grow-0">
          Read why and answer
        </ButtonLink>
      }
    >
      <p className="text-sm text-muted">
        The Callboard team decided this. Only you see {hidden.length === 1 ? 'it' : 'them'} while this lasts.
      </p>
    </HomeCard>
  );
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
