import { useState } from 'react';
import { EXPERIENCE_TYPES } from '#contract/sections/experience.ts';
import { Chips } from '#ui/Chips.tsx';
import type { CardBodyProps } from './card-body.ts';
import { SectionList } from './SectionList.tsx';

/** The list of credits, with a filter chip for each kind of production that occurs in it. */
export function CreditList(props: CardBodyProps) {
  const { items } = props;
  const [chosen, setChosen] = useState('All');
  const counts = EXPERIENCE_TYPES.map((type) => ({
    type,
    count: items.filter((item) => item.body.experience_type === type).length,
  })).filter(({ count }) => count > 0);
  const type = counts.some((option) => option.type === chosen) ? chosen : null;
  const shown = type === null ? items : items.filter((item) => item.body.experience_type === type);
  const chips = [
    { value: 'All', label: 'All', count: items.length },
    ...counts.map((option) => ({ value: option.type, label: option.type, count: option.count })),
  ];
  return (
    <>
      <Chips label="Kinds of credit" options={chips} value={type ?? 'All'} onChange={setChosen} />
      <SectionList key={type} {...props} items={shown} />
    </>
  );
}
