import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOnline } from '#shared/queries/use-online.ts';

/**
 * Renders an action that needs the server; offline it renders a note instead.
 * @param doing 'Changing it'
 */
export function OnlineOnly({ doing, children }: { doing: string; children: ReactNode }) {
  const isOnline = useOnline();
  if (isOnline) return children;
  return (
    <p className="mt-3 flex items-center gap-2 text-sm font-medium text-phone">
      <CloudOff className="ic" aria-hidden />
      {doing} only works online.
    </p>
  );
}
