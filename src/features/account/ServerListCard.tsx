import type { ReactNode } from 'react';
import { Card } from '#ui/Card.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import type { ServerList } from './use-server-list.ts';

interface ServerListCardProps<T> {
  title: string;
  /** What readers hear meanwhile: 'Loading your devices'. */
  loading: string;
  /** Said where the list has nothing in it. */
  empty?: string;
  shown: ServerList<T>;
  /** A list item with a key. `at` is when the list was fetched. */
  row: (row: T, at: number) => ReactNode;
  /** Below the list. */
  children?: ReactNode;
}

/** A card around a list that only the server has, with words for where it cannot be had. */
export function ServerListCard<T>({ title, loading, empty, shown, row, children }: ServerListCardProps<T>) {
  return (
    <Card title={title}>
      {shown.kind === 'loading' && (
        <Loading label={loading}>
          <Skeleton className="h-12 w-full" />
        </Loading>
      )}
      {shown.kind === 'not here' && <p className="text-muted">{shown.why}</p>}
      {shown.kind === 'list' && shown.rows.length === 0 && <p className="text-muted">{empty}</p>}
      {shown.kind === 'list' && shown.rows.length > 0 && <ul>{shown.rows.map((each) => row(each, shown.at))}</ul>}
      {children}
    </Card>
  );
}
