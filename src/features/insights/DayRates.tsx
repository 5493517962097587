import { useState } from 'react';
import type { IndustryRates } from '#contract/records/insights.ts';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { ChartCard } from './ChartCard.tsx';
import { bandBars, industryBars, industryName, RATE_COLUMNS } from './insight-words.ts';

const WHOM = 'people name a day rate';

/** What people ask for a day, by industry and, in one of them, by how long they have been at it. */
export function DayRates({ rates }: { rates: readonly IndustryRates[] }) {
  const [chosen, setChosen] = useState('');
  const place = Math.max(
    0,
    rates.findIndex(({ name }) => industryName(name) === chosen),
  );
  const industry = rates[place];
  const name = industry ? industryName(industry.name) : '';
  return (
    <>
      <ChartCard
        title="Day rates by industry"
        whom={WHOM}
        caption="Median day rate of the people who name one."
        of="Industry"
        columns={RATE_COLUMNS}
        bars={industryBars(rates)}
      />
      <ChartCard
        title="Day rates by experience"
        whom={WHOM}
        caption={`${name}: median day rate by years since the first credit.${
          industry?.bands.length === 1 ? ' Too few people to show details.' : ''
        }`}
        of="Experience"
        columns={RATE_COLUMNS}
        bars={industry ? bandBars(industry) : []}
      >
        {rates.length > 1 && (
          <div className="mb-3">
            <ChoiceChips
              label="Industry"
              name="industry"
              options={rates.map((each) => ({ value: industryName(each.name), label: industryName(each.name) }))}
              value={name}
              onChange={setChosen}
            />
          </div>
        )}
      </ChartCard>
    </>
  );
}
