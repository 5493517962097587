import { useEffect, useState } from 'react';
import { PUSH_CALLS } from '#contract/push-calls.ts';
import type { PushRecord, PushSettingsChange } from '#contract/records/push.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { storePushSettings, withChange } from '#shared/push/change-settings.ts';
import { PushSwitches, SwitchRow } from '#shared/push/PushSwitches.tsx';
import { arePushesOn, getPushSupport, turnPushesOff, turnPushesOn } from '#shared/push/subscription.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { OnlineOnly } from './OnlineOnly.tsx';
import { PushTest } from './PushTest.tsx';
import { QuietHours } from './QuietHours.tsx';
import { ResourceState } from './ResourceState.tsx';
import { useServerResource } from './use-server-resource.ts';

const MISSING = 'This Callboard does not send notifications to devices.';

/** Which notifications reach the person's devices, and whether they reach this one. */
export function NotificationsCard() {
  const { resource, setData } = useServerResource<PushRecord>(PUSH_CALLS.push, { missingMessage: MISSING });
  return (
    <Card title="Notifications">
      <ResourceState resource={resource} loadingLabel="Loading your notifications" height="h-11" />
      {resource.status === 'loaded' &&
        (resource.data.public_key === null ? (
          <p className="text-muted">{MISSING}</p>
        ) : (
          <Choices push={resource.data} publicKey={resource.data.public_key} onChanged={setData} />
        ))}
    </Card>
  );
}

interface ChoicesProps {
  push: PushRecord;
  publicKey: string;
  onChanged: (push: PushRecord) => void;
}

function Choices({ push, publicKey, onChanged }: ChoicesProps) {
  const isOnline = useOnline();
  const { settings } = push;
  const change = async (next: PushSettingsChange) => {
    onChanged({ ...push, settings: withChange(settings, next) });
    if (!(await storePushSettings(next))) onChanged(push);
  };
  return (
    <>
      <ThisDevice publicKey={publicKey} />
      <PushSwitches settings={settings} disabled={!isOnline} onChange={(next) => void change(next)} />
      <QuietHours quiet={settings.quiet} disabled={!isOnline} onChange={(quiet) => void change({ quiet })} />
      <OnlineOnly doing="Changing this">{null}</OnlineOnly>
    </>
  );
}

/** Whether this device receives them. */
function ThisDevice({ publicKey }: { publicKey: string }) {
  const isOnline = useOnline();
  const guide = useSheetParam('install');
  const [isOn, setIsOn] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    arePushesOn().then(setIsOn, console.warn);
  }, []);
  const support = getPushSupport();
  if (support === 'install first') {
    return (
      <div className="pb-2">
        <p className="text-sm text-muted">
          An iPhone or iPad shows notifications only of the installed app. Install Callboard, open it from the Home
          Screen and turn them on there.
        </p>
        <Button look="line" className="mt-3" onClick={() => guide.open()}>
          Show me how
        </Button>
      </div>
    );
  }
  if (support !== 'possible') {
    return (
      <p className="pb-2 text-sm text-muted">
        {support === 'refused'
          ? 'This browser does not allow notifications of Callboard. Its settings for this site can change that.'
          : 'This browser cannot show notifications.'}
      </p>
    );
  }
  const set = async (isWanted: boolean) => {
    if (isBusy) return;
    setIsBusy(true);
    const problem = isWanted ? await turnPushesOn(publicKey) : await turnPushesOff().then(() => null);
    if (problem !== null) toast({ text: problem });
    setIsOn(await arePushesOn());
    setIsBusy(false);
  };
  return (
    <>
      <SwitchRow
        label={`On this ${deviceWord()}`}
        hint="Also while Callboard is closed"
        checked={isOn}
        disabled={isBusy || (!isOnline && !isOn)}
        onChange={(isWanted) => void set(isWanted)}
      />
      {isOn && <PushTest />}
    </>
  );
}
