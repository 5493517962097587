import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { ResourceState } from './ResourceState.tsx';
import type { ServerResource } from './use-server-resource.ts';

/** One line of a server list. */
export interface ListLine {
  key: string;
  name: string;
  detail: string;
  /** A button such as 'Sign out'. Screen readers announce its label with the name. */
  action?: { label: string; onPress: () => void };
}

interface ServerListCardProps<T> {
  title: string;
  /** Announced to screen readers while loading: 'Loading your devices'. */
  loadingLabel: string;
  /** Shown if the list is empty. */
  emptyText?: string;
  resource: ServerResource<T[]>;
  /** `fetchedAt` is in milliseconds since the epoch. */
  toLine: (row: T, fetchedAt: number) => ListLine;
  /** Rendered below the list. */
  children?: ReactNode;
}

/** A card with a list that is not stored on this device: the list, a skeleton, or the reason why it is unavailable. */
export function ServerListCard<T>({
  title,
  loadingLabel,
  emptyText,
  resource,
  toLine,
  children,
}: ServerListCardProps<T>) {
  return (
    <Card title={title}>
      <ResourceState resource={resource} loadingLabel={loadingLabel} height="h-12" />
      {resource.status === 'loaded' && resource.data.length === 0 && <p className="text-muted">{emptyText}</p>}
      {resource.status === 'loaded' && resource.data.length > 0 && (
        <ul>
          {resource.data.map((each) => {
            const { key, ...rest } = toLine(each, resource.fetchedAt);
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
        <Button look="line" aria-label={`${action.label} ${name}`} onClick={action.onPress}>
          {action.label}
        </Button>
      )}
    </li>
  );
}
