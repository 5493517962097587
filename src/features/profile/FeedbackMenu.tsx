import { Eye, EyeOff, Flag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import { toastOnError } from '#shared/error-text.ts';
import { useAccount } from '#session/session.tsx';
import { Dots } from '#ui/Dots.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { Menu } from '#ui/Menu.tsx';
import { deleteItem } from './delete-item.ts';

const ReportSheet = lazyPart(async () => (await import('#shared/people/ReportSheet.tsx')).ReportSheet);

/** What the owner of a profile can do about feedback there: it belongs to its author, so they hide or report it. */
export function FeedbackMenu({ section, item }: { section: Section; item: Item }) {
  const { engine, user } = useAccount();
  const [isReporting, setIsReporting] = useState(false);
  const { title } = section.card(item.body);
  const isHidden = item.body.is_hidden === true;
  const author = item.body.profile as { user: { name: string } } | null | undefined;
  const { user_id: authorId } = item.body;
  const name = author?.user.name ?? null;
  const canReport = name !== null && authorId != null && String(authorId) !== user.id;
  return (
    <>
      <Menu
        label={`More for ${title}`}
        trigger={<Dots />}
        triggerClass="tap -mr-3 -my-1 self-center text-muted"
        items={[
          {
            label: isHidden ? 'Show to everyone' : 'Hide from others',
            icon: isHidden ? Eye : EyeOff,
            onSelect: () => void engine.update(section.key, item.id, { is_hidden: !isHidden }),
          },
          ...(canReport ? [{ label: 'Report', icon: Flag, onSelect: () => setIsReporting(true) }] : []),
          ...(section.endpoints.remove
            ? [
                {
                  label: 'Delete',
                  icon: Trash2,
                  danger: true,
                  onSelect: () => void toastOnError(deleteItem(engine, section, item)),
                },
              ]
            : []),
        ]}
      />
      {isReporting && canReport && (
        <ReportSheet
          person={{ userId: String(authorId), name }}
          about={{ type: 'feedback', id: item.id, name: `feedback from ${name}` }}
          onClose={() => setIsReporting(false)}
        />
      )}
    </>
  );
}
