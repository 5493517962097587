import { useState } from 'react';
import type { IndustryRates } from '#contract/records/insights.ts';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { ChartCard } from './ChartCard.tsx';
import { toBandBars, toIndustryBars, toIndustryLabel, RATE_COLUMNS } from './chart-data.ts';

const GROUP_RULE = 'people name a day rate';

/** Day rates by industry, and by experience within the chosen industry. */
export function DayRates({ rates }: { rates: readonly IndustryRates[] }) {
  const [chosen, setChosen] = useState('');
  const index = Math.max(
    0,
    rates.findIndex(({ name }) => toIndustryLabel(name) === chosen),
  );
  const industry = rates[index];
  const name = industry ? toIndustryLabel(industry.name) : '';
  return (
    <>
      <ChartCard
        title="Day rates by industry"
        groupRule={GROUP_RULE}
        caption="Median day rate of the people who name one."
        rowHeader="Industry"
        columns={RATE_COLUMNS}
        bars={toIndustryBars(rates)}
      />
      <ChartCard
        title="Day rates by experience"
        groupRule={GROUP_RULE}
        caption={`${name}: median day rate by years since the first credit.${
          industry?.bands.length === 1 ? ' Too few people to show details.' : ''
        }`}
        rowHeader="Experience"
        columns={RATE_COLUMNS}
        bars={industry ? toBandBars(industry) : []}
      >
        {rates.length > 1 && (
          <div className="mb-3">
            <ChoiceChips
              label="Industry"
              name="industry"
              options={rates.map((each) => ({ value: toIndustryLabel(each.name), label: toIndustryLabel(each.name) }))}
              value={name}
              onChange={setChosen}
            />
          </div>
        )}
      </ChartCard>
    </>
  );
}
