import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import { fileSize } from '#lib/amounts.ts';
import { download } from '#net/download.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { announce } from '#ui/announce.tsx';
import { useBusyWhile } from '#ui/busy.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { toast } from '#ui/Toast.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';

/** Hands a file to the browser's downloads. */
function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of it by its next turn; Safari needs longer.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface Progress {
  got: number;
  /** Null where the server does not say. */
  of: number | null;
}

/** Everything the server keeps of this person, as one file of theirs. */
export function ExportCard() {
  const isOnline = useOnline();
  const [progress, setProgress] = useState<Progress | null>(null);
  const control = useRef<AbortController>(null);
  useBusyWhile(progress !== null);
  useEffect(() => () => control.current?.abort(), []);

  const fetchAll = async () => {
    if (progress !== null) return;
    const own = new AbortController();
    control.current = own;
    setProgress({ got: 0, of: null });
    announce('Getting your file ready');
    const answer = await download(CALLS.exportAccount, (got, of) => setProgress({ got, of }), own.signal);
    setProgress(null);
    if (own.signal.aborted) return;
    if (!answer.ok) return toast({ text: answer.error.message });
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
          {progress.of !== null && <ProgressBar label="Your file" done={progress.got} of={progress.of} />}
          <div className="flex items-center gap-3">
            <span className="num grow text-sm text-muted">
              {progress.got === 0
                ? 'Getting it ready…'
                : `${fileSize(progress.got)}${progress.of === null ? ' so far' : ` of ${fileSize(progress.of)}`}`}
            </span>
            <Button look="line" onClick={() => control.current?.abort()}>
              Stop
            </Button>
          </div>
        </div>
      ) : (
        <OnlineOnly doing="Exporting">
          <Button look="line" icon={Download} className="mt-3" disabled={!isOnline} onClick={() => void fetchAll()}>
            Export as ZIP
          </Button>
        </OnlineOnly>
      )}
    </Card>
  );
}
