import { Pencil, Trash2 } from 'lucide-react';
import type { Section } from '#contract/section.ts';
import { sectionItems } from '#db/single-items.ts';
import type { Item } from '#db/views.ts';
import { toastOnError } from '#shared/error-text.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { Dots } from '#ui/Dots.tsx';
import { Menu } from '#ui/Menu.tsx';
import { Link } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { CardBody } from '../custom-cards.tsx';
import { deleteItem } from '../delete-item.ts';
import { NEW_ITEM } from '../editor.ts';
import { NeedsAttentionPill } from '../NeedsAttentionPill.tsx';
import { lazyPart } from '#ui/lazy-part.ts';

const SectionForm = lazyPart(async () => (await import('../SectionForm.tsx')).SectionForm);

/** The viewer's own feedback on somebody's profile, sent or not, with buttons to write, edit and delete it. */
export function OwnFeedback({ section, profileId }: { section: Section; profileId: string }) {
  const { engine, user } = useAccount();
  const items = useQuery((db) => sectionItems(db, section, profileId), [section.key, profileId]);
  const editing = useSheetParam(section.key);
  if (!items) return null;
  const editedItem = items.find((item) => item.id === editing.value);
  const isHiddenByDesk = (item: Item) => user.hidden_by_desk?.includes(`feedback:${item.id}`) === true;
  const renderState = (item: Item) =>
    isHiddenByDesk(item) ? (
      <p className="text-sm text-muted">
        The Callboard team hides this from others.{' '}
        <Link to="/decisions" className="font-semibold text-base-content underline">
          Read why and answer
        </Link>
      </p>
    ) : item.state === 'needs' ? (
      <NeedsAttentionPill item={item} name={section.title} onFix={() => editing.open(item.id)} />
    ) : (
      <StatePill state={item.state} />
    );
  const renderMenu = (item: Item) => (
    <Menu
      label="More for your feedback"
      trigger={<Dots />}
      triggerClass="tap -mr-3 -my-1 self-center text-muted"
      items={[
        ...(section.endpoints.update ? [{ label: 'Edit', icon: Pencil, onSelect: () => editing.open(item.id) }] : []),
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
  );
  return (
    <>
      {items.length > 0 && (
        <CardBody
          section={section}
          // The line below says why; that of the row is about the owner of the page.
          items={items.map((item) =>
            isHiddenByDesk(item) ? { ...item, body: { ...item.body, is_hidden: false } } : item,
          )}
          renderState={renderState}
          renderMenu={renderMenu}
        />
      )}
      <Button look="line" className="mt-2" onClick={() => editing.open(NEW_ITEM)}>
        Write {section.noun}
      </Button>
      {(editing.value === NEW_ITEM || editedItem) && (
        <SectionForm
          key={editing.value}
          section={section}
          title={section.title}
          profileId={profileId}
          item={editedItem}
          onClose={editing.close}
        />
      )}
    </>
  );
}
