import { useEffect, useState } from 'react';
import { getMediaKindOfRecord, type MediaKind } from '#contract/media-kinds.ts';
import { count, cutText } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import type { DraftForm } from '#shared/forms/use-draft-form.ts';
import type { CountedPdf } from './count-pages.ts';
import { canSave, type PickedFile } from './picked-files.ts';
import { useKeepFiles } from './use-keep-files.ts';
import { type FilePicks, usePicks } from './use-picked-files.ts';

/** Which PDFs a form takes. */
export interface PdfRules {
  maxFiles: number;
  /** Of one PDF. */
  maxPages: number;
  /** Code points of a name. */
  nameLength: number;
}

export const toPdfKind = ({ maxFiles }: Pick<PdfRules, 'maxFiles'>): MediaKind => ({
  ...getMediaKindOfRecord('document')!,
  maxFiles,
  types: { 'application/pdf': ['.pdf'] },
});

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
function getProblem({ name }: PickedFile, pdf: CountedPdf | undefined, maxPages: number): string | null {
  if (pdf === undefined) return 'A PDF is still being read. Wait a moment.';
  if (pdf.isEncrypted) return `${name} has a password. Save it without one and add that.`;
  if (pdf.pages === 0) return `The pages of ${name} cannot be counted. Print it to a new PDF and add that.`;
  if (pdf.pages === null || pdf.pages <= maxPages) return null;
  return `${name} has ${pdf.pages} pages, and ${maxPages} are the most.`;
}

export interface PickedPdfs {
  kind: MediaKind;
  maxBytes: number;
  picks: FilePicks;
  /** The PDFs whose pages are known. */
  counted: { pages: number }[];
  /** What keeps the form from being sent; null if nothing does. */
  problem: string | null;
  /** '3 pages'; undefined while it is not known. */
  getFacts: (file: PickedFile) => string | undefined;
  /** The PDFs that are stored, as requests and tapes name them. */
  toSend: () => { upload_id: string; name: string }[];
}

interface PdfOptions {
  /** The form in whose draft the PDFs are kept. */
  form: DraftForm;
  rules: PdfRules;
  /** The PDFs in the draft. */
  start: readonly PickedFile[];
  /** Of one PDF. */
  maxBytes: number;
}

/** The PDFs in a form. Each is stored on this device as soon as it is picked, and its pages are counted. */
export function usePdfs({ form, rules, start, maxBytes }: PdfOptions): PickedPdfs {
  const [kind] = useState(() => toPdfKind(rules));
  const picks = usePicks(kind, maxBytes, start);
  const stored = picks.files.filter((file) => file.state === 'stored');
  const pdfs = useCountedPdfs(stored.map((file) => file.mediaId!));
  useKeepFiles(form, picks, picks.files.length > 0 || form.isChanged);
  const find = (file: PickedFile) => pdfs.get(file.mediaId ?? '');
  const problems = stored.flatMap((file) => getProblem(file, find(file), rules.maxPages) ?? []);
  return {
    kind,
    maxBytes,
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
        name: cutText(file.title.trim() || file.name, rules.nameLength),
      })),
  };
}
