import { Loading, Skeleton, Skeletons } from '#ui/Skeleton.tsx';

function CardPlaceholders() {
  return (
    <div className="space-y-3">
      <div className="notice space-y-2.5 p-4">
        <Skeletons sizes={['h-5 w-1/3', 'h-4 w-full', 'h-4 w-5/6']} />
      </div>
      <div className="notice space-y-2.5 p-4">
        <Skeletons sizes={['h-5 w-1/4', 'h-4 w-2/3', 'h-4 w-3/4']} />
      </div>
    </div>
  );
}

/** Placeholder for the cards of a profile whose sections have not been pulled yet. */
export function CardsSkeleton() {
  return (
    <Loading label="Loading the rest of your profile">
      <CardPlaceholders />
    </Loading>
  );
}

/** Placeholder for a profile that has not been pulled yet. */
export function ProfileSkeleton() {
  return (
    <Loading label="Loading profile" isPage>
      <div className="mx-auto grid max-w-[1216px] grid-cols-1 items-start gap-3 px-3 pt-1 md:grid-cols-[300px_minmax(0,1fr)] md:gap-6 md:px-6 md:pt-6 lg:grid-cols-[368px_minmax(0,1fr)]">
        <div className="notice flex gap-4 p-4 md:block">
          <Skeleton className="aspect-[4/5] w-28 shrink-0 !rounded-xl md:aspect-[4/3] md:w-full" />
          <div className="grow space-y-2.5 pt-1 md:pt-5">
            <Skeletons sizes={['h-7 w-3/4', 'h-4 w-1/2', 'h-4 w-2/3']} />
          </div>
        </div>
        <CardPlaceholders />
      </div>
    </Loading>
  );
}
