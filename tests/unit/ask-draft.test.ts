import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Breach } from '#contract/rules/check.ts';
import type { PerformerCard } from '#db/casting.ts';
import { AccountDb } from '#db/database.ts';
import type { FieldValues } from '#db/rows.ts';
import { getWritten, putRefusedIntoAskForm } from '#features/casting/ask-draft.ts';
import { loadDraft, saveDraft } from '#shared/forms/drafts.ts';
import { fakeStorage } from './support/local-storage.ts';

const ZONE = 'Asia/Kolkata';

test('what was written in the form that asks is all but its performers and PDFs', () => {
  const written = { sides_text: 'NASEEM\nYou came.', deadline: '2027-01-10T18:00' };
  expect(getWritten({ ...written, to: '[]', files: ['a'], titles: { a: 'Scene 14' } })).toEqual(written);
});

test('a field that was written and put back is not written', () => {
  const draft = { sides_text: 'You came.', takes: '2', seen: { sides_text: '', takes: '2' } };
  expect(getWritten(draft)).toEqual({ sides_text: 'You came.', seen: draft.seen });
});

describe('a refused request goes back into the form', () => {
  let db: AccountDb;
  beforeEach(() => {
    vi.stubGlobal('localStorage', fakeStorage());
    db = new AccountDb('ask-draft', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  });
  afterEach(async () => {
    // The last draft is being stored.
    await db.drafts.count();
    db.close();
    vi.unstubAllGlobals();
  });

  const card = (id: string): PerformerCard => ({ profile_id: id, name: id, title: null, profile_photo: null });
  const refused = (id: string, changed: FieldValues = {}): FieldValues => ({
    sides_text: 'You came.',
    instructions: '',
    takes: 2,
    slate: true,
    deadline_at: '2027-01-10T12:30:00.000Z',
    card: card(id),
    ...changed,
  });
  const put = (body: FieldValues, breaches?: Breach[]) =>
    putRefusedIntoAskForm(db, { roleId: '7', round: 'first' }, { body, breaches }, ZONE);
  const wait = (draft: FieldValues) => saveDraft(db, 'ask:7', draft, 0);
  const read = async (): Promise<FieldValues> => (await loadDraft(db, 'ask:7')) ?? {};
  const names = async () => (JSON.parse(String((await read()).to)) as PerformerCard[]).map(({ name }) => name);

  test('with everybody for whom the same was asked', async () => {
    expect(await put(refused('Asha'))).toBe(true);
    expect(await put(refused('Meera'))).toBe(true);
    expect(await names()).toEqual(['Asha', 'Meera']);
    expect(await read()).toMatchObject({ sides_text: 'You came.', deadline: '2027-01-10T18:00' });
  });

  test('beside the first of them, which was corrected there', async () => {
    await put(refused('Asha'));
    wait({ ...(await read()), deadline: '2027-01-20T18:00' });
    expect(await put(refused('Meera'))).toBe(true);
    expect(await names()).toEqual(['Asha', 'Meera']);
    expect(await read()).toMatchObject({ sides_text: 'You came.', deadline: '2027-01-20T18:00' });
  });

  test('with whom the server has counted the hours for minors', async () => {
    await put(refused('Asha'), [{ rule: 'pages', text: '9 pages of sides. In a first round, 8 are the most.' }]);
    await put(refused('Meera'), [{ rule: 'notice', text: 'Too short.', for_minors: true }]);
    expect(JSON.parse(String((await read()).to))).toEqual([card('Asha'), { ...card('Meera'), for_minors: true }]);
  });

  test('unless another one waits there', async () => {
    const other = {
      sides_text: 'You never came.',
      to: JSON.stringify([card('Asha')]),
      seen: { sides_text: '', to: '[]' },
    };
    wait(other);
    expect(await put(refused('Meera'))).toBe(false);
    expect(await read()).toEqual(other);
    await put(refused('Meera', { sides_text: '' }));
    expect(await names()).toEqual(['Asha', 'Meera']);
  });

  test('with its own words where the form only has what it began with', async () => {
    wait({ takes: '3', sides_text: '', seen: { takes: '3', sides_text: '' } });
    expect(await put(refused('Meera'))).toBe(true);
    expect(await read()).toMatchObject({ takes: '2', sides_text: 'You came.' });
  });
});
