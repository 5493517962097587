export interface Fact {
  label: string;
  words: string;
}

/** Short facts in two columns, as on a slate. Empty ones are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const shown = facts.filter(({ words }) => words !== '');
  if (shown.length === 0) return null;
  return (
    <dl className="mt-3 grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-base-300 bg-base-300">
      {shown.map(({ label, words }, index) => (
        <div
          key={label}
          className={`bg-base-100 px-3 py-2.5 ${index === shown.length - 1 && index % 2 === 0 ? 'col-span-2' : ''}`}
        >
          <dt className="lab">{label}</dt>
          <dd className="mt-0.5 leading-snug font-semibold break-words">{words}</dd>
        </div>
      ))}
    </dl>
  );
}
