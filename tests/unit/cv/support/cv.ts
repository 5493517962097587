import { readCvFonts } from '../../../../scripts/bundle/cv-fonts.ts';
import { createFonts } from '#features/cv/pdf/fonts.ts';
import type { CvContent, CvPart, CvRow } from '#features/cv/pdf/content.ts';
import { makePdf, type CvInput } from '#features/cv/pdf/make-pdf.ts';
import type { TextPictures } from '#features/cv/pdf/pictures.ts';
import { toQrPath } from '#shared/qr-path.ts';

/** The fonts that the app embeds. */
export const fonts = createFonts(readCvFonts());

/** A small JPEG that libjpeg reads without a warning: one gray pixel. */
export const TINY_JPEG = Buffer.from(
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AKAA/9k=',
  'base64',
);

export const row = (more: Partial<CvRow> = {}): CvRow => ({
  when: '2025',
  title: 'Paper Boats',
  url: null,
  middle: 'Salma',
  right: 'Dir. Rohan D’Souza',
  rank: 24_300,
  ...more,
});

export const credits = (rows: readonly CvRow[], title = 'Film'): CvPart => ({
  kind: 'table',
  noun: 'credit',
  groups: [{ title, rows }],
});

export const content = (more: Partial<CvContent> = {}): CvContent => ({
  name: 'Meera Kulkarni',
  title: 'Stage and screen actor',
  facts: [
    { label: 'Plays', value: '26 to 34' },
    { label: 'Height', value: '168 cm' },
    { label: 'Agent', value: 'Lakshmi Pillai, +91 20 5550 1234' },
  ],
  pageUrl: 'https://callboard.example/profile/meera-kulkarni/actor',
  parts: [credits([row()])],
  ...more,
});

interface Options {
  maxPages?: 1 | 2;
  portrait?: boolean;
  pictures?: TextPictures | null;
}

export const toInput = (shown: CvContent, { maxPages = 1, portrait = true }: Options = {}): CvInput => ({
  content: shown,
  design: {
    maxPages,
    accent: '#134834',
    code: shown.pageUrl === null ? null : toQrPath(shown.pageUrl),
    date: '26 Nov 2026',
  },
  portrait: portrait ? new Uint8Array(TINY_JPEG).buffer : null,
  now: new Date('2026-11-26T12:00:00Z'),
});

/** Makes a PDF that the tests can read. */
export const make = (shown: CvContent, options: Options = {}) =>
  makePdf(toInput(shown, options), { fonts, pictures: options.pictures ?? null, compress: false });
