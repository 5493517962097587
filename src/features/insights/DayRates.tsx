import { useState } from 'react';
import type { IndustryRates } from '#contract/records/insights.ts';
import { Card } from '#ui/Card.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { BarChart } from './BarChart.tsx';
import { bandBars, industryBars, industryName, RATE_COLUMNS } from './insight-words.ts';
import { TooFew } from './TooFew.tsx';

/** What people ask for a day, by industry and, in one of them, by how long they have been at it. */
export function DayRates({ rates }: { rates: readonly IndustryRates[] }) {
  const [chosen, setChosen] = useState('');
  const place = Math.max(
    0,
    rates.findIndex(({ name }) => industryName(name) === chosen),
  );
  const industry = rates[place];
  return (
    <>
      <Card title="Day rates by industry">
        {rates.length === 0 ? (
          <TooFew whom="people name a day rate" />
        ) : (
          <BarChart
            caption="What people with a day rate ask per day: as many ask more as ask less."
            of="Industry"
            columns={RATE_COLUMNS}
            bars={industryBars(rates)}
          />
        )}
      </Card>
      <Card title="Day rates by experience">
        {industry === undefined ? (
          <TooFew whom="people name a day rate" />
        ) : (
          <>
            {rates.length > 1 && (
              <ChoiceChips
                label="Industry"
                name="industry"
                options={rates.map(({ name }) => ({ value: industryName(name), label: industryName(name) }))}
                value={industryName(industry.name)}
                onChange={setChosen}
              />
            )}
            <div className="mt-3">
              <BarChart
                caption={`${industryName(industry.name)}: what people ask per day, by years since their first credit.${
                  industry.bands.length === 1 ? ' There are too few of them to look closer.' : ''
                }`}
                of="Experience"
                columns={RATE_COLUMNS}
                bars={bandBars(industry)}
              />
            </div>
          </>
        )}
      </Card>
    </>
  );
}
