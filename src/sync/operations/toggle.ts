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
  /** The type of record that it is about. */
  type: string;
  on: Endpoint;
  off: Endpoint;
  /** In front of the record's name, in the list of what waits. */
  words: { on: string; off: string };
  icon: OperationIcon;
  /** Said when its target is gone. */
  goneText?: string;
  acknowledge: Operation<TogglePatch>['acknowledge'];
}

/** An operation that switches something on or off for one record: the last intent counts. */
export function defineToggle({ type, on, off, words, icon, goneText, acknowledge }: Toggle): Operation<TogglePatch> {
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
    // What is no more there is switched off.
    refusals: ({ patch }) => ({ ...INTENT_REFUSALS, missing: patch.saved === true ? 'gone' : 'done' }),
    async acknowledge(row, success, context) {
      // A repeat is answered for what was done the first time. A pull may have told of another device's wish since: the
      // next one tells everything once more.
      if (row.tries > 1) await context.db.cursors.clear();
      return acknowledge(row, success, context);
    },
  };
}

/** A toggle of a conversation: its record has a field of that name. */
export function defineConversationToggle(
  field: ConversationToggle,
  calls: Omit<Toggle, 'type' | 'goneText' | 'acknowledge'>,
) {
  return defineToggle({
    ...calls,
    type: CONVERSATION_TOGGLES[field],
    goneText: 'The conversation is closed.',
    async acknowledge(row, _success, { db }) {
      const mirrored = db.records.where('[type+id]').equals([CONVERSATION, row.target]);
      await mirrored.modify(({ body }) => void (body[field] = row.patch.saved));
      return UNVERSIONED;
    },
  });
}

/** Puts the card of what was saved into the mirror, or takes it out. */
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
