import { useEffect, useState } from 'react';
import { useLocation, useNavigationType } from '#ui/router.tsx';

interface ListPlace {
  pageCount: number;
  /** The report that was opened. */
  reportId: string;
}

/** Where the list was left, by history entry. Not stored: nothing of the desk stays on a device. */
const places = new Map<string, ListPlace>();

export const getReportLinkId = (reportId: string): string => `report-${reportId}`;

/** Remembers where the list of reports is left for one of them, for when the person comes back to it. */
export function useListPlace() {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  // Only what was known when the page opened: what is remembered later is for the next time.
  const [place] = useState(() => (navigationType === 'POP' ? (places.get(key) ?? null) : null));
  return { place, remember: (left: ListPlace) => void places.set(key, left) };
}

/** Puts the focus back on the report from which the person comes, once the list is there. The layout restores the scroll position. */
export function useReturnFocus(reportId: string | null): void {
  useEffect(() => {
    if (reportId !== null) document.getElementById(getReportLinkId(reportId))?.focus({ preventScroll: true });
  }, [reportId]);
}
