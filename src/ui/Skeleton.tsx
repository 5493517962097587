import { useEffect, useState, type ReactNode } from 'react';

/** True once `ms` have passed, so that no skeleton appears for what loads faster. */
export function useSlow(ms = 300): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return slow;
}

/** A gray placeholder; classes give it the size of the real content. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skel ${className}`} />;
}

/** Gray placeholders below each other; `sizes` holds the classes of each. */
export function Skeletons({ sizes }: { sizes: readonly string[] }) {
  return sizes.map((size, n) => <Skeleton key={n} className={size} />);
}

interface LoadingProps {
  label: string;
  /** A whole page: nothing below it needs reserved space, so the skeletons render only when they become visible. */
  isPage?: boolean;
  children: ReactNode;
}

/** Shows skeletons after 300 ms and tells screen readers what is loading. For data that was never on this device. */
export function Loading({ label, isPage, children }: LoadingProps) {
  const slow = useSlow();
  return (
    <div aria-busy="true" aria-label={label} role="group" className={slow ? '' : 'invisible'}>
      {(slow || !isPage) && children}
    </div>
  );
}
