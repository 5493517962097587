import type { AuditRecord } from '#contract/records/desk.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { undoAct, type AfterAct } from './undo-act.ts';
import { getActWords, momentText } from './words.ts';

/** Entries of the log. Acts that can be undone have a button for it. */
export function Log({ entries, ...after }: { entries: readonly AuditRecord[] } & AfterAct) {
  const isOnline = useOnline();
  if (entries.length === 0) return <p className="text-muted">Nothing yet.</p>;
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.id} className="row flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-sm">
          <span className="min-w-0 grow basis-52">
            <b className="font-semibold">{entry.actor}</b> {getActWords(entry)}
            {entry.words !== null && <span className="block text-muted">{entry.words}</span>}
          </span>
          <span className="num whitespace-nowrap text-muted">{momentText(entry.at)}</span>
          {entry.can_undo && (
            <Button
              look="line"
              disabled={!isOnline}
              aria-label={`Undo: ${entry.actor} ${getActWords(entry)}`}
              onClick={() => void undoAct(entry.id, after)}
            >
              Undo
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
