import { useState } from 'react';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { AuditRecord } from '#contract/records/desk.ts';
import { Button } from '#ui/Button.tsx';
import { DeskFrame } from './DeskFrame.tsx';
import { Log } from './Log.tsx';
import { useDesk } from './use-desk.ts';

interface Page {
  data: AuditRecord[];
  next_cursor: string | null;
}

/** Every act at the desk, newest first; for operators. */
export function LogPage() {
  const [cursors, setCursors] = useState<string[]>([]);
  const { result, refetch } = useDesk<Page>(DESK_CALLS.audit, { cursor: cursors.at(-1) ?? '' });
  return (
    <DeskFrame title="Log of the desk" result={result} onRetry={refetch}>
      {({ data, next_cursor }) => (
        <>
          <h1 className="px-1 pb-3 text-2xl font-bold">Log of the desk</h1>
          <div className="notice px-4 py-1">
            <Log entries={data} onUndone={refetch} />
          </div>
          <div className="mt-3 flex gap-2">
            {cursors.length > 0 && (
              <Button look="line" onClick={() => setCursors(cursors.slice(0, -1))}>
                Newer
              </Button>
            )}
            {next_cursor !== null && (
              <Button look="line" onClick={() => setCursors([...cursors, next_cursor])}>
                Older
              </Button>
            )}
          </div>
        </>
      )}
    </DeskFrame>
  );
}
