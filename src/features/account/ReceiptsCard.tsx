import { CALLS } from '#contract/calls.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Card } from '#ui/Card.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { toast } from '#ui/Toast.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { useServerResource } from './use-server-resource.ts';

interface Settings {
  read_receipts: boolean;
}

/** The setting for read receipts. */
export function ReceiptsCard() {
  const isOnline = useOnline();
  const { resource, setData } = useServerResource<Settings>(CALLS.settings, {
    missingMessage: 'Read receipts are not available here.',
  });
  const change = async (isOn: boolean) => {
    setData({ read_receipts: isOn });
    const answer = await call<{ data: Settings }>(CALLS.changeSettings, { body: { read_receipts: isOn } });
    if (answer.ok) return;
    setData({ read_receipts: !isOn });
    toast({ text: answer.error.message });
  };
  return (
    <Card title="Messages">
      {resource.status === 'loading' && (
        <Loading label="Loading your setting">
          <Skeleton className="h-11 w-full" />
        </Loading>
      )}
      {resource.status === 'unavailable' && <p className="text-muted">{resource.message}</p>}
      {resource.status === 'loaded' && (
        <>
          <Toggle
            label="Read receipts"
            checked={resource.data.read_receipts}
            disabled={!isOnline}
            onChange={(isOn) => void change(isOn)}
          />
          <p className="text-sm text-muted">
            People see what you have read, and you see what they have read. When this is off, neither of you sees read
            receipts.
          </p>
          <OnlineOnly doing="Changing this">{null}</OnlineOnly>
        </>
      )}
    </Card>
  );
}
