import { Pencil, Plus } from 'lucide-react';
import { memo, useCallback } from 'react';
import type { Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import { IconButton } from '#ui/Button.tsx';
import { Card, EmptyRow } from '#ui/Card.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { CardBody, isListOf } from './custom-cards.tsx';
import { editorValue, NEW } from './editor.ts';
import { NeedsYou } from './NeedsYou.tsx';
import { RowMenu } from './RowMenu.tsx';

interface SectionCardProps {
  section: Section;
  title: string;
  profileId: string;
  items: Item[];
  /** So far down that no screen shows it at first. */
  isFar: boolean;
  /** Takes what `?edit=` holds. Always the same function, or every card is drawn whenever the page is. */
  onEdit: (editor: string) => void;
}

const article = (noun: string) => (/^[aeiou]/i.test(noun) ? 'an' : 'a');

/** One section of the own profile: its rows with their states, and the ways to change them. Drawn when they change. */
export const SectionCard = memo(function SectionCard({
  section,
  title,
  profileId,
  items,
  isFar,
  onEdit,
}: SectionCardProps) {
  const edit = useCallback((id: string) => onEdit(editorValue(section.key, id)), [section, onEdit]);
  const stateOf = useCallback(
    (item: Item) =>
      item.state === 'needs' ? (
        <NeedsYou item={item} name={section.card(item.body).title || title} onFix={() => edit(item.id)} />
      ) : (
        <StatePill state={item.state} />
      ),
    [section, title, edit],
  );
  const menuOf = useCallback(
    (item: Item) => <RowMenu section={section} item={item} onEdit={() => edit(item.id)} />,
    [section, edit],
  );
  const shown = items.filter((item) => section.card(item.body).title !== '');
  const isList = isListOf(section);
  const isOthers = section.writtenBy !== undefined;
  const single = isList ? undefined : items[0];
  const addLabel = isList ? `Add ${article(section.noun)} ${section.noun}` : `Add ${section.noun}`;
  const action = isList ? (
    section.endpoints.create &&
    !isOthers && <IconButton label={`Add to ${title}`} icon={Plus} className="text-primary" onClick={() => edit(NEW)} />
  ) : (
    <IconButton
      label={`Edit ${title}`}
      icon={Pencil}
      className="text-primary"
      onClick={() => edit(single ? single.id : NEW)}
    />
  );
  // Nobody can ask for feedback here: an empty card would only stand in the way.
  if (isOthers && shown.length === 0) return null;
  return (
    <Card
      title={title}
      count={isList && shown.length > 0 ? shown.length : undefined}
      state={single && stateOf(single)}
      action={shown.length > 0 ? action : undefined}
      place={isFar && shown.length > 0 ? `${profileId}/${section.key}` : undefined}
    >
      {shown.length > 0 ? (
        <CardBody section={section} items={shown} stateOf={stateOf} menuOf={menuOf} />
      ) : (
        <EmptyRow
          icon={isList ? Plus : Pencil}
          label={addLabel}
          hint={section.emptyText}
          onAdd={() => edit(section.cardinality === 'many' ? NEW : profileId)}
        />
      )}
    </Card>
  );
});
