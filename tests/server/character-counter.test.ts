import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ZodMiniType } from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { toErrorMap, rowSchema } from '#contract/schema.ts';
import type { AnyRow, Section, TextField } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { codePoints } from '#contract/text.ts';
import { counterText, fit } from '#ui/counter.ts';
import { addProfile } from './support/people.ts';
import { useTestServer } from './support/test-server.ts';
import { quantity } from '../support/quantity.ts';

const testServer = useTestServer();

const RUNS = quantity(200, 2000);

// --- What people type and paste ---

/** Each is one grapheme, of one to seven code points. */
const CHARACTERS = [
  'a',
  'ß',
  'ज',
  'क\u093f',
  '\u00e9',
  'e\u0301',
  'a\u0323\u0302\u0303',
  'Z\u0351\u036b\u0343\u036a',
  '🎬',
  '👍🏽',
  '👩\u200d🎤',
  '👨\u200d👩\u200d👧\u200d👦',
  '🏳\ufe0f\u200d🌈',
  '🇮🇳',
  '1\ufe0f\u20e3',
  '𝒜',
  '\n',
  ' ',
  '\u00a0',
  '\u200d',
  '\ufeff',
];
const BROKEN = ['\ud83c', '\udfac', '\ud800', '\udfff'];

const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...CHARACTERS) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
);
const anything = fc.oneof(
  { weight: 8, arbitrary: character },
  { weight: 1, arbitrary: fc.constantFrom(...BROKEN, '\0') },
);
const textOf = (unit: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(unit, { maxLength, size: 'max' }).map((units) => units.join(''));

/** Counts code points like PostgreSQL's char_length, without the code under test. */
const countReference = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    const isPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at, at + 2));
    at += isPair ? 2 : 1;
  }
  return count;
};

// --- Every text field with a counter, in the form and on the server ---

const YEAR = new Date('2026-11-21T09:00:00Z').getUTCFullYear();

interface Counted {
  name: string;
  section: Section;
  key: string;
  field: TextField;
}

const COUNTED = SECTIONS.flatMap((section) =>
  Object.entries(section.fields).flatMap(([key, field]): Counted[] =>
    field.kind === 'text' && field.multiline ? [{ name: `${section.key}.${key}`, section, key, field }] : [],
  ),
);

/** Returns the messages of the form for this field. The other fields hold the example. */
function validateInForm({ section, key }: Counted, text: string): string[] {
  const checked = rowSchema(section, () => YEAR).safeParse({ ...section.example, [key]: text });
  return checked.success ? [] : (toErrorMap(checked.error.issues)[key] ?? []);
}

function getCall({ section }: Counted) {
  if (section.cardinality === 'one') return CALLS.updateProfile;
  return section.endpoints.create ?? section.endpoints.update!;
}

/** Returns the messages of the schema that the server uses for this call. */
function validateOnServer(counted: Counted, text: string): string[] {
  const { method, path } = getCall(counted);
  const served = testServer.app.describedRoutes.find((route) => route.method === method && route.path === path);
  const body = { profile_id: '1', ...counted.section.example, [counted.key]: text };
  const read = (served!.body as ZodMiniType<AnyRow>).safeParse(body);
  return read.success ? [] : (toErrorMap(read.error.issues)[counted.key] ?? []);
}

test('finds the text fields with a counter', () => {
  expect(COUNTED.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['about_me.description', 'feedback.feedback']),
  );
});

describe('the counter', () => {
  test('counts code points: one for an emoji, seven for a family, two for a letter and its mark', () => {
    const counts = ['🎬', '👨\u200d👩\u200d👧\u200d👦', 'e\u0301', '👍🏽', '🇮🇳', '\ud83c'].map((text) =>
      codePoints(text),
    );
    expect(counts).toEqual([1, 7, 2, 2, 2, 1]);
    fc.assert(
      fc.property(textOf(anything, 60), (text) => {
        expect(codePoints(text)).toBe(countReference(text));
      }),
      { numRuns: RUNS },
    );
  });

  test('shows what is used, what is left and what is over the limit', () => {
    const texts = [0, 479, 480, 499, 500, 503].map((used) => counterText(used, 500));
    expect(texts).toEqual([
      '0 of 500',
      '479 of 500',
      '20 left',
      '1 left',
      '500 of 500, no room for more',
      '3 over the limit',
    ]);
  });
});

/** Pastes over the marked text and returns what the field keeps. */
function paste(before: string, marked: string, pasted: string, after: string, limit: number) {
  const next = { text: before + pasted + after, caret: (before + pasted).length };
  return fit(before + marked + after, next, limit);
}
/** Pastes into an empty field. */
const pasteAll = (text: string, limit: number) => paste('', '', text, '', limit).text;

