import { useEffect, useMemo, useState } from 'react';
import { CvPartsMissingError, openCvMaker, type CvMaker } from './cv-maker.ts';
import { familyOf } from './font-family.ts';
import type { CvInput, MadeCv } from './pdf/make-pdf.ts';

export type CvState =
  | { status: 'loading' }
  /** The code or the fonts are not on this device. */
  | { status: 'missing' }
  | { status: 'failed' }
  /** `isLatest` is false while a newer one is being made. */
  | { status: 'made'; made: MadeCv; isLatest: boolean };

/** Makes the fonts of the PDF known to the page, so that the preview is drawn with them. Returns a function that forgets them. */
function showFonts({ fonts }: CvMaker): () => void {
  const faces = [...fonts].map(([face, bytes]) => new FontFace(familyOf(face), bytes));
  for (const face of faces) document.fonts.add(face);
  return () => {
    for (const face of faces) document.fonts.delete(face);
  };
}

/**
 * Makes the PDF beside the page, and again whenever the input changes.
 * @param input null until everything that belongs to it is there
 */
export function useCvPdf(input: CvInput | null): { state: CvState; retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [maker, setMaker] = useState<CvMaker | null>(null);
  const [failure, setFailure] = useState<'missing' | 'failed' | null>(null);
  const [latest, setLatest] = useState<{ input: CvInput; made: MadeCv } | null>(null);
  const fail = (error: unknown) => {
    console.warn(error);
    setFailure(error instanceof CvPartsMissingError ? 'missing' : 'failed');
  };

  useEffect(() => {
    let isCurrent = true;
    let close: (() => void) | null = null;
    openCvMaker().then((opened) => {
      if (!isCurrent) return opened.close();
      const forgetFonts = showFonts(opened);
      close = () => {
        opened.close();
        forgetFonts();
      };
      setMaker(opened);
    }, fail);
    return () => {
      isCurrent = false;
      close?.();
    };
  }, [attempt]);

  useEffect(() => {
    if (maker === null || input === null) return;
    let isCurrent = true;
    maker.make(input).then(
      (made) => {
        if (isCurrent && made) setLatest({ input, made });
      },
      (error: unknown) => {
        if (isCurrent) fail(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [maker, input]);

  const state = useMemo((): CvState => {
    if (failure !== null) return { status: failure };
    if (latest === null) return { status: 'loading' };
    return { status: 'made', made: latest.made, isLatest: latest.input === input };
  }, [failure, latest, input]);
  const retry = () => {
    setFailure(null);
    setMaker(null);
    setAttempt((before) => before + 1);
  };
  return { state, retry };
}
