import type { Privacy } from './records/account.ts';
import type { AnyRow, Section } from './section.ts';

/**
 * Who sees what of a profile: the rules behind every page, "View as" and the CV. The server applies them to what it sends, and the
 * owner's device to what it prints.
 */

/**
 * A viewer's role towards the owner of a profile. `connection`: they are connected. `member`: signed in. `stranger`: no token.
 * `blocked`: one of the two blocked the other, so that the owner does not exist for the viewer.
 */
export type ViewerRole = 'owner' | 'connection' | 'member' | 'stranger' | 'blocked';

/** What people without a connection see of a person, beside their page. `contacts`: whether they see any. */
export interface VisitorSight extends Privacy {
  contacts: boolean;
}

/** Nothing that a person can choose to show to visitors. */
export const NOTHING_SHOWN: Privacy = { phone: false, email: false, day_rate: false, search_engines: false };

export const getVisitorSight = ({ isMinor, privacy }: { isMinor: boolean; privacy: Privacy }): VisitorSight => ({
  ...(isMinor ? NOTHING_SHOWN : privacy),
  contacts: !isMinor,
});

/** Whether a viewer in this role is not an accepted connection, and so sees only what visitors may. */
export const isVisitor = (viewerRole: ViewerRole): boolean => viewerRole !== 'owner' && viewerRole !== 'connection';

/** Whether a viewer in this role sees the day rate. Nobody does who is not signed in. */
export const canViewDayRate = (viewerRole: ViewerRole, sight: VisitorSight): boolean =>
  viewerRole !== 'stranger' && (!isVisitor(viewerRole) || sight.day_rate);

/** Whether a viewer who sees the profile can also see a row of it. @param seenBy from the definition of its section */
export function canViewRow(viewerRole: ViewerRole, seenBy: ReturnType<Section['visibleTo']>): boolean {
  return seenBy === 'everyone' || viewerRole === 'owner' || viewerRole === 'connection';
}

/** Leaves out of contacts what the owner does not show to people without a connection. */
export function limitContacts<R extends AnyRow>(rows: readonly R[], viewerRole: ViewerRole, sight: VisitorSight): R[] {
  if (!isVisitor(viewerRole)) return [...rows];
  if (!sight.contacts) return [];
  return rows.map((row) => ({
    ...row,
    mobile: sight.phone ? row.mobile : null,
    email: sight.email ? row.email : null,
  }));
}
