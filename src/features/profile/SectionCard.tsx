import { Ellipsis, Eye, EyeOff, Pencil, Plus, Trash2 } from 'lucide-react';
import type { Section } from '#contract/section.ts';
import { sectionItems } from '#db/queries.ts';
import type { Item } from '#db/views.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#session/use-query.ts';
import { IconButton } from '#ui/Button.tsx';
import { Card, EmptyRow } from '#ui/Card.tsx';
import { Menu } from '#ui/Menu.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { CardBody, isListOf } from './custom-cards.tsx';
import { deleteItem } from './delete-item.ts';
import { NeedsYou } from './NeedsYou.tsx';

interface SectionCardProps {
  section: Section;
  profileId: string;
  /** Opens the form: an item's id, or 'new'. */
  onEdit: (id: string) => void;
}

const article = (noun: string) => (/^[aeiou]/i.test(noun) ? 'an' : 'a');

/** One section of the own profile: its rows with their states, and the ways to change them. */
export function SectionCard({ section, profileId, onEdit }: SectionCardProps) {
  const { engine } = useAccount();
  const items = useQuery((db) => sectionItems(db, section, profileId), [section.key, profileId]);
  if (!items) return null;
  const shown = items.filter((item) => !item.removedBy && section.card(item.body).title !== '');
  const isList = isListOf(section);
  const isOthers = section.writtenBy !== undefined;

  const stateOf = (item: Item) =>
    item.state === 'needs' ? (
      <NeedsYou item={item} name={section.card(item.body).title || section.title} onFix={() => onEdit(item.id)} />
    ) : (
      <StatePill state={item.state} />
    );
  // Others' words are theirs: the owner can only keep them from view.
  const hideItem = (item: Item) => {
    const isHidden = item.body.is_hidden === true;
    return {
      label: isHidden ? 'Show to everybody' : 'Hide from others',
      icon: isHidden ? Eye : EyeOff,
      onSelect: () => void engine.update(section.key, item.id, { is_hidden: !isHidden }),
    };
  };
  const menuOf = (item: Item) => (
    <Menu
      label={`More for ${section.card(item.body).title}`}
      trigger={<Ellipsis className="ic" aria-hidden />}
      triggerClass="tap -mr-3 -my-1 self-center text-muted"
      items={[
        ...(section.endpoints.update && !isOthers
          ? [{ label: 'Edit', icon: Pencil, onSelect: () => onEdit(item.id) }]
          : []),
        ...(isOthers ? [hideItem(item)] : []),
        ...(section.endpoints.remove
          ? [{ label: 'Delete', icon: Trash2, danger: true, onSelect: () => void deleteItem(engine, section, item) }]
          : []),
      ]}
    />
  );
  const single = isList ? undefined : items[0];
  const addLabel = isList ? `Add ${article(section.noun)} ${section.noun}` : `Add ${section.noun}`;
  const action = isList ? (
    section.endpoints.create &&
    !isOthers && (
      <IconButton
        label={`Add to ${section.title}`}
        icon={Plus}
        className="text-primary"
        onClick={() => onEdit('new')}
      />
    )
  ) : (
    <IconButton
      label={`Edit ${section.title}`}
      icon={Pencil}
      className="text-primary"
      onClick={() => onEdit(single ? single.id : 'new')}
    />
  );
  // Nobody can ask for feedback here: an empty card would only stand in the way.
  if (isOthers && shown.length === 0) return null;
  return (
    <Card
      title={section.title}
      count={isList && shown.length > 0 ? shown.length : undefined}
      state={single && stateOf(single)}
      action={shown.length > 0 ? action : undefined}
    >
      {shown.length > 0 ? (
        <CardBody section={section} items={shown} stateOf={stateOf} menuOf={menuOf} />
      ) : (
        <EmptyRow
          icon={isList ? Plus : Pencil}
          label={addLabel}
          hint={section.emptyText}
          onAdd={() => onEdit(section.cardinality === 'many' ? 'new' : profileId)}
        />
      )}
    </Card>
  );
}
