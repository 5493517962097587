import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import type { ServerResource } from './use-server-resource.ts';

/** One line of such a list. */
export interface ListLine {
  key: string;
  name: string;
  detail: string;
  /** A way to take it off the list: 'Sign out'. Readers hear it with the name. */
  action?: { word: string; onPress: () => void };
}

interface ServerListCardProps<T> {
  title: string;
  /** What readers hear meanwhile: 'Loading your devices'. */
  loading: string;
  /** Said where the list has nothing in it. */
  empty?: string;
  shown: ServerResource<T[]>;
  /** `at` is when the list was fetched. */
  line: (row: T, at: number) => ListLine;
  /** Below the list. */
  children?: ReactNode;
}

/** A card around a list that only the server has, with words for where it cannot be had. */
export function ServerListCard<T>({ title, loading, empty, shown, line, children }: ServerListCardProps<T>) {
  return (
    <Card title={title}>
      {shown.kind === 'loading' && (
        <Loading label={loading}>
          <Skeleton className="h-12 w-full" />
        </Loading>
      )}
      {shown.kind === 'not here' && <p className="text-muted">{shown.why}</p>}
      {shown.kind === 'here' && shown.data.length === 0 && <p className="text-muted">{empty}</p>}
      {shown.kind === 'here' && shown.data.length > 0 && (
        <ul>
          {shown.data.map((each) => {
            const { key, ...rest } = line(each, shown.at);
            return <Line key={key} {...rest} />;
          })}
        </ul>
      )}
      {children}
    </Card>
  );
}

function Line({ name, detail, action }: Omit<ListLine, 'key'>) {
  return (
    <li className="flex items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
      <div className="min-w-0 grow leading-snug">
        <div className="font-semibold break-words">{name}</div>
        <div className="text-sm text-muted">{detail}</div>
      </div>
      {action && (
        <Button look="line" aria-label={`${action.word} ${name}`} onClick={action.onPress}>
          {action.word}
        </Button>
      )}
    </li>
  );
}
