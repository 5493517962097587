import { useEffect, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import { call, type Result } from '#net/client.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';

/** Shows whether the app can reach the server. For people who set up a server. */
export function Demo() {
  usePageTitle('Demo');
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Result<{ message: string }> | null>(null);
  useEffect(() => {
    let isMounted = true;
    void call<{ message: string }>(CALLS.test).then((result) => {
      if (!isMounted) return;
      setAnswer(result);
      console.info('The test call answered', result);
    });
    return () => {
      isMounted = false;
    };
  }, [round]);
  return (
    <div className="mx-auto max-w-2xl space-y-3 px-3 pt-4 md:pt-8">
      <h1 className="px-1 text-[1.75rem] font-bold">Demo</h1>
      <Card title="Example Component">
        {answer === null ? (
          <Loading label="Calling the server">
            <Skeleton className="h-6 w-48" />
          </Loading>
        ) : (
          <p role="status">{answer.ok ? answer.data.message : answer.error.message}</p>
        )}
        <Button
          look="line"
          className="mt-3"
          onClick={() => {
            setAnswer(null);
            setRound(round + 1);
          }}
        >
          Call again
        </Button>
      </Card>
    </div>
  );
}
