import { useLocation, useNavigate, useSearchParams } from '#ui/router.tsx';

/** The open state of a sheet, kept in the URL so that Back closes it. */
export interface SheetParam {
  /** The value of `?name=`; '' if opened without a value; null while closed. */
  value: string | null;
  isOpen: boolean;
  open: (value?: string) => void;
  close: () => void;
}

/**
 * True while a closing sheet waits for the browser to go back, which takes some milliseconds. A second tap must not go
 * back again, which would leave the page below.
 */
let isGoingBack = false;

/**
 * `const editing = useSheetParam('edit')`: `?edit=42` while open. Opening pushes a history entry, closing goes back.
 */
export function useSheetParam(name: string): SheetParam {
  const [params] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const value = params.get(name);
  const pushed = (location.state as { sheet?: string } | null)?.sheet === name;

  const address = (next: string | null) => {
    const search = new URLSearchParams(params);
    if (next === null) search.delete(name);
    else search.set(name, next);
    return { search: search.toString(), hash: location.hash };
  };
  return {
    value,
    isOpen: value !== null,
    open: (next = '') => {
      isGoingBack = false;
      navigate(address(next), { state: { sheet: name } });
    },
    // A sheet opened by a link or a reload has no history entry of its own.
    close: () => {
      if (value === null || isGoingBack) return;
      if (!pushed) return navigate(address(null), { replace: true });
      isGoingBack = true;
      addEventListener('popstate', () => (isGoingBack = false), { once: true });
      navigate(-1);
    },
  };
}
