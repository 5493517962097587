import { UsersRound } from 'lucide-react';
import { count } from '#lib/text.ts';
import { Chips } from '#ui/Chips.tsx';
import type { IndustryChoice } from './industries.ts';

interface FiltersProps {
  /** The number of total connections; undefined before the first pull. */
  total: number | undefined;
  industries: readonly IndustryChoice[];
  /** Id of the chosen industry; '' for total. */
  value: string;
  onChange: (id: string) => void;
}

/** Filters the network by industry: chips on a phone, a list beside the network from 768 px. */
export function Filters({ total, industries, value, onChange }: FiltersProps) {
  const chips = [
    { value: '', label: 'All', ...(total !== undefined && { count: total }) },
    // The row scrolls, so industries with connections come first.
    ...[...industries]
      .sort((a, b) => b.connectionCount - a.connectionCount)
      .map(({ id, name, connectionCount }) => ({
        value: id,
        label: name,
        ...(total !== undefined && { count: connectionCount }),
      })),
  ];
  return (
    <>
      <div className="px-1 md:hidden">
        <Chips label="My Connections by industry" options={chips} value={value} onChange={onChange} />
      </div>
      <section className="notice sticky top-19 hidden p-2 md:block" aria-labelledby="my-connections">
        <h2 id="my-connections" className="px-2.5 pt-2.5 pb-2 text-[1.0625rem] font-bold">
          My Connections
        </h2>
        <Row
          label="All"
          icon={<UsersRound className="ic" aria-hidden />}
          connectionCount={total}
          isOn={value === ''}
          onSelect={() => onChange('')}
        />
        {industries.map(({ id, name, icon, connectionCount, memberCount }) => (
          <Row
            key={id}
            label={name}
            detail={memberCount === undefined ? undefined : `${count(memberCount, 'person', 'people')} on Callboard`}
            icon={icon && <Mask src={icon} />}
            connectionCount={total === undefined ? undefined : connectionCount}
            isOn={value === id}
            onSelect={() => onChange(id)}
          />
        ))}
      </section>
    </>
  );
}

/** A single-color picture, drawn in the color of the text beside it. */
function Mask({ src }: { src: string }) {
  const mask = `url("${src}") center / contain no-repeat`;
  return <span className="block size-[18px] bg-current" style={{ mask, WebkitMask: mask }} aria-hidden />;
}

interface RowProps {
  label: string;
  detail?: string | undefined;
  icon: React.ReactNode;
  connectionCount: number | undefined;
  isOn: boolean;
  onSelect: () => void;
}

function Row({ label, detail, icon, connectionCount, isOn, onSelect }: RowProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onSelect}
      className={`flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-field px-2.5 py-1 text-left ${
        isOn ? 'bg-secondary text-secondary-content' : 'hover:bg-base-200'
      }`}
    >
      <span className="grid w-5 shrink-0 place-items-center">{icon}</span>
      <span className="min-w-0 grow leading-tight">
        <span className="block font-semibold break-words">{label}</span>
        {detail && <span className={`block text-xs ${isOn ? '' : 'text-muted'}`}>{detail}</span>}
      </span>
      <span className="num text-sm font-medium">
        {connectionCount}
        <span className="sr-only"> of your connections</span>
      </span>
    </button>
  );
}
