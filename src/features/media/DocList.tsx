import { useState } from 'react';
import { fileSize } from '#lib/amounts.ts';
import { shortName } from '#lib/text.ts';
import type { MediaItem } from '#db/queries.ts';
import { toastOnError } from '#shared/error-text.ts';
import { openPdfTab } from '#shared/offline-media/pdf-tab.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { MediaPreview } from './MediaPreview.tsx';
import { getServerPath, getMediaName, getFieldText } from './media-item.ts';
import type { ItemControls, ControlClasses, MediaLayout, MediaListProps } from './media-list-props.ts';
import { HiddenBadge } from './Tile.tsx';

const PREVIEW_COUNTS: Record<MediaLayout, number | undefined> = { card: 4, page: undefined };
const COLUMNS: Record<MediaLayout, string> = {
  card: '',
  page: 'md:grid md:grid-cols-2 md:gap-x-8 md:[&>li:nth-child(2)]:border-t-0',
};
const CONTROL_CLASSES: ControlClasses = { menu: '-mr-2.5' };

/** 'pdf', 'docx': the format that the server detected, otherwise the file's extension. */
function getFormat({ body, file }: MediaItem): string {
  const format = typeof body.format === 'string' ? body.format : file?.name.split('.').pop();
  return (format ?? 'File').toLowerCase().slice(0, 4);
}

/** Documents as rows with format, short name and size. A PDF opens in a new tab, other documents are saved. */
export function DocList({ items, layout, onMove, getControls }: MediaListProps) {
  return (
    <MediaPreview
      items={items}
      previewCount={PREVIEW_COUNTS[layout]}
      className={COLUMNS[layout]}
      rowClass="min-w-0 border-t border-base-300 py-1.5 first:border-t-0"
      onMove={onMove}
    >
      {(doc) => <DocRow doc={doc} {...getControls?.(doc, CONTROL_CLASSES)} />}
    </MediaPreview>
  );
}

function DocRow({ doc, bookmark, menu, mark }: { doc: MediaItem } & ItemControls) {
  const name = getMediaName(doc);
  const path = getServerPath(doc, 'path');
  const format = getFormat(doc);
  const [isUnavailable, setIsUnavailable] = useState(false);
  const size = doc.body.size ?? doc.file?.size;
  const facts = [typeof size === 'number' ? fileSize(size) : '', getFieldText(doc, 'category_type')].filter(Boolean);
  const inside = (
    <>
      <span
        className="num grid size-11 shrink-0 place-items-center rounded-xl bg-secondary text-xs font-bold text-secondary-content"
        aria-hidden
      >
        {format.toUpperCase()}
      </span>
      <span className="min-w-0 grow leading-snug">
        <span className="block font-semibold break-words" title={name}>
          {shortName(name)}
        </span>
        <span className="num block text-sm break-words text-muted">{facts.join(' · ')}</span>
      </span>
    </>
  );
  const look = 'flex min-h-14 min-w-0 grow items-center gap-3 rounded-field text-start';
  const handleOpen = (from: string) => () => {
    const tab = format === 'pdf' ? openPdfTab() : null;
    const opening = async () => {
      const { openDocument } = await import('#shared/offline-media/open-document.ts');
      setIsUnavailable(!(await openDocument({ path: from, name, format }, tab)));
    };
    void toastOnError(opening());
  };
  return (
    <>
      <div className="flex items-center">
        {path ? (
          <button
            type="button"
            className={look}
            aria-label={`${name}, ${format.toUpperCase()}`}
            onClick={handleOpen(path)}
          >
            {inside}
          </button>
        ) : (
          <div className={look}>{inside}</div>
        )}
        {bookmark}
        {menu}
      </div>
      <div className="flex flex-wrap gap-1 empty:hidden">
        {doc.body.is_hidden === true && <HiddenBadge />}
        {mark}
        <StatePill state={doc.state} />
      </div>
      {isUnavailable && (
        <p className="text-sm text-needs" role="status">
          Go online to open this.
        </p>
      )}
      {doc.state === 'sending' && doc.file && (
        <div className="pt-1.5">
          <ProgressBar label={name} done={doc.file.offset} of={doc.file.size} />
        </div>
      )}
    </>
  );
}
