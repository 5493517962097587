import type { Sides } from '#contract/records/casting.ts';
import { fileSize } from '#lib/amounts.ts';
import { count } from '#lib/text.ts';
import { useOfflineMedia } from '#shared/offline-media/use-offline-media.ts';
import { useOpenPdf } from '#shared/offline-media/use-open-pdf.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { Arc, DeviceIcon } from '#ui/StatePill.tsx';

interface SidesListProps {
  sides: readonly Sides[];
  /** Whether the app fetches them by itself, as it does for the performer. */
  areKept: boolean;
}

/** The PDFs of the pages to read, each with whether it is on this device. */
export function SidesList({ sides, areKept }: SidesListProps) {
  return (
    <ul aria-label="Sides">
      {sides.map((pdf) => (
        <SidesRow key={pdf.id} pdf={pdf} isKept={areKept} />
      ))}
    </ul>
  );
}

function SidesRow({ pdf: { name, pages, size, path }, isKept }: { pdf: Sides; isKept: boolean }) {
  const status = useOfflineMedia().getStatus({ path });
  const { isUnavailable, open } = useOpenPdf({ path, name });
  return (
    <li className="border-b border-base-300 py-3 first:pt-1">
      <div className="flex items-center gap-3">
        <span
          className="grid size-11 shrink-0 place-items-center rounded-xl bg-secondary text-xs font-bold text-secondary-content"
          aria-hidden
        >
          PDF
        </span>
        <div className="min-w-0 grow">
          <b className="block leading-snug font-semibold break-words">{name}</b>
          <span className="num text-sm text-muted">
            {count(pages, 'page')}, {fileSize(size)}
          </span>
          <span className="mt-1.5 block empty:hidden">
            {status === 'kept' ? (
              <span className="state state-phone">
                <DeviceIcon />
                <span>On this {deviceWord()}</span>
              </span>
            ) : typeof status === 'number' ? (
              <span className="state state-sending">
                <Arc />
                <span>Fetching</span>
              </span>
            ) : (
              isKept && <span className="text-sm text-muted">Not on this {deviceWord()} yet</span>
            )}
          </span>
        </div>
        <Button look="tonal" aria-label={`Open ${name}`} onClick={open}>
          Open
        </Button>
      </div>
      {isUnavailable && (
        <p className="mt-1 text-sm text-needs" role="status">
          Go online to open this.
        </p>
      )}
    </li>
  );
}
