import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { fileSize } from '#lib/amounts.ts';
import { toNetworkError } from '#net/app-error.ts';
import { download } from '#net/download.ts';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { announce } from '#ui/announce.tsx';
import { useBusyWhile } from '#ui/busy.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { toast } from '#ui/Toast.tsx';
import { saveAs } from '#ui/save-as.ts';
import { isWholeZip } from './is-whole-zip.ts';
import { OnlineOnly } from './OnlineOnly.tsx';

interface Progress {
  receivedBytes: number;
  /** Null if the server does not send a length. */
  totalBytes: number | null;
}

/** The card for exporting everything that the server stores about the person, as one ZIP file. */
export function ExportCard() {
  const isOnline = useOnline();
  const [progress, setProgress] = useState<Progress | null>(null);
  const controller = useRef<AbortController>(null);
  useBusyWhile(progress !== null);
  useEffect(() => () => controller.current?.abort(), []);

  const startExport = async () => {
    if (progress !== null) return;
    const current = new AbortController();
    controller.current = current;
    setProgress({ receivedBytes: 0, totalBytes: null });
    announce('Getting your file ready');
    const answer = await withFreshSignIn(() =>
      download(
        ACCOUNT_CALLS.exportAccount,
        (receivedBytes, totalBytes) => setProgress({ receivedBytes, totalBytes }),
        current.signal,
      ),
    );
    setProgress(null);
    if (answer === null || current.signal.aborted) return;
    if (!answer.ok) return toast({ text: answer.error.message });
    if (!(await isWholeZip(answer.data))) return toast({ text: toNetworkError('network').message });
    saveAs(answer.data, `callboard-${new Date().toISOString().slice(0, 10)}.zip`);
    toast({ text: `Your file is in your downloads: ${fileSize(answer.data.size)}` });
  };

  return (
    <Card title="Your data">
      <p className="text-muted">
        Everything you have here in one ZIP file: your profiles as readable text, your pictures and files as they are.
      </p>
      {progress ? (
        <div className="mt-3 space-y-2">
          {progress.totalBytes !== null && (
            <ProgressBar label="Your file" done={progress.receivedBytes} of={progress.totalBytes} />
          )}
          <div className="flex items-center gap-3">
            <span className="num grow text-sm text-muted">
              {progress.receivedBytes === 0
                ? 'Getting it ready…'
                : `${fileSize(progress.receivedBytes)}${progress.totalBytes === null ? ' so far' : ` of ${fileSize(progress.totalBytes)}`}`}
            </span>
            <Button look="line" onClick={() => controller.current?.abort()}>
              Stop
            </Button>
          </div>
        </div>
      ) : (
        <OnlineOnly doing="Exporting">
          <Button look="line" icon={Download} className="mt-3" disabled={!isOnline} onClick={() => void startExport()}>
            Export as ZIP
          </Button>
        </OnlineOnly>
      )}
    </Card>
  );
}
