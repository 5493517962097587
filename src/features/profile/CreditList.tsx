import { useState } from 'react';
import { EXPERIENCE_TYPES } from '#contract/sections/experience.ts';
import { Chips } from '#ui/Chips.tsx';
import type { CardBodyProps } from './card-body.ts';
import { SectionList } from './SectionList.tsx';

/** The programme, with a chip per kind of production that there is. */
export function CreditList(props: CardBodyProps) {
  const { items } = props;
  const [chosen, setChosen] = useState('All');
  const counts = EXPERIENCE_TYPES.map((type) => ({
    type,
    count: items.filter((item) => item.body.experience_type === type).length,
  })).filter(({ count }) => count > 0);
  const type = counts.some((entry) => entry.type === chosen) ? chosen : null;
  const shown = type === null ? items : items.filter((item) => item.body.experience_type === type);
  const chips = [
    { value: 'All', label: 'All', count: items.length },
    ...counts.map((entry) => ({ value: entry.type, label: entry.type, count: entry.count })),
  ];
  return (
    <>
      <Chips label="Kinds of credit" options={chips} value={type ?? 'All'} onChange={setChosen} />
      <SectionList key={type} {...props} items={shown} />
    </>
  );
}
