import { useCallback, useEffect, useRef, useState } from 'react';
import { pathOf } from '#contract/path.ts';
import type { Endpoint } from '#contract/section.ts';
import type { AppError } from '#net/app-error.ts';
import { read, type Result } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import type { DeskData } from './use-desk.ts';

/** A page of a list. Lists that are a bare array name the next page in a header. */
type Page<Row> = readonly Row[] | { data: readonly Row[]; next_cursor: string | null };
type RowOf<P> = P extends readonly (infer Row)[] ? Row : P extends { data: readonly (infer Row)[] } ? Row : never;

/** What was loaded of a list, and how it goes on. */
export interface DeskListData<P> {
  rows: readonly RowOf<P>[];
  /** The newest first page. */
  first: P;
  pageCount: number;
  /** Where the list goes on; null at its end. */
  next: string | null;
  isBusy: boolean;
  /** Why the last attempt to load failed. What was loaded before stays. */
  failure: AppError | null;
  /** Loads the next page, or tries again what failed. */
  loadMore: () => Promise<void>;
}

type Loaded<P> = Omit<DeskListData<P>, 'isBusy' | 'failure' | 'loadMore'>;

async function fetchPage<P extends Page<unknown>>(path: string, state: string, cursor: string | null) {
  const query = new URLSearchParams({ ...(state && { state }), ...(cursor !== null && { cursor }) }).toString();
  const answer = await read<P>(query ? `${path}?${query}` : path);
  if (!answer.ok) return answer;
  if ('same' in answer) throw new Error('A page that was asked for without a tag is never the same');
  const { data } = answer;
  return 'next_cursor' in data
    ? { ok: true as const, page: data, rows: data.data, next: data.next_cursor }
    : { ok: true as const, page: data, rows: data, next: answer.next };
}

/** Loads pages one after the other, from the first or after those that are there. */
async function fetchPages<P extends Page<unknown>>(
  path: string,
  state: string,
  pageCount: number,
  known: Loaded<P> | null,
): Promise<Result<Loaded<P>>> {
  let list = known;
  while (list === null || (list.pageCount < pageCount && list.next !== null)) {
    const answer: Awaited<ReturnType<typeof fetchPage<P>>> = await fetchPage<P>(path, state, list?.next ?? null);
    if (!answer.ok) return answer;
    list = {
      rows: [...(list?.rows ?? []), ...(answer.rows as RowOf<P>[])],
      first: list?.first ?? answer.page,
      pageCount: (list?.pageCount ?? 0) + 1,
      next: answer.next,
    };
  }
  return { ok: true, data: list };
}

interface Shown<P> {
  address: string;
  list: Loaded<P> | null;
  isBusy: boolean;
  failure: AppError | null;
  /** Whether all pages were to be loaded again when it failed, not one more. */
  isStale: boolean;
}

/**
 * Reads a list of the desk page by page, and what was loaded of it again when the device comes online.
 * @param initialPages how many pages to begin with
 */
export function useDeskList<P extends Page<unknown>>(endpoint: Pick<Endpoint, 'path'>, state = '', initialPages = 1) {
  const isOnline = useOnline();
  const path = pathOf(endpoint);
  const address = `${path} ${state}`;
  const [shown, setShown] = useState<Shown<P>>({ address, list: null, isBusy: true, failure: null, isStale: true });
  // Only the answer to the newest request counts.
  const newest = useRef(0);
  const loaded = useRef<{ address: string; list: Loaded<P> } | null>(null);

  const load = useCallback(
    async (isAgain: boolean) => {
      const turn = ++newest.current;
      const before = loaded.current?.address === address ? loaded.current.list : null;
      setShown((previous) => ({ ...previous, address, list: before, isBusy: true }));
      const pageCount = before === null ? initialPages : before.pageCount + (isAgain ? 0 : 1);
      const answer = await fetchPages<P>(path, state, pageCount, isAgain ? null : before);
      if (turn !== newest.current) return;
      if (answer.ok) loaded.current = { address, list: answer.data };
      setShown({
        address,
        list: answer.ok ? answer.data : before,
        isBusy: false,
        failure: answer.ok ? null : answer.error,
        isStale: isAgain && !answer.ok,
      });
    },
    [address, path, state, initialPages],
  );
  useEffect(() => {
    // Going offline changes nothing about what is shown.
    if (isOnline || loaded.current?.address !== address) void load(true);
  }, [load, isOnline, address]);
  useEffect(
    () => () => {
      newest.current += 1;
    },
    [],
  );

  const { list, failure, isBusy, isStale } =
    shown.address === address ? shown : { ...shown, list: null, failure: null };
  const loadMore = async () => {
    if (!isBusy) await load(isStale);
  };
  const result: DeskData<DeskListData<P>> =
    list !== null
      ? { status: 'loaded', data: { ...list, isBusy, failure, loadMore } }
      : failure !== null
        ? { status: 'refused', error: failure }
        : { status: 'loading' };
  return { result, refetch: () => load(true) };
}
