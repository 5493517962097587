import { DESK_ACTS } from '#contract/desk-acts.ts';
import type { DeskPerson, DeskReportDetail } from '#contract/records/desk.ts';

/** Who looks at the desk. */
export interface DeskViewer {
  id: string;
  isOperator: boolean;
}

/** What the desk offers to do about a person. The server checks the same. */
export interface PersonOffer {
  canSuspend: boolean;
  /** Whether the menu of operators opens. */
  hasMenu: boolean;
  canRemove: boolean;
  /** Why something is missing that is usually there. */
  note: string | null;
}

const NOTHING = { canSuspend: false, hasMenu: false, canRemove: false, note: null };

/** @param person null if the account is gone */
export function getPersonOffer(person: DeskPerson | null, viewer: DeskViewer): PersonOffer {
  if (person === null) return NOTHING;
  if (person.id === viewer.id) return { ...NOTHING, note: 'This is you. Somebody else at the desk decides about you.' };
  if (person.role !== 'person' && !viewer.isOperator) {
    return { ...NOTHING, note: 'This person works at the desk, so only an operator can decide about them.' };
  }
  const isOperator = person.role === 'operator';
  return {
    canSuspend: person.state === 'active' && !isOperator,
    hasMenu: viewer.isOperator,
    canRemove: person.state !== 'removing' && !isOperator,
    note: isOperator ? 'This person is an operator, who cannot be suspended or removed here.' : null,
  };
}

/** What the desk offers to do about a report. */
export interface ReportOffer extends PersonOffer {
  canHide: boolean;
  canShowAgain: boolean;
  /** The act whose undoing opens a closed report again. */
  closedBy: string | null;
}

/** What the act can hide. A request to audition is between two people: the desk can only suspend its sender. */
const HIDEABLE: ReadonlySet<string> = new Set(DESK_ACTS.hide.targets);

const REQUEST_GONE = 'The request has been withdrawn or declined.';

/** @param word what was reported: 'photo' */
export function getReportOffer(report: DeskReportDetail, viewer: DeskViewer, word: string): ReportOffer {
  const none = { ...NOTHING, canHide: false, canShowAgain: false, closedBy: null };
  if (report.is_about_caller)
    return { ...none, note: 'This report is about you. Somebody else at the desk decides it.' };
  const { target_type, target_state, id, state, context } = report;
  if (state === 'closed') {
    const closing = report.log.find((each) => each.act === 'report.close' && each.target_id === id && each.can_undo);
    return {
      ...none,
      closedBy: closing?.id ?? null,
      note: 'This report is closed. Open it again to decide otherwise.',
    };
  }
  const ofPerson = getPersonOffer(context, viewer);
  const mayDecide = context !== null && (context.role === 'person' || viewer.isOperator);
  const isThing = target_type !== 'user';
  const isGone = isThing && target_state === 'gone';
  const gone = !isGone ? null : target_type === 'request' ? REQUEST_GONE : `The member has deleted the ${word}.`;
  const notes = [gone, ofPerson.note].filter((note) => note !== null);
  return {
    ...ofPerson,
    canHide: mayDecide && HIDEABLE.has(target_type) && target_state === 'shown',
    canShowAgain: mayDecide && isThing && target_state === 'hidden' && report.hidden_by !== null,
    closedBy: null,
    note: notes.length === 0 ? null : notes.join(' '),
  };
}
