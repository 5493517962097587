import { FileText, ImagePlus, Mic, Plus, Video, type LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import type { MediaTab } from '#contract/media-tabs.ts';
import type { MediaType } from '#contract/media-types.ts';
import { IconButton } from '#ui/Button.tsx';
import { EmptyRow } from '#ui/Card.tsx';

interface MediaSectionProps {
  tab: MediaTab;
  /** Items on it. */
  count: number;
  isPage: boolean;
  /** Of the owner: adds to this kind. */
  onAdd?: ((tab: MediaTab) => void) | undefined;
  children?: ReactNode;
}

const ICONS: Record<MediaType, LucideIcon> = { image: ImagePlus, video: Video, audio: Mic, document: FileText };

/** One kind: its heading, the way to add to it, and its items; with none of them what its owner could begin with. */
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
