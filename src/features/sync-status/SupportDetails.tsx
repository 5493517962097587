import { useState } from 'react';
import type { JournalEntry } from '#db/rows.ts';
import { useAccount } from '#session/session.tsx';
import { Button } from '#ui/Button.tsx';
import { copyText } from '#ui/copy-text.ts';

/** Journal entries shown, the newest first. */
const MAX_ENTRIES = 500;

/** Formats the journal, one transition of one change per line. */
function formatJournal(entries: readonly JournalEntry[]): string {
  return entries
    .map(({ at, kind, type, title, from, to, status, op, note }) =>
      [
        ...[new Date(at).toISOString(), `${kind} ${type}`, title, `${from} > ${to}`, status ?? '-', op],
        ...(note === undefined ? [] : [note]),
      ].join(' | '),
    )
    .join('\n');
}

/** The end of the Waiting to send page: the journal, to read or copy for support. */
export function SupportDetails() {
  const { db } = useAccount();
  const [text, setText] = useState<string | null>(null);
  const handleOpen = async () => {
    const entries = await db.journal.orderBy('n').reverse().limit(MAX_ENTRIES).toArray();
    setText(formatJournal(entries));
  };
  return (
    <details className="px-1" onToggle={(event) => event.currentTarget.open && void handleOpen()}>
      <summary className="flex min-h-11 cursor-pointer items-center text-sm font-semibold text-muted underline-offset-4 hover:underline">
        Details for support
      </summary>
      {text !== null && (
        <div className="notice space-y-3 p-4">
          <pre
            className="max-h-72 overflow-auto text-xs whitespace-pre-wrap break-words"
            tabIndex={0}
            role="region"
            aria-label="Details for support"
          >
            {text === '' ? 'Nothing has been sent from here yet.' : text}
          </pre>
          <Button look="tonal" onClick={() => void copyText(text, 'Text copied')}>
            Copy
          </Button>
        </div>
      )}
    </details>
  );
}
