import { memo } from 'react';
import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import type { Item } from '#db/views.ts';
import type { CardBodyProps } from './card-body.ts';
import { ExpandableList } from './ExpandableList.tsx';

type RowProps = Omit<CardBodyProps, 'items'> & { item: Item };

const SkillRow = memo(function SkillRow({ section, item, renderState, renderMenu }: RowProps) {
  const { title, subtitle } = section.card(item.body);
  return (
    <li className="flex items-center gap-x-3">
      <span className="flex min-w-0 grow flex-wrap items-center gap-x-3">
        <span className="min-w-0 grow basis-28 py-1.5">
          <span className="block font-medium break-words">{title}</span>
          <span className="mt-1 block empty:hidden">{renderState(item)}</span>
        </span>
        <span className="flex items-center gap-3">
          <span className="text-sm text-muted">{subtitle}</span>
          <span className="inline-flex items-end gap-[3px]" aria-hidden="true">
            {SKILL_LEVELS.map(({ value }) => (
              <i
                key={value}
                className={`h-[7px] w-[18px] rounded-xs ${value <= Number(item.body.level) ? 'bg-primary' : 'bg-base-300'}`}
              />
            ))}
          </span>
        </span>
      </span>
      {renderMenu(item)}
    </li>
  );
});

/** Renders name and level of each skill. The bars are decorative; the word carries the level. */
export function SkillList({ items, ...shared }: CardBodyProps) {
  return <ExpandableList items={items} renderRow={(item) => <SkillRow key={item.key} item={item} {...shared} />} />;
}
