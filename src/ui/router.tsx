import { type ComponentProps, type MouseEvent, useEffectEvent, useLayoutEffect, useMemo } from 'react';
import { useHistoryState, useLocationProperty } from 'wouter/use-browser-location';

export { Route, Switch, useParams } from 'wouter';

/** What a history entry of the app holds. */
interface Entry {
  key: string;
  state: unknown;
}

interface NavigateOptions {
  /** Takes the place of the current history entry instead of adding one. */
  replace?: boolean;
  /** Kept with the history entry, and found again after Back or a reload: `useLocation().state`. */
  state?: unknown;
}

/** An address within the app, or the parts of one that are to change. Without `pathname`, the page stays. */
export type To = string | { pathname?: string; search?: string; hash?: string };

const toAddress = (to: To): string => {
  if (typeof to === 'string') return to;
  const url = new URL(location.href);
  if (to.pathname !== undefined) url.pathname = to.pathname;
  url.search = to.search ?? '';
  url.hash = to.hash ?? '';
  return url.pathname + url.search + url.hash;
};

export type NavigationType = 'POP' | 'PUSH' | 'REPLACE';

/** How the current entry was reached. POP also stands for the first page. */
let navigationType: NavigationType = 'POP';
// Without a browser, as in unit tests, there is no history.
if (typeof addEventListener === 'function') {
  addEventListener('popstate', () => {
    navigationType = 'POP';
  });
}

/** The key of an entry that the app did not add. */
const FIRST = 'default';

/** Goes to an address, or a number of steps through the history. Components use `useNavigate`. */
export function navigate(to: To | number, { replace = false, state = null }: NavigateOptions = {}): void {
  if (typeof to === 'number') return history.go(to);
  navigationType = replace ? 'REPLACE' : 'PUSH';
  // There is still nothing of the app before what takes the place of the first entry: see `useGoBack`.
  const isFirst = replace && ((history.state as Partial<Entry> | null)?.key ?? FIRST) === FIRST;
  // Not randomUUID, which browsers withhold from pages without TLS. A key only has to differ from those of the same tab.
  const entry: Entry = { key: isFirst ? FIRST : Math.random().toString(36).slice(2), state };
  history[replace ? 'replaceState' : 'pushState'](entry, '', toAddress(to));
}

export const useNavigate = (): typeof navigate => navigate;

export const useNavigationType = (): NavigationType => useLocationProperty(() => navigationType);

export interface Location {
  pathname: string;
  /** With the leading '?', or empty. */
  search: string;
  /** With the leading '#', or empty. */
  hash: string;
  state: unknown;
  /** Identifies the history entry; 'default' for one that the app did not add, such as a page opened by a link. */
  key: string;
}

/** The address and history entry of the current page. */
export function useLocation(): Location {
  const pathname = useLocationProperty(() => location.pathname);
  const search = useLocationProperty(() => location.search);
  const hash = useLocationProperty(() => location.hash);
  const entry = useHistoryState<Partial<Entry> | null>();
  return useMemo(
    () => ({ pathname, search, hash, state: entry?.state ?? null, key: entry?.key ?? FIRST }),
    [pathname, search, hash, entry],
  );
}

type SearchInit = URLSearchParams | Record<string, string>;
type SetSearchParams = (
  next: SearchInit | ((before: URLSearchParams) => SearchInit),
  options?: NavigateOptions,
) => void;

/** Replaces the query of the address and drops its hash. */
const setSearchParams: SetSearchParams = (next, options) => {
  const params = typeof next === 'function' ? next(new URLSearchParams(location.search)) : next;
  navigate({ search: String(new URLSearchParams(params)) }, options);
};

/** The query of the address, and a function that changes it. */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const search = useLocationProperty(() => location.search);
  return [useMemo(() => new URLSearchParams(search), [search]), setSearchParams];
}

type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & { to: string } & NavigateOptions;

/** Whether the browser opens the link elsewhere: in a new tab or window, or as a download. */
export const isForBrowser = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;

/** A link within the app. A tap on the link of the current page adds no entry to the history. */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || isForBrowser(event)) return;
        event.preventDefault();
        const isHere = new URL(to, location.href).href === location.href;
        navigate(to, { replace: replace ?? isHere, state });
      }}
    />
  );
}

/** Goes to another page as soon as it is rendered, once per address. */
export function Navigate({ to, ...options }: { to: string } & NavigateOptions) {
  const go = useEffectEvent(() => navigate(to, options));
  useLayoutEffect(() => go(), [to]);
  return null;
}
