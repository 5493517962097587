import { pathOf } from '#contract/path.ts';
import { SECTIONS, sectionOf } from '#contract/sections/index.ts';
import { getHomeType, getParentField, serverId, findSetSection } from '#db/canonical.ts';
import type { OutboxRow } from '#db/rows.ts';
import { replaceSet } from '#db/sets.ts';
import { pick } from '../conflict/merge.ts';
import { jsonRequest } from './build-request.ts';
import { type AckContext, getRecordLane, type Operation, type Values } from './operation.ts';
import { parseData, parseRecord } from './parse-answer.ts';
import { getRecordCalls, getRequiredVersion, toWireFields } from './record-calls.ts';
import { describeRecord } from './record-words.ts';

/** Updates fields of a profile, a media item or a row of a section, or saves a set as a whole. */
export const updateRecord: Operation = {
  kind: 'update',
  lane: getRecordLane,
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: ({ type }) => getRecordCalls(type)?.update ?? null,

  async buildRequest(row, { db, endpoint, server, resolve }) {
    const id = resolve(row.target);
    const owner = row.type === 'profile' ? id : row.parent === null ? null : resolve(row.parent);
    const path = endpoint.path.includes(':id') ? pathOf(endpoint, { id }) : pathOf(endpoint);
    const request = jsonRequest(endpoint.method, path, {
      ...(owner !== null && { [getParentField(row.type)]: owner }),
      ...(await server.getUnchangedFields(db, row, id)),
      ...(await toWireFields(db, row)),
    });
    return server.addPrecondition(request, getRequiredVersion(row));
  },

  parseAnswer(body, type) {
    if (!findSetSection(type)) return parseData(body, type);
    const rows: unknown = Array.isArray(body) ? body : body.data;
    return Array.isArray(rows) && rows.every((row) => parseRecord(row, type)) ? { rows } : null;
  },
  describe: describeRecord,
  savedText: (subject) => (subject === 'profile' ? 'Profile updated' : sectionOf(subject)?.savedText),
  about: 'record',
  refusals: () => ({ conflict: 'merge', missing: 'gone', rateLimit: 'account' }),

  async acknowledge(row, { record }, context) {
    const { db } = context;
    if (!findSetSection(row.type)) return { version: await putUpdated(row, record, context) };
    const profileId = await serverId(db, row.target);
    if (profileId === null) throw new Error(`The profile of ${row.type} ${row.target} is not known`);
    return { version: (await replaceSet(db, row.type, profileId, record.rows as Values[])).version };
  },
};

async function putUpdated(row: OutboxRow, record: Values, { db, putMirror }: AckContext): Promise<number | null> {
  const id = String(record.id);
  const version = typeof record.version === 'number' ? record.version : null;
  const known = await db.records.get([row.type, id]);
  const own = Object.keys(row.patch).filter((field) => getHomeType(row.type, field) === row.type);
  // The response contains the whole media item: fields that it omits are empty.
  const before = row.type === 'media' ? {} : known?.body;
  const body = { ...before, ...pick(row.patch, own), ...record };
  await putMirror({ type: row.type, id, parent: known?.parent ?? null, body }, known);
  if (row.type !== 'profile') return version;
  for (const section of SECTIONS) {
    const fields = Object.keys(section.fields).filter((field) => section.cardinality === 'one' && field in row.patch);
    if (fields.length === 0) continue;
    // The profile's response does not contain these fields, so store the acknowledged values.
    const beside = await db.records.get([section.key, id]);
    const merged = { ...beside?.body, ...pick(row.patch, fields), ...(version === null ? {} : { version }) };
    await putMirror({ type: section.key, id, parent: id, body: merged }, beside);
  }
  return version;
}
