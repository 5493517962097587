import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import { getSubject } from '#sync/operations/record-words.ts';
import type { WaitingItem } from '#db/views.ts';
import { clockText, dayText } from '#lib/dates.ts';
import { toErrorText } from '#shared/error-text.ts';
import { useAccount } from '#session/session.tsx';
import { useLookup } from '#shared/queries/use-lookup.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { FormSummary } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toChoices, compareVersions, type LinePair, type Side } from './compare-versions.ts';
import { INDUSTRY_NAME } from './record-lines.ts';
import { getRecordShape } from './record-shape.ts';
import { toSentence } from './row-text.ts';

interface ConflictSheetProps {
  item: WaitingItem;
  onClose: () => void;
}

function formatWhen(ms: number): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  return `${isToday ? 'today' : dayText(new Date(ms).toISOString())} ${clockText(ms)}`;
}

function formatSavedWhen(body: Record<string, unknown>): string {
  const at = typeof body.updated_at === 'string' ? Date.parse(body.updated_at) : NaN;
  return Number.isNaN(at) ? 'Saved first' : `Saved ${formatWhen(at)}`;
}

/** Shows both versions of a record side by side. The user keeps one of them, or chooses line by line. */
export function ConflictSheet({ item, onClose }: ConflictSheetProps) {
  const { engine } = useAccount();
  const { row } = item;
  const theirs = row.theirs?.body ?? {};
  const mine = { ...theirs, ...row.patch };
  const industries = useLookup('industries', CALLS.industries);
  const withIndustry = (body: Record<string, unknown>) => ({
    ...body,
    [INDUSTRY_NAME]: industries.find(({ id }) => id === String(body.profile_industry_id))?.name,
  });
  const shape = getRecordShape(getSubject(row), mine);
  const pairs = compareVersions(shape, withIndustry(mine), withIndustry(theirs));
  const differences = pairs.filter((pair) => pair.isDifferent);
  const [side, setSide] = useState<Side>('mine');
  const [lines, setLines] = useState<Record<string, Side> | null>(null);
  const [error, setError] = useState<string | null>(null);
  const names: Record<Side, string> = { mine: `This ${deviceWord()}`, theirs: 'Other version' };
  const times: Record<Side, string> = { mine: `You, ${formatWhen(row.createdAt)}`, theirs: formatSavedWhen(theirs) };

  const handleKeep = async () => {
    try {
      await engine.resolveConflict(
        item.op,
        toChoices(pairs, (pair) => (lines ? (lines[pair.label] ?? 'mine') : side), {
          fields: Object.keys(row.patch),
          other: lines ? 'mine' : side,
        }),
      );
      onClose();
    } catch (cause) {
      setError(toErrorText(cause));
    }
  };
  const keepLabel = lines
    ? 'Keep these lines'
    : side === 'mine'
      ? `Keep this ${deviceWord()}`
      : 'Keep the other version';
  return (
    <Sheet
      title="Which one is right?"
      onClose={onClose}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={onClose}>
            Later
          </Button>
          <Button className="flex-1" onClick={() => void handleKeep()}>
            {keepLabel}
          </Button>
        </>
      }
    >
      <p className="text-sm text-muted">
        {toSentence(item.title)} {lines ? 'Choose one for each line.' : 'The differences are marked.'}
      </p>
      <FormSummary text={error} />
      {lines ? (
        <LineChooser pairs={differences} names={names} lines={lines} onChange={setLines} />
      ) : (
        <div className="grid grid-cols-2 gap-2.5" role="radiogroup" aria-label="Versions">
          {(['mine', 'theirs'] as const).map((each) => (
            <label
              key={each}
              className={`block min-w-0 cursor-pointer rounded-2xl border-2 p-3.5 ${side === each ? 'border-primary bg-secondary/35' : 'border-base-300'}`}
            >
              <span className="flex items-center gap-2">
                <input
                  type="radio"
                  name="version"
                  className="radio size-5 radio-primary"
                  checked={side === each}
                  onChange={() => setSide(each)}
                />
                <b className="min-w-0 grow font-bold">{names[each]}</b>
              </span>
              <span className="num mt-1 block text-xs text-muted">{times[each]}</span>
              <span className="mt-2.5 block space-y-2">
                {pairs.map((pair) => (
                  <VersionLine key={pair.label} label={pair.label} text={pair[each]} isDifferent={pair.isDifferent} />
                ))}
              </span>
            </label>
          ))}
        </div>
      )}
      {differences.length > 1 && (
        <button
          type="button"
          className="inline-flex min-h-11 items-center gap-1.5 rounded-lg text-sm font-semibold text-primary"
          onClick={() => setLines(lines ? null : Object.fromEntries(differences.map((pair) => [pair.label, side])))}
        >
          <ListChecks className="ic size-4" aria-hidden />
          {lines ? 'Choose a whole version instead' : 'Pick line by line instead'}
        </button>
      )}
    </Sheet>
  );
}

function VersionLine({ label, text, isDifferent }: { label: string; text: string; isDifferent: boolean }) {
  return (
    <span className="block">
      <span className="lab block">{label}</span>
      <span
        className={`leading-snug font-semibold break-words whitespace-pre-line ${isDifferent ? '-mx-1 rounded bg-warning/40 box-decoration-clone px-1' : ''}`}
      >
        {text === '' ? 'Empty' : text}
        {isDifferent && <span className="sr-only"> (differs)</span>}
      </span>
    </span>
  );
}

interface LineChooserProps {
  pairs: readonly LinePair[];
  names: Record<Side, string>;
  lines: Record<string, Side>;
  onChange: (lines: Record<string, Side>) => void;
}

/** One choice for each line that differs. */
function LineChooser({ pairs, names, lines, onChange }: LineChooserProps) {
  return (
    <div className="space-y-3">
      {pairs.map((pair) => (
        <fieldset key={pair.label}>
          <legend className="mb-1.5 text-sm font-semibold">{pair.label}</legend>
          <div className="grid grid-cols-2 gap-2.5">
            {(['mine', 'theirs'] as const).map((each) => (
              <label
                key={each}
                className={`flex min-h-12 min-w-0 cursor-pointer items-start gap-2 rounded-xl border-2 p-2.5 ${lines[pair.label] === each ? 'border-primary bg-secondary/35' : 'border-base-300'}`}
              >
                <input
                  type="radio"
                  name={`line ${pair.label}`}
                  className="radio mt-0.5 size-5 radio-primary"
                  checked={lines[pair.label] === each}
                  onChange={() => onChange({ ...lines, [pair.label]: each })}
                />
                <span className="min-w-0 grow">
                  <span className="block text-xs text-muted">{names[each]}</span>
                  <span className="leading-snug font-semibold break-words whitespace-pre-line">
                    {pair[each] === '' ? 'Empty' : pair[each]}
                  </span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}
