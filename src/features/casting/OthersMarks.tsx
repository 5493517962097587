import type { OthersMark } from '#db/casting-role.ts';

/** What others in the project think of a tape. */
export function OthersMarks({ marks }: { marks: readonly OthersMark[] }) {
  if (marks.length === 0) return null;
  return (
    <section aria-label="What others think">
      <h3 className="text-sm font-semibold">Others</h3>
      <ul>
        {marks.map(({ key, author, grade, text }) => (
          <li key={key} className="flex items-start gap-2.5 border-t border-base-300 py-2.5 first:border-t-0">
            <b className="grid size-7 shrink-0 place-items-center rounded-lg bg-base-200 text-sm">
              {grade ?? '–'}
              <span className="sr-only">{grade === null ? ' No grade' : ''}</span>
            </b>
            <div className="min-w-0 leading-snug">
              <b className="font-semibold break-words">{author}</b>
              {text !== '' && <p className="break-words whitespace-pre-line">{text}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
