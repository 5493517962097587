import { useEffect, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#session/use-online.ts';
import { Card } from '#ui/Card.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { toast } from '#ui/Toast.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { NeedsSignal } from './NeedsSignal.tsx';

interface Settings {
  read_receipts: boolean;
}
type Shown = { kind: 'loading' } | { kind: 'here'; isOn: boolean } | { kind: 'not here'; why: string };

/** Whether others see how far this person has read. */
export function ReceiptsCard() {
  const isOnline = useOnline();
  const [shown, setShown] = useState<Shown>({ kind: 'loading' });
  useEffect(() => {
    let isHere = true;
    void call<Settings>(CALLS.settings).then((answer) => {
      if (!isHere) return;
      if (answer.ok) return setShown({ kind: 'here', isOn: answer.data.read_receipts });
      const why = answer.error.reason === 'missing' ? 'This server has no read receipts.' : answer.error.message;
      // The choice as it was a moment ago says more than that there is no signal now.
      setShown((before) => (before.kind === 'here' ? before : { kind: 'not here', why }));
    });
    return () => {
      isHere = false;
    };
  }, [isOnline]);
  const change = async (isOn: boolean) => {
    setShown({ kind: 'here', isOn });
    const answer = await call<{ data: Settings }>(CALLS.changeSettings, { body: { read_receipts: isOn } });
    if (answer.ok) return;
    setShown({ kind: 'here', isOn: !isOn });
    toast({ text: answer.error.message });
  };
  return (
    <Card title="Messages">
      {shown.kind === 'loading' && (
        <Loading label="Loading your choice">
          <Skeleton className="h-11 w-full" />
        </Loading>
      )}
      {shown.kind === 'not here' && <p className="text-muted">{shown.why}</p>}
      {shown.kind === 'here' && (
        <>
          <Toggle
            label="Read receipts"
            checked={shown.isOn}
            disabled={!isOnline}
            onChange={(isOn) => void change(isOn)}
          />
          <p className="text-sm text-muted">
            Others see how far you have read, and you see how far they have. Off, neither of you does.
          </p>
          <NeedsSignal doing="Changing this">{null}</NeedsSignal>
        </>
      )}
    </Card>
  );
}
