import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CvContent, CvPart } from '#features/cv/pdf/content.ts';
import { PAGE, type Mark } from '#features/cv/pdf/marks.ts';
import type { TextPictures } from '#features/cv/pdf/pictures.ts';
import { quantity } from '#tests/support/quantity.ts';
import { content, credits, make, row, TINY_JPEG } from './support/cv.ts';
import { findAll, readPdf } from './support/read-pdf.ts';

const read = async (...given: Parameters<typeof make>) => readPdf((await make(...given)).pdf);

const HINDI = 'मीरा कुलकर्णी';
const full = content({
  name: `Meera ${HINDI}`,
  parts: [
    credits([row({ url: 'https://example.org/paper-boats' }), row({ title: 'विद्यार्थी', middle: 'श्रीमती शक्ति' })]),
    { kind: 'list', title: 'Skills', noun: 'skill', entries: ['Kathak (expert)', 'Stage combat'] },
    { kind: 'links', title: 'Links', links: [{ label: 'Website', url: 'https://www.example.org/' }] },
  ],
});

/** Every line of text with its edges, in points. */
const toLines = (pages: readonly (readonly Mark[])[]) =>
  pages.flatMap((marks, page) =>
    marks.flatMap((mark) => {
      if (mark.kind !== 'text') return [];
      const last = mark.runs.at(-1);
      const text = mark.runs.map((each) => each.text).join('');
      return [{ page, text, left: mark.runs[0]?.x ?? 0, right: (last?.x ?? 0) + (last?.width ?? 0), y: mark.y }];
    }),
  );

