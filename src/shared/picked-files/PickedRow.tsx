import { Hand, Minimize2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MediaKind } from '#contract/media-kinds.ts';
import { fileSize } from '#lib/amounts.ts';
import { shortName } from '#lib/text.ts';
import { KIND_ICONS } from '#shared/kind-icons.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { LocalImage } from '#ui/LocalImage.tsx';
import { TextField } from '#ui/Field.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { Arc, DeviceIcon } from '#ui/StatePill.tsx';
import { canShrink, getFileStatusText, isAccepted, type PickedFile } from './picked-files.ts';
import type { FilePicks } from './use-picked-files.ts';

interface PickedRowProps {
  kind: MediaKind;
  maxBytes: number;
  file: PickedFile;
  /** What else is known of the file: '3 pages'. */
  facts?: string | undefined;
  isOnline: boolean;
  /** True if the sheet has several name fields, so that each label must include the file's name. */
  needsFullLabel: boolean;
  /** Error of the name field. */
  error: string | undefined;
  /** The files of its form. */
  picks: FilePicks;
  /** More buttons, below everything else. */
  actions?: ReactNode;
}

const LOOKS = { making: 'state-sending', storing: 'state-sending', stored: 'state-phone' } as const;

/** One picked file: picture, file name, size, state, title field and a button to remove it. */
export function PickedRow(props: PickedRowProps) {
  const { kind, maxBytes, file, facts, isOnline, needsFullLabel, error, picks } = props;
  const isRejected = !isAccepted(file);
  const Icon = KIND_ICONS[kind.key];
  return (
    <li className="flex items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
      <span className="relative grid size-12 shrink-0 place-items-center overflow-hidden rounded-lg bg-base-300 text-muted">
        <Icon className="ic" aria-hidden />
        {file.picture && (
          <LocalImage
            id={`${file.key}:${file.name}`}
            bytes={file.picture}
            alt=""
            className="absolute inset-0 size-full object-cover"
          />
        )}
      </span>
      <div className="min-w-0 grow">
        <div className="flex items-center gap-2">
          <b className="num min-w-0 grow truncate font-semibold" title={file.name}>
            {shortName(file.name)}
          </b>
          <span className="num text-sm whitespace-nowrap text-muted">
            {[facts, fileSize(file.sizeBytes)].filter(Boolean).join(', ')}
          </span>
        </div>
        <div className="mt-1.5">
          <span
            className={`state !whitespace-normal !leading-tight ${isRejected ? 'state-needs' : LOOKS[file.state as keyof typeof LOOKS]}`}
          >
            {(file.state === 'making' || file.state === 'storing') && <Arc />}
            {file.state === 'stored' && <DeviceIcon />}
            {isRejected && <Hand className="ic" aria-hidden />}
            <span>{getFileStatusText(file, { kind, maxBytes, isOnline, device: deviceWord() })}</span>
          </span>
        </div>
        {file.state === 'storing' && (
          <div className="mt-2">
            <ProgressBar label={file.name} done={file.storedBytes} of={file.sizeBytes} />
          </div>
        )}
        {file.state === 'making' && file.made && (
          <div className="mt-2">
            <ProgressBar label={`The MP4 of ${file.name}`} done={file.made.done} of={file.made.total} />
          </div>
        )}
        {!isRejected && (
          <div className="mt-2">
            <TextField
              name="name"
              label={needsFullLabel ? `Name of ${shortName(file.name)}` : 'Name'}
              value={file.title}
              error={error}
              onChange={(title) => picks.rename(file, title)}
            />
          </div>
        )}
        {canShrink(kind, file) && (
          <Button look="tonal" icon={Minimize2} className="mt-2" onClick={() => void picks.shrink(file)}>
            {file.state === 'toobig' ? 'Make it smaller' : 'Turn it into a JPEG'}
          </Button>
        )}
        {file.state === 'error' && file.canRetry && (
          <Button
            look="tonal"
            className="mt-2"
            aria-label={`Try again: ${shortName(file.name)}`}
            onClick={() => picks.retry(file)}
          >
            Try again
          </Button>
        )}
        <VideoButtons file={file} picks={picks} />
        {props.actions}
      </div>
      <IconButton
        label={`Remove ${shortName(file.name)}`}
        icon={X}
        className="-mr-3 text-muted"
        onClick={() => picks.remove(file)}
      />
    </li>
  );
}

/** What can be done about a video while a smaller one is made of it, or instead. */
function VideoButtons({ file, picks }: Pick<PickedRowProps, 'file' | 'picks'>) {
  const name = shortName(file.name);
  const isMaking = file.state === 'making' && file.made !== undefined && file.take === undefined;
  const hasOriginal = isMaking ? file.mediaId !== undefined : file.state === 'error' && file.canSendOriginal === true;
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {isMaking && (
        <Button
          look="plain"
          aria-label={`${file.isPaused ? 'Go on with' : 'Pause'} ${name}`}
          onClick={() => picks.togglePause(file)}
        >
          {file.isPaused ? 'Go on' : 'Pause'}
        </Button>
      )}
      {hasOriginal && (
        <Button look="plain" aria-label={`Send the original: ${name}`} onClick={() => picks.useOriginal(file)}>
          Send the original
        </Button>
      )}
      {file.state === 'stored' && file.kept === 'long' && (
        <Button look="plain" aria-label={`Make it smaller: ${name}`} onClick={() => picks.convert(file)}>
          Make it smaller
        </Button>
      )}
    </div>
  );
}
