import type { AccountDb } from '#db/database.ts';
import { CONVERSATION } from '#db/messages.ts';
import { findRecord } from '#db/mirror.ts';
import { hasEffect, type TogglePatch } from '#db/patches.ts';
import type { SavedCards, SavedType } from '#db/saved-and-connected.ts';
import { CONVERSATION_TOGGLES, type ConversationToggle } from '#db/toggles.ts';
import { CONVERSATION_OPERATIONS } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { saveMedia } from '../operations/save-media.ts';
import { saveProfile } from '../operations/save-profile.ts';
import { append, drop, laneRows, type OutboxPorts, getTables } from './outbox.ts';
import { isSetAside, isUnsent } from './planner.ts';

const SAVES: Record<SavedType, Operation<TogglePatch>> = { saved_profile: saveProfile, saved_media: saveMedia };

/**
 * Saves a profile or a media item, or removes it from Saved. The last intent wins.
 * @returns the queued change; `op` is null when nothing is left to send
 */
export const setSaved = <T extends SavedType>(ports: OutboxPorts, type: T, card: SavedCards[T], isSaved: boolean) =>
  setToggle(
    ports,
    SAVES[type],
    type,
    card,
    isSaved,
    async (db) => (await db.records.get([type, card.id])) !== undefined,
  );

/** Switches a toggle of a conversation on or off. The last intent wins. */
export function setConversationToggle(
  ports: OutboxPorts,
  toggle: ConversationToggle,
  conversation: { id: string; name: string },
  isOn: boolean,
) {
  const type = CONVERSATION_TOGGLES[toggle];
  return setToggle(ports, CONVERSATION_OPERATIONS[toggle], type, conversation, isOn, async (db) => {
    const record = await findRecord(db, CONVERSATION, conversation.id);
    return record?.body[toggle] === true;
  });
}

/** Queues an intent. @param isOnServer whether the toggle is on in the mirror */
async function setToggle(
  ports: OutboxPorts,
  operation: Operation<TogglePatch>,
  type: string,
  card: TogglePatch['card'],
  isOn: boolean,
  isOnServer: (db: AccountDb) => Promise<boolean>,
): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  const op = chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const target = card.id;
    const patch = { saved: isOn, card };
    const lane = operation.lane({ type, target, parent: null, patch });
    const rows = (await laneRows(db, lane)).filter((row) => hasEffect(row, 'save'));
    let last = rows.at(-1);
    if (last?.patch.saved === isOn && !isSetAside(last)) return { op: last.op };
    // The new intent replaces unsent and refused ones.
    while (last && (isUnsent(last) || isSetAside(last))) {
      // Compare with the current mirror: another device may have changed it since the intent was queued.
      const wasAlready = isUnsent(last) && rows.length === 1 && (await isOnServer(db)) === isOn;
      await drop(ports, last, wasAlready ? 'discarded' : 'replaced');
      rows.pop();
      if (wasAlready) return { op: null };
      // Do not reuse an earlier equal intent: it may be done, and another device may have changed the toggle since.
      last = rows.at(-1);
    }
    await append(ports, operation, { op, type, target, patch, base: { saved: await isOnServer(db) } });
    return { op };
  });
}
