import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** The error message below a field, with an icon. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex items-start gap-1.5 text-sm font-medium text-needs">
      <CircleAlert className="ic mt-0.5 size-4" aria-hidden />
      <span>{children}</span>
    </p>
  );
}
