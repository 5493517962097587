import { Ban, UserMinus } from 'lucide-react';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { undoAction } from '#shared/undo-action.ts';
import type { Person } from '#sync/queue/connections.ts';
import { confirm } from '#ui/confirm.tsx';
import { toast } from '#ui/Toast.tsx';
import { tellBlocked } from './when-blocked.ts';

/** Actions on a person. All of them work offline. */
export function usePeopleActions() {
  const { db, engine } = useAccount();

  /**
   * Ends a connection or request at once and shows a toast with Undo.
   * @param message text of the toast
   * @param uncertainMessage text if it is unknown whether the request has reached the person
   */
  async function disconnectWithUndo(
    person: Person,
    reason: 'remove' | 'decline',
    connectionId: string | null,
    message: string,
    uncertainMessage = message,
  ): Promise<void> {
    const { op, mayBeThere } = await engine.disconnect(person, reason, connectionId);
    const undo = op === null ? {} : { action: undoAction(engine, op, UserMinus) };
    toast({ text: mayBeThere ? uncertainMessage : message, icon: UserMinus, ...undo });
  }

  return {
    connect: (person: Person, message?: string) => void toastOnError(engine.connect(person, message)),
    accept: (person: Person, connectionId: string) => void toastOnError(engine.accept(person, connectionId)),
    decline: (person: Person, connectionId: string | null) =>
      void toastOnError(disconnectWithUndo(person, 'decline', connectionId, `Declined. ${person.name} is not told`)),
    withdraw: (person: Person, connectionId: string | null) => {
      const uncertain = `Your request may have reached ${person.name}. It will be withdrawn`;
      void toastOnError(
        disconnectWithUndo(person, 'remove', connectionId, `Request to ${person.name} withdrawn`, uncertain),
      );
    },
    remove: (person: Person, connectionId: string | null) =>
      void toastOnError(
        disconnectWithUndo(person, 'remove', connectionId, `${person.name} is no longer in your network`),
      ),
    /** Asks for confirmation first. Resolves to whether the person was blocked. */
    async block(person: Person, connectionId: string | null): Promise<boolean> {
      const isSure = await confirm({
        title: `Block ${person.name}?`,
        text: 'You will no longer find each other or be able to write, and your connection ends. They are not told. You can undo this in Settings.',
        yes: 'Block',
        danger: true,
      });
      if (!isSure) return false;
      let isBlocked = false;
      const block = async () => {
        await engine.disconnect(person, 'block', connectionId);
        isBlocked = true;
        tellBlocked(db);
        toast({ text: `You blocked ${person.name}`, icon: Ban });
      };
      await toastOnError(block());
      return isBlocked;
    },
  };
}
