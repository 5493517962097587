import { Clapperboard, UserPlus } from 'lucide-react';
import type { ConversationView } from '#db/conversations.ts';
import { readConnectionState } from '#db/saved-and-connected.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { Link } from '#ui/router.tsx';
import { useNow } from '#ui/use-now.ts';

/** Whether people who are not connected have nothing more to write here. @param now milliseconds since 1970 */
export const isClosed = ({ isConnected, audition }: ConversationView, now: number): boolean =>
  !isConnected && audition?.closes_at != null && Date.parse(audition.closes_at) <= now;

/** Below the head of a conversation: the audition about which was asked last. */
export function AuditionBar({ view }: { view: ConversationView }) {
  const now = useNow();
  const { audition, isConnected } = view;
  if (audition === null) return null;
  const { id, role_id: roleId, title, closes_at: closesAt } = audition;
  const closing = isConnected || closesAt === null || isClosed(view, now) ? null : Date.parse(closesAt);
  return (
    <div className="flex items-center gap-2 border-b border-base-300 bg-base-100 px-4 text-sm">
      <Clapperboard className="ic shrink-0 text-muted" aria-hidden />
      <p className="min-w-0 grow py-1.5 leading-snug">
        <Link
          to={roleId === null ? `/auditions/${id}` : `/casting/roles/${roleId}`}
          className="inline-flex min-h-11 max-w-full items-center font-semibold underline"
        >
          <span className="truncate">About {title}</span>
        </Link>
        {closing !== null && (
          <span className="block text-muted">Open for messages until {lowerFirst(momentText(closing, now))}</span>
        )}
      </p>
    </div>
  );
}

/** In place of the message field, once people who are not connected can write nothing more about the audition. */
export function ClosedNote({ view }: { view: ConversationView }) {
  const { engine } = useAccount();
  const { user_id: userId, name } = view.other;
  const connection = useQuery((db) => readConnectionState(db, userId, null), [userId]);
  return (
    <div className="border-t border-base-300 bg-base-100 px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <p className="text-sm">
        This audition ended more than 30 days ago, so nothing more can be written about it. Once you are connected, you
        can go on here.
      </p>
      <div className="mt-2">
        {connection?.value === 'none' && (
          <Button icon={UserPlus} onClick={() => void toastOnError(engine.connect({ userId, name }))}>
            Connect with {name.split(' ')[0]}
          </Button>
        )}
        {connection?.value === 'pending' && <p className="text-sm font-semibold">You asked to connect.</p>}
        {connection?.value === 'asked' && (
          <ButtonLink to="/connections" icon={UserPlus}>
            {name.split(' ')[0]} wants to connect
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
