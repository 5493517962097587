import type { User } from '#contract/records/account.ts';
import { type DeviceSession, readSession, writeSession } from '#db/device.ts';
import { exclusively } from '#lib/exclusively.ts';
import type { Sender } from '#net/wire.ts';

/** Key of the token in local storage. */
export const TOKEN = 'token';

/**
 * Changes the session that is stored on this device. Tabs take turns, so that none undoes what another has stored.
 * @returns false if somebody else is signed in by now, or nobody
 */
export function changeStoredSession(
  userId: string,
  change: (session: DeviceSession) => Partial<DeviceSession>,
): Promise<boolean> {
  return exclusively('stored-session', async () => {
    const session = await readSession();
    if (session?.userId !== userId) return false;
    await writeSession({ ...session, ...change(session) });
    return true;
  });
}

/** Stores other details of the signed-in person. @returns false if it is somebody else by now, or nobody */
export const storeUser = (user: User): Promise<boolean> => changeStoredSession(user.id, () => ({ user }));

/**
 * Gives the sender the token that is stored on this device, which another tab may have renewed.
 * @param refused the token that no longer works
 * @param onNew called when the sender has another one
 * @returns whether there is another one
 */
export async function adoptStoredToken(
  sender: Sender | null,
  refused: string | undefined,
  onNew: () => void,
): Promise<boolean> {
  try {
    const session = await readSession();
    if (sender === null || session?.userId !== sender.userId || session.token === refused) return false;
    sender.token = session.token;
    onNew();
    return true;
  } catch (error) {
    console.warn('The stored token could not be read', error);
    return false;
  }
}
