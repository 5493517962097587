import { MessageCircle } from 'lucide-react';
import { getQuestionsEnd } from '#contract/casting/questions.ts';
import type { Audition } from '#contract/records/casting.ts';
import type { PendingMessage } from '#db/conversations.ts';
import { readQuestions } from '#db/questions.ts';
import { momentText } from '#lib/deadline.ts';
import { useAccount } from '#session/session.tsx';
import { getRefusalText } from '#shared/chat/refusal-text.ts';
import { RefusedActions } from '#shared/chat/RefusedActions.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { StatePill } from '#ui/StatePill.tsx';

interface QuestionsCardProps {
  audition: Audition;
  now: number;
  onAsk: () => void;
}

/** What the performer asked about an audition, and where the answers are. */
export function QuestionsCard({ audition, now, onAsk }: QuestionsCardProps) {
  const { id, casting } = audition;
  const view = useQuery((db) => readQuestions(db, id, casting.user_id), [id, casting.user_id]);
  if (view === undefined) return null;
  const { conversation, asked, pending } = view;
  const end = getQuestionsEnd(audition, null);
  const isOver = conversation?.isConnected !== true && end !== null && Date.parse(end) <= now;
  return (
    <Card title="Questions">
      {asked.length + pending.length > 0 && (
        <ul className="mb-3 space-y-3">
          {asked.map(({ id: key, message, created_at: at }) => (
            <li key={key}>
              <p className="break-words whitespace-pre-line">{message}</p>
              <p className="num text-sm text-muted">{momentText(Date.parse(at), now)}</p>
            </li>
          ))}
          {pending.map((message) => (
            <PendingQuestion key={message.id} message={message} />
          ))}
        </ul>
      )}
      {isOver ? (
        <p className="text-sm text-muted">
          This audition ended more than 30 days ago. To ask {casting.name} something, connect first.
        </p>
      ) : (
        asked.length + pending.length === 0 && (
          <p className="mb-3 text-sm text-muted">Something unclear? Ask {casting.name}, also without signal.</p>
        )
      )}
      <div className="flex flex-wrap gap-2">
        {!isOver && (
          <Button look="tonal" icon={MessageCircle} onClick={onAsk}>
            Ask a question
          </Button>
        )}
        {conversation && asked.length > 0 && (
          <ButtonLink look="line" to={`/messages/${conversation.id}`}>
            Open the conversation
            {conversation.unread > 0 && <span className="num">({conversation.unread} new)</span>}
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

/** A question that the server has not confirmed. A refused one says why and what can be done. */
function PendingQuestion({ message }: { message: PendingMessage }) {
  const { engine } = useAccount();
  const { message: text, op, state, reason } = message;
  return (
    <li>
      <div className="flex items-start gap-2">
        <p className="min-w-0 grow break-words whitespace-pre-line">{text}</p>
        <StatePill state={state} />
      </div>
      {state === 'needs' && (
        <RefusedActions
          text={text}
          reason={getRefusalText(message)}
          isBlockingOthers={false}
          onCheck={reason === 'unsure' ? () => void toastOnError(engine.checkIfSent(op)) : undefined}
          onRetry={reason === 'gone' ? undefined : () => void toastOnError(engine.sendAgain(op))}
          onDiscard={() => void toastOnError(engine.discard(op))}
        />
      )}
    </li>
  );
}
