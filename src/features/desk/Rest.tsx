import { Button } from '#ui/Button.tsx';
import type { DeskListData } from './use-desk-list.ts';

type RestProps = Pick<DeskListData<unknown>, 'next' | 'isBusy' | 'failure' | 'loadMore'> & {
  /** What the list has, in the plural: 'reports'. */
  noun: string;
};

/** The end of a list: a button for the next page, or why the rest could not be loaded. */
export function Rest({ next, isBusy, failure, loadMore, noun }: RestProps) {
  if (failure === null && next === null) return null;
  return (
    <div className="py-3 text-center">
      {failure && (
        <p role="alert" className="mb-2 font-medium text-phone">
          The rest could not be loaded. {failure.message}
        </p>
      )}
      <Button look="tonal" aria-disabled={isBusy} onClick={() => void loadMore()}>
        {isBusy ? 'One moment…' : failure ? 'Try again' : `Show more ${noun}`}
      </Button>
    </div>
  );
}
