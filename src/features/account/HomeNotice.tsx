import { Hand } from 'lucide-react';
import { useAccount } from '#session/session.tsx';
import { ButtonLink } from '#ui/Button.tsx';
import { ConfirmEmailCard } from './ConfirmEmailCard.tsx';
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
    <section className="notice grid content-center gap-3 p-4" aria-label="Your account">
      <div className="flex gap-3">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-needs-tint text-needs">
          <Hand className="ic" aria-hidden />
        </span>
        <div className="min-w-0 grow">
          <h2 className="font-semibold">You can read, but not write</h2>
          <p className="text-sm text-muted">Nobody else sees your profile while this lasts.</p>
        </div>
      </div>
      <div className="flex">
        <ButtonLink to="/decisions" look="tonal" className="grow md:grow-0">
          Read why
        </ButtonLink>
      </div>
    </section>
  );
}
