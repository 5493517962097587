import { CircleAlert } from 'lucide-react';

/** Why an act was not done: somebody else was faster. What the page shows is read again. */
export function Late({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className="mb-3 flex gap-2 rounded-xl bg-needs-tint px-3.5 py-2.5 text-sm font-medium text-needs">
      <CircleAlert className="ic mt-0.5 shrink-0" aria-hidden />
      {text}. This page shows the newest state now.
    </p>
  );
}
