import { Copy, Download, LifeBuoy, Printer } from 'lucide-react';
import { useState } from 'react';
import type { NewRecoveryCodes, RecoveryCodesRecord } from '#contract/records/sign-in.ts';
import { SIGN_IN_CALLS } from '#contract/sign-in-calls.ts';
import { dayText } from '#lib/dates.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { confirm } from '#ui/confirm.tsx';
import { copyText } from '#ui/copy-text.ts';
import { FormSummary } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { printMarkedElement } from './print-element.ts';
import { saveAs } from '#ui/save-as.ts';
import { ResourceState } from './ResourceState.tsx';
import { useServerResource } from './use-server-resource.ts';

const CODE_COUNT = 10;
const UNSURE =
  'New codes may have been made, but they never arrived. Older ones then no longer work. Make new codes now.';

/** The card of the codes that sign a person in who has lost everything else. */
export function RecoveryCodesCard() {
  const { resource, refetch } = useServerResource<RecoveryCodesRecord>(SIGN_IN_CALLS.recoveryCodes, {
    missingMessage: 'Recovery codes are not available here.',
  });
  const [isBusy, setIsBusy] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isUnsure, setIsUnsure] = useState(false);
  const left = resource.status === 'loaded' ? resource.data.left : 0;

  const make = async () => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      const isSure =
        left === 0 ||
        (await confirm({
          title: 'Make new codes?',
          text: 'The old ones stop working.',
          yes: 'Make new codes',
        }));
      if (!isSure) return;
      const answer = await withFreshSignIn(() => call<NewRecoveryCodes>(SIGN_IN_CALLS.makeRecoveryCodes));
      if (answer === null) return;
      if (answer.ok) {
        setCodes(answer.data.codes);
        setIsUnsure(false);
      } else {
        toast({ text: answer.error.message });
        // The server may have replaced the codes, and nobody will ever see the new ones.
        if (answer.error.reason !== 'network' && answer.error.reason !== 'timeout') return;
        setIsUnsure(true);
      }
      await refetch();
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Card title="Recovery codes">
      <p className="text-muted">
        Ten codes to print or keep in a safe place. Each signs you in once if you lose your phone or your password.
      </p>
      <ResourceState resource={resource} loadingLabel="Loading your recovery codes" height="h-11" className="mt-3" />
      {resource.status === 'loaded' && (
        <>
          <p className="mt-2 font-semibold">{left === 0 ? 'You have none.' : `${left} of ${CODE_COUNT} left`}</p>
          <div className="mt-3 empty:hidden">
            <FormSummary text={isUnsure ? UNSURE : null} />
          </div>
          <OnlineOnly doing="Making codes">
            <Button look="line" icon={LifeBuoy} className="mt-3" aria-disabled={isBusy} onClick={() => void make()}>
              {isBusy ? 'Making…' : left === 0 ? 'Make codes' : 'New codes'}
            </Button>
          </OnlineOnly>
        </>
      )}
      {codes && <CodesSheet codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  );
}

/** 'K7Q2M-9XWTE': easier to read and to type. */
const toShownCode = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`;

function CodesSheet({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { user } = useAccount();
  const [isKept, setIsKept] = useState(false);
  const title = `Callboard recovery codes for ${user.email}`;
  const text = `${title}\nEach works once. Made on ${dayText(new Date().toISOString())}\n\n${codes.map(toShownCode).join('\n')}\n`;
  const keep = (act: () => void) => () => {
    act();
    setIsKept(true);
  };
  return (
    <Sheet
      title="Your recovery codes"
      dirty={!isKept}
      keepText="You won’t see these codes again. Copy, print or save them first."
      onClose={onClose}
      foot={
        <Button className="flex-1" onClick={onClose} disabled={!isKept}>
          I’ve kept them, close
        </Button>
      }
    >
      <p>
        You see these codes only now: once this is closed, nobody can show them again. Copy, print or save them, and
        keep them where you’ll find them without your phone.
      </p>
      <div data-print>
        <p className="pb-2 text-sm text-muted">{title}</p>
        <ul className="num grid grid-cols-2 gap-2 rounded-2xl bg-base-200 p-4 text-center text-lg font-semibold">
          {codes.map((code) => (
            <li key={code}>{toShownCode(code)}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          look="tonal"
          icon={Copy}
          onClick={() => void copyText(text, 'Codes copied').then((isCopied) => isCopied && setIsKept(true))}
        >
          Copy
        </Button>
        <Button look="tonal" icon={Printer} onClick={keep(printMarkedElement)}>
          Print
        </Button>
        <Button
          look="tonal"
          icon={Download}
          onClick={keep(() => saveAs(new Blob([text], { type: 'text/plain' }), 'callboard-recovery-codes.txt'))}
        >
          Save
        </Button>
      </div>
    </Sheet>
  );
}
