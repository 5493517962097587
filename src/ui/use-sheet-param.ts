import { useCallback } from 'react';
import { type To, useLocation, useNavigate, useSearchParams } from '#ui/router.tsx';

/** The open state of a sheet, kept in the URL so that Back closes it. */
export interface SheetParam {
  /** The value of `?name=`; '' if opened without a value; null while closed. */
  value: string | null;
  isOpen: boolean;
  /** Keeps its identity. */
  open: (value?: string) => void;
  close: () => void;
}

/**
 * True while a closing sheet waits for the browser to go back, which takes some milliseconds. A second tap must not go
 * back again, which would leave the page below.
 */
let isGoingBack = false;

/** The address of the current page with another value of `?name=`; null removes it. */
function getAddress(name: string, value: string | null): To {
  const { search, hash } = location;
  const params = new URLSearchParams(search);
  if (value === null) params.delete(name);
  else params.set(name, value);
  return { search: params.toString(), hash };
}

/**
 * `const editing = useSheetParam('edit')`: `?edit=42` while open. Opening pushes a history entry, closing goes back.
 */
export function useSheetParam(name: string): SheetParam {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const value = params.get(name);
  const pushed = (state as { sheet?: string } | null)?.sheet === name;
  const open = useCallback(
    (next = '') => {
      isGoingBack = false;
      navigate(getAddress(name, next), { state: { sheet: name } });
    },
    [name, navigate],
  );
  return {
    value,
    isOpen: value !== null,
    open,
    // A sheet opened by a link or a reload has no history entry of its own.
    close: () => {
      if (value === null || isGoingBack) return;
      if (!pushed) return navigate(getAddress(name, null), { replace: true });
      isGoingBack = true;
      addEventListener('popstate', () => (isGoingBack = false), { once: true });
      navigate(-1);
    },
  };
}
