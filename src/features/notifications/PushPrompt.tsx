import { BellRing } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { PUSH_CALLS } from '#contract/push-calls.ts';
import type { PushRecord, PushSettingsChange } from '#contract/records/push.ts';
import { call } from '#net/client.ts';
import { storePushSettings, withChange } from '#shared/push/change-settings.ts';
import { PushSwitches } from '#shared/push/PushSwitches.tsx';
import { askLater, mayAsk, turnPushesOn } from '#shared/push/subscription.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';

/** Whether something else has the person's attention: an open dialog, or a text that is being written. */
function isPersonBusy(): boolean {
  const focused = document.activeElement;
  const isWriting = focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement;
  return document.querySelector('dialog[open]') !== null || (isWriting && focused.value !== '');
}

interface PushPromptProps {
  /** Number of requests and messages that this page has sent. Each is an occasion to ask. */
  sentCount: number;
}

/** Offers pushes to somebody who waits for an answer. */
export function PushPrompt({ sentCount }: PushPromptProps) {
  const [offer, setOffer] = useState<PushRecord | null>(null);
  const known = useRef<PushRecord | null>(null);
  useEffect(() => {
    if (!mayAsk()) return;
    void (async () => {
      if (known.current === null) {
        const answer = await call<PushRecord>(PUSH_CALLS.push);
        if (!answer.ok) return;
        known.current = answer.data;
      }
      if (known.current.public_key !== null && mayAsk() && !isPersonBusy()) setOffer(known.current);
    })();
  }, [sentCount]);
  if (offer === null) return null;
  return <PushSheet offer={offer} onClose={() => setOffer(null)} />;
}

function PushSheet({ offer, onClose }: { offer: PushRecord; onClose: () => void }) {
  const [change, setChange] = useState<PushSettingsChange>({});
  const [isBusy, setIsBusy] = useState(false);
  const settings = withChange(offer.settings, change);
  const refuse = () => {
    askLater();
    onClose();
  };
  const turnOn = async () => {
    if (isBusy || offer.public_key === null) return;
    setIsBusy(true);
    // Asked for first: browsers ask only as long as the tap is fresh.
    const problem = await turnPushesOn(offer.public_key);
    if (problem !== null) askLater();
    if (Object.keys(change).length > 0) await storePushSettings(change);
    toast({ text: problem ?? 'Notifications are on' });
    onClose();
  };
  return (
    <Sheet
      title="Hear when they answer?"
      onClose={refuse}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={refuse}>
            Not now
          </Button>
          <Button icon={BellRing} className="flex-1" aria-disabled={isBusy} onClick={() => void turnOn()}>
            Turn on
          </Button>
        </>
      }
    >
      <p className="text-sm text-muted">
        This {deviceWord()} can tell you, even with Callboard closed. You choose what and when.
      </p>
      <PushSwitches
        settings={settings}
        onChange={(next) => setChange({ ...change, ...next, kinds: { ...change.kinds, ...next.kinds } })}
      />
      <p className="mt-3 text-sm text-muted">
        Not now is fine. It waits in Settings, and we won’t ask again this month.
      </p>
    </Sheet>
  );
}
