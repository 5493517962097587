import { EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { Evidence } from '#contract/records/desk.ts';
import { download } from '#net/download.ts';
import { Button } from '#ui/Button.tsx';
import { useObjectUrl } from '#ui/use-object-url.ts';

async function fetchFile(path: string, signal: AbortSignal): Promise<Blob | null> {
  const answer = await download({ method: 'GET', path }, () => undefined, signal);
  return answer.ok ? answer.data : null;
}

/** A reported file. It is fetched and shown only when somebody at the desk asks for it. */
export function ReportedFile({ file }: { file: NonNullable<Evidence['file']> }) {
  const [isAsked, setIsAsked] = useState(false);
  const address = useObjectUrl(isAsked ? file.path : null, (signal) => fetchFile(file.path, signal));
  if (!isAsked) {
    return (
      <Button look="tonal" icon={EyeOff} className="mt-3" onClick={() => setIsAsked(true)}>
        Show the file
      </Button>
    );
  }
  if (address === undefined) return <p className="mt-3 text-muted">Loading the file…</p>;
  if (address === null) return <p className="mt-3 font-medium">The file is gone, or there is no signal.</p>;
  const className = 'mt-3 max-h-96 max-w-full rounded-xl';
  if (file.media_type.includes('audio')) return <audio className="mt-3 w-full" src={address} controls />;
  if (file.media_type.includes('video')) return <video className={className} src={address} controls />;
  if (file.media_type.includes('image')) return <img className={className} src={address} alt="What was reported" />;
  return (
    <p className="mt-3">
      <a className="font-semibold underline" href={address} download>
        Save the document
      </a>
    </p>
  );
}