describe('the PDF of a CV', () => {
  test('says that it is tagged, in which language it is and what its title is', async () => {
    const { catalog, info, metadata, pages } = await read(full);
    expect(catalog.get('Lang')).toBe('en');
    expect(catalog.has('StructTreeRoot')).toBe(true);
    expect(metadata).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(metadata).toContain(full.name);
    expect(info).toMatchObject({ Title: `${full.name} · CV`, Creator: 'Callboard' });
    expect(pages.map((page) => page.get('Tabs'))).toEqual(['/S']);
  });

  test('has a title that is safe in XML, also for a name that is not', async () => {
    const { info, metadata, structure } = await read(content({ name: 'Kit & <Kat>\u0000\ud800' }));
    expect(info.Title).toBe('Kit and Kat · CV');
    expect(metadata).toContain('>Kit and Kat · CV</rdf:li>');
    expect(structure.children[0]?.text).toBe('Kit & <Kat>');
  });

  test('has everything that is drawn in an element or in an artifact, and each piece in one element', async () => {
    const { unmarkedCount, orphanCount } = await read(full);
    expect({ unmarkedCount, orphanCount }).toEqual({ unmarkedCount: 0, orphanCount: 0 });
  });

  test('is read in the order of its content', async () => {
    const { structure } = await read(full);
    expect(structure.children.map(({ tag }) => tag)).toEqual([
      'H1',
      'P',
      'Figure',
      'L',
      'Figure',
      'P',
      'H2',
      'Table',
      'H2',
      'P',
      'H2',
      'L',
    ]);
    expect(structure.children.map(({ text }) => text)).toEqual([
      `Meera ${HINDI}`,
      'Stage and screen actor',
      '',
      'Plays26 to 34Height168 cmAgentLakshmi Pillai, +91 20 5550 1234',
      '',
      'callboard.example/profile/meera-kulkarni/actor',
      'Film',
      '2025Paper BoatsSalmaDir. Rohan D’Souza2025विद्यार्थीश्रीमती शक्तिDir. Rohan D’Souza',
      'Skills',
      'Kathak (expert), Stage combat',
      'Links',
      'Websiteexample.org',
    ]);
  });

  test('has regular tables whose rows are named by their titles', async () => {
    const { structure } = await read(full);
    const rows = findAll(structure, 'TR');
    expect(rows.map(({ children }) => children.map(({ tag }) => tag))).toEqual([
      ['TD', 'TH', 'TD', 'TD'],
      ['TD', 'TH', 'TD', 'TD'],
    ]);
    expect(findAll(structure, 'TH').map(({ scope }) => scope)).toEqual(['Row', 'Row']);
  });

  test('says what its figures show and where they stand', async () => {
    const { structure } = await read(full);
    expect(findAll(structure, 'Figure').map(({ alt, hasBox }) => ({ alt, hasBox }))).toEqual([
      { alt: `Portrait of ${full.name}`, hasBox: true },
      { alt: `QR code that opens ${full.name}’s profile`, hasBox: true },
    ]);
  });

  test('says where its links lead', async () => {
    const { structure } = await read(full);
    const links = findAll(structure, 'Link').flatMap(({ links: found }) => found);
    expect(links.every(({ page }) => page === 0)).toBe(true);
    expect([...new Set(links.map(({ url }) => url))]).toEqual([
      full.pageUrl,
      'https://example.org/paper-boats',
      'https://www.example.org/',
    ]);
    expect(links.map(({ contents }) => contents)).toContain('Paper Boats');
  });

  test('embeds each font that it uses, as a part of it', async () => {
    const { objects } = await read(full);
    const fonts = [...objects.values()].flatMap(({ value }) =>
      value instanceof Map && value.get('Type') === '/Font' ? [value] : [],
    );
    expect(fonts.map((font) => font.get('Subtype'))).not.toContain('/Type1');
    const descriptors = [...objects.values()].flatMap(({ value }) =>
      value instanceof Map && value.get('Type') === '/FontDescriptor' ? [value] : [],
    );
    expect(descriptors.length).toBeGreaterThanOrEqual(4);
    for (const descriptor of descriptors) {
      expect(descriptor.has('FontFile2')).toBe(true);
      expect(descriptor.get('FontName')).toMatch(/^\/[A-Z]{6}\+NotoSans-(Regular|Bold)$/);
    }
  });

  test('says what Devanagari letters spell, in the element and in the content', async () => {
    const { structure } = await read(full);
    const spans = findAll(structure, 'Span');
    expect(spans.map(({ actual, lang }) => ({ actual, lang }))).toEqual([
      { actual: HINDI, lang: 'hi' },
      { actual: 'विद्यार्थी', lang: 'hi' },
      { actual: 'श्रीमती शक्ति', lang: 'hi' },
    ]);
    for (const { actual, contents } of spans) expect(contents.map((each) => each.actual)).toEqual([actual]);
  });

  test('draws text that no embedded font has as a picture that can be read and copied', async () => {
    const drawn: string[] = [];
    const pictures: TextPictures = {
      widthOf: (text, _weight, size) => (text.length * size) / 2,
      draw: async (text) => {
        drawn.push(text);
        return { bytes: new Uint8Array(TINY_JPEG).buffer, width: 20, height: 10, below: 3 };
      },
    };
    const { structure, unmarkedCount } = await read(content({ name: 'محمد علي', title: 'Cairo: 北京' }), { pictures });
    expect(drawn).toEqual(['محمد علي', '北京']);
    expect(findAll(structure, 'Span').map(({ actual, text }) => [actual, text])).toEqual([
      ['محمد علي', 'محمد علي'],
      ['北京', '北京'],
    ]);
    expect(structure.children[1]?.text).toBe('Cairo: 北京');
    expect(unmarkedCount).toBe(0);
  });

  test('is made where nothing can draw such text, and still says it', async () => {
    const { structure } = await read(content({ name: 'محمد علي' }));
    expect(structure.children[0]?.text).toBe('محمد علي');
  });

  test('is made from an empty profile', async () => {
    const { structure, pageCount } = await read(content({ title: '', facts: [], parts: [], pageUrl: null }), {
      portrait: false,
    });
    expect(pageCount).toBe(1);
    expect(structure.children.map(({ tag, text }) => [tag, text])).toEqual([['H1', 'Meera Kulkarni']]);
  });
});

