import { pathOf } from '#contract/path.ts';
import type { Endpoint } from '#contract/section.ts';
import { CONVERSATION } from '#db/messages.ts';
import type { TogglePatch } from '#db/patches.ts';
import type { OutboxRow } from '#db/rows.ts';
import { CONVERSATION_TOGGLES, type ConversationToggle } from '#db/toggles.ts';
import { hasMessage } from '../server/own-answer.ts';
import { jsonRequest } from './build-request.ts';
import {
  type AckContext,
  type Acknowledged,
  getRecordLane,
  INTENT_REFUSALS,
  type Operation,
  type OperationIcon,
  type Success,
  UNVERSIONED,
} from './operation.ts';
import { getName } from './record-words.ts';

interface Toggle {
  /** The record type that it applies to. */
  type: string;
  /** The type of the record that holds it; `type` itself when absent. */
  holder?: string;
  on: Endpoint;
  off: Endpoint;
  /** Text before the record's name in "Waiting to send". */
  words: { on: string; off: string };
  icon: OperationIcon;
  /** Text shown when the target is gone. */
  goneText?: string;
  acknowledge: Operation<TogglePatch>['acknowledge'];
}

/** Defines an operation that switches something on or off for one record. The last intent wins. */
export function defineToggle({
  type,
  holder = type,
  on,
  off,
  words,
  icon,
  goneText,
  acknowledge,
}: Toggle): Operation<TogglePatch> {
  return {
    kind: 'save',
    isFor: (other) => other === type,
    lane: getRecordLane,
    slot: 'json',
    makesTarget: false,
    needsProbe: false,
    endpoint: ({ patch }) => (patch.saved ? on : off),
    buildRequest(row, { endpoint, resolve }) {
      const id = resolve(row.target);
      return Promise.resolve(jsonRequest(endpoint.method, pathOf(endpoint, { profileId: id, id })));
    },
    parseAnswer: (body) => (typeof body.is_saved === 'number' || hasMessage(body) ? body : null),
    describe: ({ patch }) => `${patch.saved ? words.on : words.off} ${getName(patch.card)}`,
    icon,
    ...(goneText && { goneText }),
    summarize: () => '',
    about: 'wish',
    // A target that no longer exists counts as switched off.
    refusals: ({ patch }) => ({ ...INTENT_REFUSALS, missing: patch.saved === true ? 'gone' : 'done' }),
    unversionedRecord: ({ target }) => [holder, target],
    acknowledge,
  };
}

/** Defines a toggle of a conversation, stored in the record's field of that name. */
export function defineConversationToggle(
  field: ConversationToggle,
  calls: Omit<Toggle, 'type' | 'holder' | 'goneText' | 'acknowledge'>,
) {
  return defineToggle({
    ...calls,
    type: CONVERSATION_TOGGLES[field],
    holder: CONVERSATION,
    goneText: 'The conversation is closed.',
    async acknowledge(row, _success, { db }) {
      const mirrored = db.records.where('[type+id]').equals([CONVERSATION, row.target]);
      await mirrored.modify(({ body }) => void (body[field] = row.patch.saved));
      return UNVERSIONED;
    },
  });
}

/** Stores the card of a saved item in the mirror, or deletes it. */
export async function putSavedCard(
  row: OutboxRow<TogglePatch>,
  _success: Success,
  { db }: AckContext,
): Promise<Acknowledged> {
  const key: [string, string] = [row.type, row.target];
  if (row.patch.saved !== true) await db.records.delete(key);
  else if (!(await db.records.get(key))) {
    await db.records.put({
      type: row.type,
      id: row.target,
      parent: null,
      body: row.patch.card,
      version: null,
    });
  }
  return UNVERSIONED;
}
