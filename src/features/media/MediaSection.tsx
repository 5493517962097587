import { FileText, ImagePlus, Mic, Plus, Video, type LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import type { MediaTab } from '#contract/media-tabs.ts';
import type { MediaType } from '#contract/media-types.ts';
import { IconButton } from '#ui/Button.tsx';
import { EmptyRow } from '#ui/Card.tsx';

interface MediaSectionProps {
  tab: MediaTab;
  /** Number of items of this kind. */
  count: number;
  isPage: boolean;
  /** Adds to this kind; only for the owner. */
  onAdd?: ((tab: MediaTab) => void) | undefined;
  children?: ReactNode;
}

const ICONS: Record<MediaType, LucideIcon> = { image: ImagePlus, video: Video, audio: Mic, document: FileText };

/** One media kind: heading, add button and items. If it is empty, the owner sees a hint about what to add. */
export function MediaSection({ tab, count, isPage, onAdd, children }: MediaSectionProps) {
  const id = useId();
  const Heading = isPage ? 'h2' : 'h3';
  return (
    <section aria-labelledby={id}>
      <div className="flex min-h-11 items-center gap-2">
        <Heading id={id} className={`grow font-bold ${isPage ? 'text-lg' : ''}`}>
          {tab.title}
          {count > 0 && <span className="num text-sm font-medium text-muted"> {count}</span>}
        </Heading>
        {onAdd && count > 0 && (
          <IconButton
            label={`Add to ${tab.title}`}
            icon={Plus}
            className="-mr-2.5 text-primary"
            onClick={() => onAdd(tab)}
          />
        )}
      </div>
      {count > 0
        ? children
        : onAdd && (
            <EmptyRow icon={ICONS[tab.key]} label={`Add ${tab.plural}`} hint={tab.emptyText} onAdd={() => onAdd(tab)} />
          )}
    </section>
  );
}