describe('a paste', () => {
  const LIMIT = 40;
  const part = textOf(anything, 30);

  test('keeps the beginning that fits into an empty field and splits no surrogate pair', () => {
    fc.assert(
      fc.property(textOf(anything, 60), fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const accepted = pasteAll(text, limit);
        expect(text.startsWith(accepted)).toBe(true);
        expect(codePoints(accepted)).toBe(Math.min(codePoints(text), limit));
        expect(accepted.isWellFormed() || !text.isWellFormed()).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('truncates only the pasted text between existing text', () => {
    const sound = textOf(character, 12).filter((text) => text.isWellFormed());
    const pasted = textOf(character, 60).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(sound, sound, pasted, sound, (before, marked, words, after) => {
        fc.pre(codePoints(before + marked + after) <= LIMIT);
        const accepted = paste(before, marked, words, after, LIMIT);
        const inside = accepted.text.slice(before.length, accepted.text.length - after.length);
        expect(accepted.text).toBe(before + inside + after);
        expect(words.startsWith(inside)).toBe(true);
        expect(accepted.caret).toBe((before + inside).length);
        expect(codePoints(accepted.text)).toBe(Math.min(codePoints(before + words + after), LIMIT));
      }),
      { numRuns: RUNS },
    );
  });

  test('never grows a field beyond its limit', () => {
    fc.assert(
      fc.property(part, part, part, part, (before, marked, words, after) => {
        const had = codePoints(before + marked + after);
        expect(codePoints(paste(before, marked, words, after, LIMIT).text)).toBeLessThanOrEqual(Math.max(had, LIMIT));
      }),
      { numRuns: RUNS },
    );
  });

  test('finds the pasted letter next to an equal one', () => {
    expect(paste('a', '', 'a', 'a', 2)).toEqual({ text: 'aa', caret: 1 });
    expect(paste('', '', 'aa', 'a', 2)).toEqual({ text: 'aa', caret: 1 });
  });

  test('lets a text that is already too long be shortened step by step', () => {
    const long = 'x'.repeat(60);
    const shorter = { text: long.slice(0, 59), caret: 30 };
    expect(fit(long, shorter, LIMIT)).toEqual(shorter);
    expect(fit(long, { text: `${long}y`, caret: 61 }, LIMIT).text).toBe(long);
  });
});

describe.each(COUNTED.map((counted) => [counted.name, counted] as const))('%s', (_, counted) => {
  const { max, required } = counted.field;
  const nearLimit = fc
    .tuple(textOf(anything, 40), fc.integer({ min: max - 50, max: max + 10 }))
    .map(([text, length]) => 'x'.repeat(Math.max(0, length - codePoints(text))) + text);
  const anyText = fc.oneof(textOf(anything, 40), nearLimit, fc.constant(' '.repeat(max + 1)));

  test('gives the same messages in form and server for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(validateOnServer(counted, text)).toEqual(validateInForm(counted, text));
      }),
      { numRuns: RUNS },
    );
  });

  test('agrees with the server on what is too long', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const isTooMany = counterText(codePoints(text), max).endsWith('over the limit');
        // The server trims the text; the counter cannot know yet whether a word follows.
        const trimmed = text.trim();
        const refusals = validateOnServer(counted, trimmed);
        const lengthErrors = refusals.filter((message) => message.startsWith('Keep it to'));
        expect(lengthErrors.length > 0).toBe(counterText(codePoints(trimmed), max).endsWith('over the limit'));
        if (!isTooMany) expect(lengthErrors).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('never rejects the kept part of a paste for its length', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const accepted = pasteAll(text, max);
        const errors = validateOnServer(counted, accepted);
        const isEmpty = accepted.trim() === '';
        const isSound = accepted.isWellFormed() && !accepted.includes('\0');
        expect(errors.length === 0).toBe(isSound && !(required && isEmpty));
      }),
      { numRuns: RUNS },
    );
  });

  test('returns a text at the limit as it was stored', async () => {
    const owner = await testServer.join();
    const { id } = await addProfile(testServer, owner);
    const { method, path } = getCall(counted);
    const list = counted.section.endpoints.list.path.replace(':profileId', id);
    const sound = textOf(character, 200).filter((text) => text.isWellFormed() && !text.includes('\0'));
    for (const text of fc.sample(sound, 8)) {
      // A profile accepts only a few feedback entries per author.
      const writer = counted.section.writtenBy ? await testServer.join() : owner;
      const accepted = pasteAll(`${'x'.repeat(max - 60)}${text}${'🎬'.repeat(80)}`, max);
      const body = { profile_id: id, ...counted.section.example, [counted.key]: accepted };
      const { status } = await testServer.call(`${method} ${path}`, { token: writer.token, body });
      expect(status).toBeLessThan(300);
      const read = (await testServer.call<AnyRow | AnyRow[]>(`GET ${list}`, { token: owner.token })).body;
      expect([read].flat().map((row) => row[counted.key])).toContain(accepted.trim());
      const over = { ...body, [counted.key]: `${accepted}🎬` };
      const refused = await testServer.call<{ errors: AnyRow }>(`${method} ${path}`, {
        token: writer.token,
        body: over,
      });
      expect([refused.status, refused.body.errors]).toEqual([422, { [counted.key]: [`Keep it to ${max} characters`] }]);
    }
  });
});
