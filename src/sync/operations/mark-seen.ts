import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { isSeenIn, SEEN_LANE, type SeenPatch } from '#db/patches.ts';
import { jsonRequest } from './build-request.ts';
import { INTENT_REFUSALS, type Operation, UNVERSIONED } from './operation.ts';
import { parseConfirmation } from './parse-answer.ts';

/** Marks notifications as read. */
export const markSeen: Operation<SeenPatch> = {
  kind: 'seen',
  lane: () => SEEN_LANE,
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: () => ENGINE_CALLS.readNotifications,
  buildRequest: (row, { endpoint }) => Promise.resolve(jsonRequest(endpoint.method, endpoint.path, row.patch)),
  parseAnswer: parseConfirmation,
  describe: () => 'Notifications read',
  icon: 'bell',
  summarize: () => '',
  about: 'wish',
  refusals: () => INTENT_REFUSALS,
  async acknowledge(row, _success, { db, now }) {
    const keys = row.patch.ids.map((id): [string, string] => ['notification', id]);
    const mirrored = db.records.where('[type+id]').anyOf(keys);
    await mirrored.modify(({ id, body }) => {
      if (isSeenIn(row.patch, id, String(body.created_at))) body.read_at ??= new Date(now).toISOString();
    });
    return UNVERSIONED;
  },
};
