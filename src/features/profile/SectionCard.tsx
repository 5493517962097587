import { Pencil, Plus } from 'lucide-react';
import { memo, useCallback } from 'react';
import type { Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import { IconButton } from '#ui/Button.tsx';
import { Card, EmptyRow } from '#ui/Card.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { CardBody, isListSection } from './custom-cards.tsx';
import { toEditorParam, NEW_ITEM } from './editor.ts';
import { NeedsAttentionPill } from './NeedsAttentionPill.tsx';
import { lazyOptional } from '#ui/lazy-part.ts';
import { RowMenu } from './RowMenu.tsx';

const FeedbackMenu = lazyOptional(async () => (await import('./FeedbackMenu.tsx')).FeedbackMenu);

interface SectionCardProps {
  section: Section;
  title: string;
  profileId: string;
  items: Item[];
  /** Not visible on the first screen. */
  isBelowFold: boolean;
  /** Receives the value of `?edit=`. Must have a stable identity, or every card re-renders with the page. */
  onEdit: (editor: string) => void;
}

const getArticle = (noun: string) => (/^[aeiou]/i.test(noun) ? 'an' : 'a');

/** One section of the person's own profile: its rows, their sync states, and the buttons to change them. */
export const SectionCard = memo(function SectionCard({
  section,
  title,
  profileId,
  items,
  isBelowFold,
  onEdit,
}: SectionCardProps) {
  const edit = useCallback((id: string) => onEdit(toEditorParam(section.key, id)), [section, onEdit]);
  const renderState = useCallback(
    (item: Item) =>
      item.state === 'needs' ? (
        <NeedsAttentionPill item={item} name={section.card(item.body).title || title} onFix={() => edit(item.id)} />
      ) : (
        <StatePill state={item.state} />
      ),
    [section, title, edit],
  );
  const renderMenu = useCallback(
    (item: Item) =>
      section.writtenBy ? (
        <FeedbackMenu section={section} item={item} />
      ) : (
        <RowMenu section={section} item={item} onEdit={() => edit(item.id)} />
      ),
    [section, edit],
  );
  const visibleItems = items.filter((item) => section.card(item.body).title !== '');
  const isList = isListSection(section);
  const isByOthers = section.writtenBy !== undefined;
  const singleItem = isList ? undefined : items[0];
  const addLabel = isList ? `Add ${getArticle(section.noun)} ${section.noun}` : `Add ${section.noun}`;
  const action = isList ? (
    section.endpoints.create &&
    !isByOthers && (
      <IconButton label={`Add to ${title}`} icon={Plus} className="text-primary" onClick={() => edit(NEW_ITEM)} />
    )
  ) : (
    <IconButton
      label={`Edit ${title}`}
      icon={Pencil}
      className="text-primary"
      onClick={() => edit(singleItem ? singleItem.id : NEW_ITEM)}
    />
  );
  // The owner cannot add feedback, so an empty card would be useless.
  if (isByOthers && visibleItems.length === 0) return null;
  return (
    <Card
      title={title}
      count={isList && visibleItems.length > 0 ? visibleItems.length : undefined}
      state={singleItem && renderState(singleItem)}
      action={visibleItems.length > 0 ? action : undefined}
      place={isBelowFold && visibleItems.length > 0 ? `${profileId}/${section.key}` : undefined}
    >
      {visibleItems.length > 0 ? (
        <CardBody section={section} items={visibleItems} renderState={renderState} renderMenu={renderMenu} />
      ) : (
        <EmptyRow
          icon={isList ? Plus : Pencil}
          label={addLabel}
          hint={section.emptyText}
          onAdd={() => edit(section.cardinality === 'many' ? NEW_ITEM : profileId)}
        />
      )}
    </Card>
  );
});
