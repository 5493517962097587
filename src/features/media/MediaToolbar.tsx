import { Bookmark, ChevronDown, Link } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyText, LINK_COPIED } from '#ui/copy-text.ts';
import { Menu } from '#ui/Menu.tsx';
import { PERIODS, type Period } from './period.ts';

interface MediaToolbarProps {
  period: Period;
  onPeriod: (period: Period) => void;
  /** Path of the profile page; null while the profile is not on the server. */
  address: string | null;
  /** The bookmark of somebody else's profile; on the owner's page, the filter 'Saved only'. */
  save: ReactNode;
}

/** The bar above the tabs: period filter, copy link, bookmark. */
export function MediaToolbar({ period, onPeriod, address, save }: MediaToolbarProps) {
  const shown = PERIODS.find(({ value }) => value === period)?.label;
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <Menu
        label={`Added: ${shown}`}
        triggerClass="chip"
        trigger={
          <>
            {shown}
            <ChevronDown className="size-4" aria-hidden />
          </>
        }
        items={PERIODS.map(({ value, label }) => ({ label, onSelect: () => onPeriod(value) }))}
      />
      {address !== null && (
        <button
          type="button"
          className="chip min-w-11 justify-center !px-2.5"
          onClick={() => void copyText(`${location.origin}${address}`, LINK_COPIED)}
        >
          <Link className="size-4" aria-hidden />
          <span className="max-md:sr-only">Copy</span>
        </button>
      )}
      {save}
    </div>
  );
}

interface SaveChipProps {
  /** Accessible name. */
  label: string;
  /** Visible text on wide screens. */
  text?: string;
  isOn: boolean;
  onClick: () => void;
}

/** The bookmark among the chips. */
export function SaveChip({ label, text = 'Save', isOn, onClick }: SaveChipProps) {
  return (
    <button
      type="button"
      className="chip min-w-11 justify-center !px-2.5"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={onClick}
    >
      <Bookmark className={`size-4 ${isOn ? 'fill-current' : ''}`} aria-hidden />
      <span className="max-md:sr-only">{text}</span>
    </button>
  );
}
