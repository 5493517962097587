import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { DeskJob } from '#contract/records/desk.ts';
import { count } from '#lib/text.ts';
import { call } from '#net/client.ts';
import { Button } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { toast } from '#ui/Toast.tsx';
import { DeskFrame } from './DeskFrame.tsx';
import { useDesk } from './use-desk.ts';
import { momentText } from './words.ts';

/** Background jobs that failed; for operators. */
export function JobsPage() {
  const { result, refetch } = useDesk<DeskJob[]>(DESK_CALLS.jobs);
  const run = async (endpoint: (typeof DESK_CALLS)['retryJob' | 'dropJob'], id: string) => {
    const answer = await call<{ message: string }>(endpoint, { params: { id }, key: crypto.randomUUID() });
    toast({ text: answer.ok ? answer.data.message : answer.error.message });
    await refetch();
  };
  const drop = async ({ id, name }: DeskJob) => {
    const isSure = await confirm({
      title: `Remove ${name}?`,
      text: 'What it was to do is never done.',
      yes: 'Remove',
      danger: true,
    });
    if (isSure) await run(DESK_CALLS.dropJob, id);
  };
  return (
    <DeskFrame title="Failed jobs" result={result} onRetry={refetch}>
      {(jobs) => (
        <>
          <h1 className="px-1 pb-3 text-2xl font-bold max-md:sr-only">Failed jobs</h1>
          {jobs.length === 0 && <p className="notice p-4 text-muted">Everything was done.</p>}
          {jobs.length > 0 && (
            <ul className="notice px-4">
              {jobs.map((job) => (
                <li key={job.id} className="row py-3">
                  <p className="font-semibold">{job.name}</p>
                  <p className="text-sm text-muted">
                    {count(job.tries, 'try', 'tries')} of {job.max_tries},{' '}
                    {job.next_at === null ? 'given up' : `again ${momentText(job.next_at)}`}
                  </p>
                  <p className="mt-1 text-sm break-all">{job.failure}</p>
                  <div className="mt-2 flex gap-2">
                    <Button
                      look="tonal"
                      aria-label={`Try ${job.name} again`}
                      onClick={() => void run(DESK_CALLS.retryJob, job.id)}
                    >
                      Try again
                    </Button>
                    <Button look="line" aria-label={`Remove ${job.name}`} onClick={() => void drop(job)}>
                      Remove
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </DeskFrame>
  );
}
