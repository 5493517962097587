import { Download, Ellipsis, Film, ImagePlus, Pencil, Trash2 } from 'lucide-react';
import type { Take } from '#db/rows.ts';
import { getChosenSeconds } from '#db/takes.ts';
import { fileSize } from '#lib/amounts.ts';
import { clockText, dayText, formatDuration } from '#lib/dates.ts';
import { LocalImage } from '#ui/LocalImage.tsx';
import { Menu } from '#ui/Menu.tsx';
import { StarLine } from './Stars.tsx';

interface TakeRowProps {
  take: Take;
  /** The whole list is for one audition, which a row need not name again. */
  isOfList: boolean;
  poster: ArrayBuffer | undefined;
  isOpen: boolean;
  onOpen: () => void;
  onRename: () => void;
  onSave: () => void;
  onAdd: () => void;
  onDelete: () => void;
}

/** '0:39 · 2.9 MB · 26 Nov 2026, 14:32' */
function getFacts(take: Take): string {
  const day = dayText(new Date(take.startedAt).toISOString());
  return `${formatDuration(getChosenSeconds(take))} · ${fileSize(take.bytes)} · ${day}, ${clockText(take.startedAt)}`;
}

/** A take in the list: a tap on it opens it in the player above. */
export function TakeRow({ take, isOfList, poster, isOpen, onOpen, onRename, onSave, onAdd, onDelete }: TakeRowProps) {
  const isRecording = take.state === 'recording';
  return (
    <li className="flex items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
      <button
        type="button"
        className="flex min-w-0 grow cursor-pointer items-center gap-3 text-left"
        aria-pressed={isOpen}
        disabled={isRecording}
        onClick={onOpen}
      >
        <span
          className={`grid h-14 w-24 shrink-0 place-items-center overflow-hidden rounded-xl bg-base-300 ${isOpen ? 'outline-3 outline-accent' : ''}`}
        >
          {poster ? (
            <LocalImage id={take.id} bytes={poster} alt="" className="size-full object-cover" />
          ) : (
            <Film className="ic text-muted" aria-hidden />
          )}
        </span>
        <span className="min-w-0 grow">
          <b className="block truncate font-semibold">{take.name}</b>
          {take.audition && !isOfList && <span className="block truncate text-sm">{take.audition.title}</span>}
          <span className="num block text-sm text-muted">
            {isRecording ? 'Being recorded in another tab' : getFacts(take)}
          </span>
          {!isRecording && <StarLine stars={take.stars} />}
        </span>
      </button>
      {!isRecording && (
        <Menu
          label={`More for ${take.name}`}
          trigger={<Ellipsis className="ic" aria-hidden />}
          items={[
            { label: 'Rename', icon: Pencil, onSelect: onRename },
            { label: 'Save as file', icon: Download, onSelect: onSave },
            { label: 'Add to portfolio', icon: ImagePlus, onSelect: onAdd },
            { label: 'Delete', icon: Trash2, danger: true, onSelect: onDelete },
          ]}
        />
      )}
    </li>
  );
}
