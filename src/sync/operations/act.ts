import { findAct } from '#contract/casting/acts.ts';
import { pathOf } from '#contract/path.ts';
import type { ActPatch } from '#db/patches.ts';
import { getParentField } from '#db/canonical.ts';
import { hasMessage } from '../server/own-answer.ts';
import { jsonRequest } from './build-request.ts';
import { getRecordLane, INTENT_REFUSALS, type Operation, type Values } from './operation.ts';
import { parseData, parseRecord } from './parse-answer.ts';

/**
 * Does something with a record of casting: says yes to an audition, answers a request, casts a role, or says when the person is free. It shares the record's lane, so it comes after what
 * was changed before. Answering with the record as it is now is all that the server does.
 */
export const actOnRecord: Operation<ActPatch> = {
  kind: 'act',
  lane: getRecordLane,
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: ({ type, patch }) => findAct(type, patch.act),
  buildRequest: (row, { endpoint, resolve }) =>
    Promise.resolve(jsonRequest(endpoint.method, pathOf(endpoint, { id: resolve(row.target) }), row.patch.fields)),

  parseAnswer(body, type) {
    if (Array.isArray(body.data) && hasMessage(body)) return { also: toRecords(body.data, type) };
    const record = parseData(body, type);
    return record && { ...record, also: parseAlso(body) };
  },
  describe: ({ patch }) => patch.title,
  icon: 'slate',
  summarize: ({ patch }) => getText(patch),
  getText: ({ patch }) => getText(patch),
  about: 'wish',
  goneText: 'It is no longer there, or no longer yours to see.',
  refusals: ({ patch }) => (POINTLESS.includes(patch.act) ? { ...INTENT_REFUSALS, missing: 'done' } : INTENT_REFUSALS),

  // An audition shows its role and its project, whose changes leave its own version as it is. A place in a project may end at any moment.
  unversionedRecord: ({ type, target }) =>
    type === 'audition' || type === 'project_member' ? [type, target] : undefined,

  async acknowledge(row, { record: { also, ...record } }, { putMirror, releaseFiles }) {
    let version: number | null = null;
    for (const [type, body] of [[row.type, record] as Changed, ...((also ?? []) as Changed[])]) {
      if (body?.id === undefined) continue;
      // An audition names a profile, to which it does not belong.
      const parent = type === 'audition' ? null : body[getParentField(type)];
      const known = { type, id: String(body.id), parent: parent == null ? null : String(parent), body };
      const stored = await putMirror(known);
      version ??= stored;
    }
    // The takes of a tape have arrived.
    await releaseFiles(row, null);
    return { version };
  },
};

/** What matters to nobody once its record is gone: that it was opened or watched, or that somebody wants to be out of a project. */
const POINTLESS: readonly string[] = ['seen', 'viewed', 'refuse', 'leave'];

/** A record that an act changed, after its type. */
type Changed = readonly [type: string, record: Values | null];

/** Types of other records in a response. Casting a role answers requests, and what somebody thinks of a tape is a record of its own. */
const ALSO = ['request', 'mark'];

/** The records of the lists in a response: `requests`, `marks`. */
const parseAlso = (body: Values): Changed[] =>
  ALSO.flatMap((type) => {
    const list: unknown = body[`${type}s`];
    return Array.isArray(list) ? toRecords(list, type) : [];
  });

const toRecords = (list: readonly unknown[], type: string): Changed[] =>
  list.map((each) => [type, parseRecord(each, type)]);

const getText = ({ fields }: ActPatch): string => (typeof fields.text === 'string' ? fields.text : '');
