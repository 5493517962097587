import {
  lockOffice,
  restoreOffice,
  revokeOffice,
  verifyOffice,
  type OfficeRow,
} from '#server/platform/access/offices.ts';
import { conflict, unprocessable } from '#server/platform/http/errors.ts';
import type { Act, ActContext, UndoContext } from './kind.ts';
import { lockConcerned } from './people.ts';

async function revoke(
  { tx, changes, now }: Pick<ActContext, 'tx' | 'changes' | 'now'>,
  id: number,
): Promise<OfficeRow> {
  const office = await lockOffice(tx, id);
  if (!(await revokeOffice(tx, changes, id, now))) throw conflict('The badge was taken back already');
  return office;
}

/** Gives an account the badge of a casting office. */
export const verify: Act = {
  async apply({ tx, changes, actor, target, typedName, domain, now }) {
    const { id: userId } = await lockConcerned(tx, actor, target.id);
    const office = { userId, name: typedName, domain, verifiedBy: actor.userId };
    const { id } = await verifyOffice(tx, changes, office, now);
    return { userId, before: { office: id } };
  },

  async undo(context: UndoContext) {
    const id = context.done.before?.office;
    if (typeof id !== 'number') throw unprocessable('This cannot be undone');
    await revoke(context, id);
  },
};

/** Takes the badge of an office back, also when its account was deleted: then its name is free again. */
export const revokeVerification: Act = {
  async apply(context) {
    const { userId } = await revoke(context, context.target.id);
    return { userId };
  },

  async undo({ tx, changes, done }) {
    await restoreOffice(tx, changes, done.targetId);
  },
};