describe('the pages of a CV', () => {
  const many = Array.from({ length: 60 }, (_, at) => row({ title: `Film ${at + 1}`, rank: 25_000 - at }));

  test('hold the 25 newest credits on one page, and say how many more there are and where', async () => {
    const made = await make(
      content({ parts: [credits(many.slice(30), 'Film'), credits(many.slice(0, 30), 'Theatre')].slice(0, 1) }),
    );
    expect([made.pages.length, made.cutCount]).toEqual([1, 5]);
    const { structure } = readPdf(made.pdf);
    expect(findAll(structure, 'TH').map(({ text }) => text)).toEqual(many.slice(30, 55).map(({ title }) => title));
    expect(structure.children.at(-1)?.text).toBe('5 more credits at callboard.example/profile/meera-kulkarni/actor');
  });

  test('keep the newest credits of all groups together', async () => {
    const groups = [
      { title: 'Film', rows: many.filter((_, at) => at % 2 === 0) },
      { title: 'Theatre', rows: many.filter((_, at) => at % 2 === 1) },
    ];
    const made = await make(content({ parts: [{ kind: 'table', noun: 'credit', groups }] }));
    const titles = findAll(readPdf(made.pdf).structure, 'TH').map(({ text }) => text);
    expect(titles).toHaveLength(25);
    expect(new Set(titles)).toEqual(new Set(many.slice(0, 25).map(({ title }) => title)));
  });

  test('hold 60 credits on two, in one table that goes on', async () => {
    const made = await make(content({ parts: [credits(many)] }), { maxPages: 2 });
    expect([made.pages.length, made.cutCount]).toEqual([2, 0]);
    const { structure } = readPdf(made.pdf);
    const tables = findAll(structure, 'Table');
    expect(tables.map(({ children }) => children.length)).toEqual([60]);
    const pages = tables[0]?.children.map(({ children }) => children[0]?.pages[0]);
    expect([pages?.[0], pages?.at(-1)]).toEqual([0, 1]);
  });

  test('break long names and words into lines inside the paper', async () => {
    const name = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100);
    const long = row({ title: 'क'.repeat(150), middle: 'W'.repeat(150), right: 'x '.repeat(100) });
    const { pages } = await make(content({ name, title: 'm'.repeat(150), parts: [credits([long])] }));
    const lines = toLines(pages);
    expect(
      lines
        .filter(({ text }) => name.includes(text.trim()))
        .map(({ text }) => text)
        .join(''),
    ).toContain(name);
    for (const { left, right, y } of lines) {
      expect(left).toBeGreaterThanOrEqual(45);
      expect(right).toBeLessThanOrEqual(PAGE.width - 45 + 5);
      expect(y).toBeLessThan(PAGE.height - 30);
    }
  });

  test('never are more than were asked for, whatever the profile holds', async () => {
    const line = fc.oneof(
      fc.string({ maxLength: 200, unit: 'grapheme' }),
      fc.constantFrom('', 'Ira, lead', HINDI, 'محمد'),
    );
    const rows = fc.array(
      fc.record({
        when: fc.constant('2024'),
        title: line,
        url: fc.constant(null),
        middle: line,
        right: line,
        rank: fc.nat(30_000),
      }),
      { maxLength: quantity(30, 70) },
    );
    const part = fc.oneof(
      fc.record({
        kind: fc.constant('table'),
        noun: fc.constantFrom('credit', 'award'),
        groups: fc.array(fc.record({ title: line, rows }), { maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant('list'),
        title: line,
        noun: fc.constant('skill'),
        entries: fc.array(line, { maxLength: 80 }),
      }),
      fc.record({
        kind: fc.constant('links'),
        title: line,
        links: fc.array(fc.record({ label: line, url: fc.webUrl() }), { maxLength: 5 }),
      }),
    );
    const shown: fc.Arbitrary<CvContent> = fc.record({
      name: line,
      title: line,
      facts: fc.array(fc.record({ label: fc.constantFrom('Plays', 'Languages'), value: line }), { maxLength: 20 }),
      pageUrl: fc.option(fc.webUrl()),
      parts: fc.array(part as fc.Arbitrary<CvPart>, { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(shown, fc.constantFrom(1, 2), async (generated, maxPages) => {
        const made = await make(generated, { maxPages: maxPages === 1 ? 1 : 2 });
        expect(made.pages.length).toBeLessThanOrEqual(maxPages);
        for (const { y } of toLines(made.pages)) expect(y).toBeLessThan(PAGE.height - 30);
        const { unmarkedCount, orphanCount } = readPdf(made.pdf);
        expect([unmarkedCount, orphanCount]).toEqual([0, 0]);
      }),
      { numRuns: quantity(4, 300) },
    );
  }, 600_000);
});
