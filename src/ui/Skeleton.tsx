import { useEffect, useState, type ReactNode } from 'react';

/** True once `ms` have passed: what loads faster is never announced by a grey shape. */
export function useSlow(ms = 300): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return slow;
}

/** One grey shape; give it the true size with classes. */
export function Skeleton({ className }: { className: string }) {
  return <div className={`skel ${className}`} />;
}

/** Grey shapes one below the other; `sizes` are the classes of each. */
export function Skeletons({ sizes }: { sizes: readonly string[] }) {
  return sizes.map((size, n) => <Skeleton key={n} className={size} />);
}

interface LoadingProps {
  label: string;
  /** A whole page, which keeps no room for anything below it: nothing is drawn that may never show. */
  isPage?: boolean;
  children: ReactNode;
}

/** Holds skeletons back for 300 ms and tells readers what loads. For what has never been on this device. */
export function Loading({ label, isPage, children }: LoadingProps) {
  const slow = useSlow();
  return (
    <div aria-busy="true" aria-label={label} role="group" className={slow ? '' : 'invisible'}>
      {(slow || !isPage) && children}
    </div>
  );
}
