import { expect, test } from 'vitest';
import type { DeskPerson, DeskReportDetail } from '#contract/records/desk.ts';
import { getPersonOffer, getReportOffer } from '#features/desk/offer.ts';

const MODERATOR = { id: '1', isOperator: false };
const OPERATOR = { id: '2', isOperator: true };
const PERSON = { id: '9', role: 'person', state: 'active' } as DeskPerson;
const REPORT = {
  id: '5',
  state: 'open',
  target_type: 'media',
  target_state: 'shown',
  hidden_by: null,
  is_about_caller: false,
  context: PERSON,
  log: [] as DeskReportDetail['log'],
} as DeskReportDetail;
const offer = (change: Partial<DeskReportDetail>, viewer = MODERATOR) =>
  getReportOffer({ ...REPORT, ...change }, viewer, 'file');

test('offers Hide for shown things, Show again for hidden ones, and neither for gone ones', () => {
  expect(offer({})).toMatchObject({ canHide: true, canShowAgain: false, note: null });
  expect(offer({ target_state: 'hidden', hidden_by: '7' })).toMatchObject({ canHide: false, canShowAgain: true });
  expect(offer({ target_state: 'gone' })).toMatchObject({
    canHide: false,
    canShowAgain: false,
    note: 'The member has deleted the file.',
  });
  expect(offer({ target_type: 'user' })).toMatchObject({ canHide: false, canShowAgain: false, canSuspend: true });
  // Nothing hides a request between two people.
  expect(offer({ target_type: 'audition' })).toMatchObject({ canHide: false, canShowAgain: false, canSuspend: true });
});

test('offers of a closed report only to open it again', () => {
  const log = [{ id: '8', act: 'report.close', target_id: '5', can_undo: true }] as DeskReportDetail['log'];
  expect(offer({ state: 'closed', log }, OPERATOR)).toEqual({
    canHide: false,
    canShowAgain: false,
    canSuspend: false,
    hasMenu: false,
    canRemove: false,
    closedBy: '8',
    note: 'This report is closed. Open it again to decide otherwise.',
  });
});

test('offers no decision about oneself, and no suspension or removal of an operator', () => {
  expect(getPersonOffer({ ...PERSON, id: '2', role: 'operator' }, OPERATOR)).toMatchObject({
    canSuspend: false,
    hasMenu: false,
    note: expect.stringContaining('This is you.') as string,
  });
  expect(getPersonOffer({ ...PERSON, role: 'operator' }, OPERATOR)).toMatchObject({
    canSuspend: false,
    canRemove: false,
    hasMenu: true,
  });
  expect(offer({ is_about_caller: true }, OPERATOR)).toMatchObject({ canHide: false, canSuspend: false });
});

test('leaves decisions about people at the desk to operators', () => {
  const moderator: DeskPerson = { ...PERSON, role: 'moderator' };
  expect(offer({ context: moderator })).toMatchObject({ canHide: false, canSuspend: false });
  expect(offer({ context: moderator }, OPERATOR)).toMatchObject({ canHide: true, canSuspend: true, canRemove: true });
});

test('offers no second suspension or removal', () => {
  expect(getPersonOffer({ ...PERSON, state: 'suspended' }, OPERATOR)).toMatchObject({
    canSuspend: false,
    canRemove: true,
  });
  expect(getPersonOffer({ ...PERSON, state: 'removing' }, OPERATOR)).toMatchObject({
    canSuspend: false,
    canRemove: false,
  });
  expect(offer({ context: null, target_state: 'gone' }, OPERATOR)).toMatchObject({ canSuspend: false, hasMenu: false });
});
