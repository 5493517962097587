import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { AuditRecord } from '#contract/records/desk.ts';
import { DeskFrame } from './DeskFrame.tsx';
import { Log } from './Log.tsx';
import { Rest } from './Rest.tsx';
import { useDeskList } from './use-desk-list.ts';

interface Page {
  data: AuditRecord[];
  next_cursor: string | null;
}

/** Every act at the desk, newest first; for operators. */
export function LogPage() {
  const { result, refetch } = useDeskList<Page>(DESK_CALLS.audit);
  return (
    <DeskFrame title="Log of the desk" result={result} onRetry={refetch}>
      {({ rows, ...rest }) => (
        <>
          <h1 className="px-1 pb-3 text-2xl font-bold max-md:sr-only">Log of the desk</h1>
          <div className="notice px-4 py-1">
            <Log entries={rows} onDone={refetch} />
          </div>
          <Rest {...rest} noun="entries" />
        </>
      )}
    </DeskFrame>
  );
}
