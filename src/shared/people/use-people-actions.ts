import { Ban, UserMinus } from 'lucide-react';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import type { Person } from '#sync/queue/connections.ts';
import { confirm } from '#ui/confirm.tsx';
import { toast } from '#ui/Toast.tsx';

/** What one may do about somebody, wherever they are shown. All of it works without signal. */
export function usePeopleActions() {
  const { engine } = useAccount();

  /** Lets them go at once, with Undo beside; `said` tells what happened, `open` that a request may have reached them. */
  async function part(
    whom: Person,
    way: 'remove' | 'decline',
    connectionId: string | null,
    said: string,
    open = said,
  ): Promise<void> {
    const { op, mayBeThere } = await engine.disconnect(whom, way, connectionId);
    const undo = op === null ? {} : { action: { label: 'Undo', onSelect: () => void toastOnError(takeBack(op)) } };
    toast({ text: mayBeThere ? open : said, icon: UserMinus, ...undo });
  }

  async function takeBack(op: string): Promise<void> {
    if (!(await engine.undo(op))) toast({ text: 'It was already sent and can’t be undone', icon: UserMinus });
  }

  return {
    connect: (whom: Person, message?: string) => void toastOnError(engine.connect(whom, message)),
    accept: (whom: Person, connectionId: string) => void toastOnError(engine.accept(whom, connectionId)),
    decline: (whom: Person, connectionId: string | null) =>
      void toastOnError(part(whom, 'decline', connectionId, `Declined. ${whom.name} is not told`)),
    withdraw: (whom: Person, connectionId: string | null) => {
      const open = `Your request may have reached ${whom.name}. It will be withdrawn`;
      void toastOnError(part(whom, 'remove', connectionId, `Request to ${whom.name} withdrawn`, open));
    },
    remove: (whom: Person, connectionId: string | null) =>
      void toastOnError(part(whom, 'remove', connectionId, `${whom.name} is no longer in your network`)),
    /** Asks first. @returns whether they are blocked now */
    async block(whom: Person, connectionId: string | null): Promise<boolean> {
      const isSure = await confirm({
        title: `Block ${whom.name}?`,
        text: 'You will no longer find each other or be able to write, and your connection ends. They are not told. You can undo this in Settings.',
        yes: 'Block',
        danger: true,
      });
      if (!isSure) return false;
      let isBlocked = false;
      const block = async () => {
        await engine.disconnect(whom, 'block', connectionId);
        isBlocked = true;
        toast({ text: `You blocked ${whom.name}`, icon: Ban });
      };
      await toastOnError(block());
      return isBlocked;
    },
  };
}
