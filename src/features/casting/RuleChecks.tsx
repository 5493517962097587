import { CircleCheck, CircleHelp, Hand } from 'lucide-react';
import { WAIVER_TEXT } from '#contract/rules/check.ts';
import type { RulePack } from '#contract/rules/pack.ts';
import { momentText, toLocalInput } from '#lib/deadline.ts';
import type { FormValues } from '#shared/forms/form-values.ts';
import { Button } from '#ui/Button.tsx';
import { TextArea } from '#ui/Field.tsx';
import { type Findings, getWaiverKey } from './ask-values.ts';

interface RuleChecksProps {
  pack: RulePack;
  findings: Findings;
  values: FormValues;
  errors: Record<string, string>;
  timeZone: string;
  now: number;
  onChange: (changed: FormValues) => void;
}

/** The rules that the project follows: what is broken and why it may be, what to look at again, and what is kept. */
export function RuleChecks({ pack, findings, values, errors, timeZone, now, onChange }: RuleChecksProps) {
  const { breaches, doubts } = findings;
  const isWaivable = (rule: string) => pack.rules.find(({ id }) => id === rule)?.waiver === 'reason';
  const kept = pack.rules.length - breaches.length;
  return (
    <>
      <section className="notice px-4 pt-3 pb-3 md:px-5" aria-labelledby="rules">
        <div className="flex items-baseline gap-2">
          <h2 id="rules" className="grow text-[1.0625rem] font-bold">
            Rule checks
          </h2>
          <span className="text-sm text-muted">{pack.name}</span>
        </div>
        <ul aria-live="polite">
          {breaches.map(({ rule, text, earliest }) => (
            <li key={rule} className="flex gap-3 border-t border-base-300 py-2.5 first:border-t-0">
              <Hand className="ic mt-0.5 text-needs" aria-hidden />
              <span className="min-w-0">
                <b className="block leading-snug font-semibold">{text}</b>
                <span className="block text-sm text-muted">
                  {earliest === undefined
                    ? isWaivable(rule)
                      ? 'Change it, or say why.'
                      : 'Change it. No reason makes up for this.'
                    : `Move it to ${momentText(earliest, now, timeZone)}, or say why.`}
                </span>
              </span>
            </li>
          ))}
          {doubts.map(({ rule, text }) => (
            <li key={`doubt ${rule}`} className="flex gap-3 border-t border-base-300 py-2.5 first:border-t-0">
              <CircleHelp className="ic mt-0.5 text-phone" aria-hidden />
              <span className="min-w-0 text-sm leading-snug">{text}</span>
            </li>
          ))}
          {kept > 0 && (
            <li className="flex gap-3 border-t border-base-300 py-2.5 first:border-t-0">
              <CircleCheck className="ic mt-0.5 text-saved" aria-hidden />
              <span className="font-semibold">
                {breaches.length === 0 ? 'All rules are kept' : `${kept} other rules are kept`}
              </span>
            </li>
          )}
        </ul>
      </section>
      {breaches
        .filter(({ rule }) => isWaivable(rule))
        .map(({ rule, text, earliest }) => (
          <section key={rule} className="rounded-box bg-needs-tint p-4">
            <h2 className="leading-snug font-bold text-needs">{text}</h2>
            <p className="mt-1 text-sm">Give your reason. Each performer reads it before saying yes.</p>
            <div className="mt-3">
              <TextArea
                label="Reason"
                name={getWaiverKey(rule)}
                rows={2}
                limit={WAIVER_TEXT.most}
                value={values[getWaiverKey(rule)] ?? ''}
                error={errors[getWaiverKey(rule)] && 'Give your reason in at least ten characters'}
                onChange={(reason) => onChange({ [getWaiverKey(rule)]: reason })}
              />
            </div>
            {earliest !== undefined && (
              <Button
                look="line"
                className="mt-2 w-full"
                onClick={() => onChange({ deadline: toLocalInput(Math.ceil(earliest / 60_000) * 60_000, timeZone) })}
              >
                Move it to {momentText(earliest, now, timeZone)} instead
              </Button>
            )}
          </section>
        ))}
    </>
  );
}
