import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/** The open state of one editor, kept in the address so that Back closes it. */
export interface SheetParam {
  /** What follows `?name=`; '' when opened without a value; null while closed. */
  value: string | null;
  isOpen: boolean;
  open: (value?: string) => void;
  close: () => void;
}

/** `const editing = useSheetParam('edit')`: `?edit=42` while open. Opening adds a step to the history, closing takes it back. */
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
    open: (next = '') => void navigate(address(next), { state: { sheet: name }, preventScrollReset: true }),
    // A sheet opened by a link or a reload has no step of ours to go back to.
    close: () => {
      if (value === null) return;
      if (pushed) void navigate(-1);
      else void navigate(address(null), { replace: true, preventScrollReset: true });
    },
  };
}
