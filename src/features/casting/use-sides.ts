import { useEffect, useState } from 'react';
import { getMediaKindOfRecord, type MediaKind } from '#contract/media-kinds.ts';
import { type AskBody, CASTING_LIMITS } from '#contract/records/casting.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import type { DraftForm } from '#shared/forms/use-draft-form.ts';
import { canSave, type PickedFile } from '#shared/picked-files/picked-files.ts';
import { useKeepFiles } from '#shared/picked-files/use-keep-files.ts';
import { usePicks } from '#shared/picked-files/use-picked-files.ts';
import type { CountedPdf } from './count-pages.ts';

/** The PDFs of a request. */
export const SIDES_KIND: MediaKind = {
  ...getMediaKindOfRecord('document')!,
  maxFiles: CASTING_LIMITS.sidesFiles,
  types: { 'application/pdf': ['.pdf'] },
};

const UNKNOWN: CountedPdf = { isEncrypted: false, pages: null };

/** Counts the pages of stored PDFs on this device, one after the other. @returns those that were counted, by their ids */
function useCountedPdfs(ids: readonly string[]): ReadonlyMap<string, CountedPdf> {
  const { db } = useAccount();
  const [counted, setCounted] = useState<ReadonlyMap<string, CountedPdf>>(new Map());
  const next = ids.find((id) => !counted.has(id));
  useEffect(() => {
    if (next === undefined) return;
    let isCurrent = true;
    const settle = (pdf: CountedPdf) => {
      if (isCurrent) setCounted((before) => new Map(before).set(next, pdf));
    };
    const countPages = async () => (await import('./count-pages.ts')).countPagesOf(db, next);
    countPages().then(settle, (error: unknown) => {
      reportError(error);
      settle(UNKNOWN);
    });
    return () => {
      isCurrent = false;
    };
  }, [db, next]);
  return counted;
}

/** Why a PDF cannot be sent; null if it can. A device that cannot count leaves it to the server. */
function getProblem({ name }: PickedFile, pdf: CountedPdf | undefined): string | null {
  if (pdf === undefined) return 'A PDF is still being read. Wait a moment.';
  if (pdf.isEncrypted) return `${name} has a password. Save it without one and add that.`;
  if (pdf.pages === 0) return `The pages of ${name} cannot be counted. Print it to a new PDF and add that.`;
  if (pdf.pages === null || pdf.pages <= CASTING_LIMITS.sidesPages) return null;
  return `${name} has ${pdf.pages} pages, and ${CASTING_LIMITS.sidesPages} are the most.`;
}

export interface PickedSides {
  picks: ReturnType<typeof usePicks>;
  /** The PDFs whose pages are known. */
  counted: { pages: number }[];
  /** What keeps the form from being sent; null if nothing does. */
  problem: string | null;
  /** '3 pages'; undefined while it is not known. */
  getFacts: (file: PickedFile) => string | undefined;
  /** The PDFs as a request names them. */
  toSend: () => AskBody['sides'];
}

/** The PDFs in the form that asks performers. */
export function useSides(form: DraftForm, start: readonly PickedFile[], maxBytes: number): PickedSides {
  const picks = usePicks(SIDES_KIND, maxBytes, start);
  const stored = picks.files.filter((file) => file.state === 'stored');
  const pdfs = useCountedPdfs(stored.map((file) => file.mediaId!));
  useKeepFiles(form, picks, picks.files.length > 0 || form.isChanged);
  const find = (file: PickedFile) => pdfs.get(file.mediaId ?? '');
  const problems = stored.flatMap((file) => getProblem(file, find(file)) ?? []);
  return {
    picks,
    counted: stored.flatMap((file) => {
      const pages = find(file)?.pages;
      return pages ? [{ pages }] : [];
    }),
    problem: canSave(picks.files) ? (problems[0] ?? null) : 'A PDF is still being copied. Wait a moment.',
    getFacts: (file) => {
      const pages = find(file)?.pages;
      return pages ? count(pages, 'page') : undefined;
    },
    toSend: () =>
      stored.map((file) => ({
        upload_id: file.mediaId!,
        name: [...(file.title.trim() || file.name)].slice(0, CASTING_LIMITS.sidesName).join(''),
      })),
  };
}
