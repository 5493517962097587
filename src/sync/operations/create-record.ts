import { LIMITS } from '#contract/limits.ts';
import { NEW_PROFILE_FIELDS } from '#contract/new-profile.ts';
import { pathOf } from '#contract/path.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { getParentField, getParentType } from '#db/canonical.ts';
import type { OutboxRow } from '#db/rows.ts';
import { base64 } from '#lib/base64.ts';
import { filled, getMergeBase, pick, sameValue } from '../conflict/merge.ts';
import { clientIdOf, findFile, jsonRequest } from './build-request.ts';
import {
  type AckContext,
  getRecordLane,
  NO_VERSION,
  type Operation,
  type RequestContext,
  type Values,
} from './operation.ts';
import { parseData, parseRecord } from './parse-answer.ts';
import { getRecordCalls, toWireFields } from './record-calls.ts';
import { describeRecord } from './record-words.ts';

/** Creates a profile, a media item, a row of a section, a project or a role. */
export const createRecord: Operation = {
  kind: 'create',
  lane: getRecordLane,
  slot: 'json',
  makesTarget: true,
  needsProbe: true,
  endpoint: ({ type }) => getRecordCalls(type)?.create ?? null,

  async buildRequest(row, context) {
    const { db, endpoint, server, resolve } = context;
    const owner = row.parent === null ? {} : { [getParentField(row.type)]: resolve(row.parent) };
    const fields = await toWireFields(db, row);
    const value = { ...owner, ...fields, client_id: clientIdOf(row.target) };
    if (row.type === 'media' && row.patch.youtube_url == null) return attachRequest(row, value, context);
    if (row.type === 'tape') Object.assign(value, { takes: await addPictures(db, fields.takes) });
    const request = jsonRequest(endpoint.method, pathOf(endpoint), value);
    // Otherwise, in a single-record list, the server would update the record that another device created meanwhile.
    return sectionOf(row.type)?.maxItems === 1 ? server.addPrecondition(request, 'none') : request;
  },

  parseAnswer(body, type) {
    if (type !== 'media') return parseData(body, type);
    return Array.isArray(body.files) ? parseRecord(body.files[0], type) : null;
  },
  describe: describeRecord,
  savedText: (subject) => (subject === 'profile' ? 'Profile created' : sectionOf(subject)?.savedText),
  about: 'record',
  refusals: ({ type }) => ({
    conflict: 'merge',
    // The project of a role may be gone. A profile stays as long as its account.
    missing: getParentType(type) === 'profile' ? 'unknown-op' : 'gone',
    // Texts on the pages of others have a limit of their own.
    rateLimit: sectionOf(type)?.writtenBy ? 'operation' : 'account',
  }),

  async acknowledge(row, { record, existed }, context) {
    const { target, lane, version } = await context.putMade(row, record);
    const isTheirs = existed && isOfAnotherDevice(row, record);
    if (isTheirs) await context.rebaseOnNothing(row, lane);
    if (existed && (row.type !== 'media' || version !== null)) {
      // Fields left empty in this create must not clear those of another device's record.
      const patch = isTheirs ? filled(row.patch) : row.patch;
      // The server had the record from an earlier attempt. Queue what the user has changed since as an update.
      const changed = Object.keys(patch).filter(
        (field) => isEditable(row, field, record) && !sameValue(patch[field], record[field]),
      );
      // Another device may have made the record from a sealed file and edited it since: neither value wins unasked.
      const mayBeEdited = !isTheirs && version !== null;
      const seen = mayBeEdited
        ? { base: pick(getMergeBase({ base: {}, givenUp: row.givenUp }, record), changed), version: NO_VERSION }
        : { base: pick(record, changed), version };
      if (mayBeEdited && changed.length > 0) await context.rebaseOnNothing(row, lane);
      await context.queueUpdate({ ...row, target, lane }, pick(patch, changed), seen.base, seen.version);
    }
    await context.releaseFiles(row, String(record.id));
    if (row.type === 'profile' || (row.type === 'media' && !existed))
      await queueRest({ ...row, target, lane }, record, version, context);
    return { version, lane };
  },
};

/** Says what a medium is. No edit changes that. */
const MEDIUM_ITSELF = ['media_type', 'youtube_url'];

/** Whether an update can set a field of a new record. A medium comes without its empty fields, another record with them. */
const isEditable = ({ type }: OutboxRow, field: string, record: Values): boolean =>
  type === 'media' ? !MEDIUM_ITSELF.includes(field) : field in record;

/** Whether another device created the record of a single-record list. */
const isOfAnotherDevice = (row: OutboxRow, record: Values) =>
  sectionOf(row.type)?.maxItems === 1 && record.client_id !== clientIdOf(row.target);

/** Media fields that no upload form accepts. An update sets them once the record exists. */
export const NOT_IN_FORMS: readonly string[] = ['position', 'is_hidden', 'is_primary'];

/** Whether the call that makes a profile or a medium takes a field. */
const isInForm = ({ type }: OutboxRow, field: string): boolean =>
  type === 'media'
    ? !NOT_IN_FORMS.includes(field)
    : field === 'profile_type' || (NEW_PROFILE_FIELDS as readonly string[]).includes(field);

/** Queues an update with the fields of a new record that the call does not take, such as that a photo is hidden. */
async function queueRest(row: OutboxRow, record: Values, version: number | null, context: AckContext): Promise<void> {
  const rest = Object.keys(row.patch).filter(
    (field) => !isInForm(row, field) && !sameValue(row.patch[field], record[field]),
  );
  const before = Object.fromEntries(rest.map((field) => [field, record[field] ?? null]));
  await context.queueUpdate(row, pick(row.patch, rest), before, version);
}

/**
 * Builds the request for a file's record. The bytes are on the server already, or part of this request on a basic API.
 */
async function attachRequest(row: OutboxRow, value: object, { db, endpoint, server }: RequestContext) {
  const file = await findFile(db, row);
  const { duration = null, peaks = null, thumb } = file;
  const poster = row.patch.media_type === 'video' ? encode(thumb) : null;
  return server.buildFileRequest(db, pathOf(endpoint), file, {
    json: { ...value, duration, peaks, poster, upload_ids: [file.id] },
    form: { ...value, duration, size: file.size, format: file.type },
    field: 'files[]',
  });
}

/** Adds their pictures to the takes of a tape, so that the other side sees them before the bytes arrive. Larger posters are left out. */
const addPictures = (db: RequestContext['db'], takes: unknown) =>
  Promise.all(
    (Array.isArray(takes) ? takes : []).map(async (take: Values) => {
      const file = await db.media.get(String(take.upload_id));
      const poster = encode(file?.thumb);
      const isLarge = poster && poster.length > LIMITS.takePosterBase64Chars;
      return { ...take, poster: isLarge ? null : poster, strip: encode(file?.strip) };
    }),
  );

const encode = (picture?: ArrayBuffer) => picture && base64(new Uint8Array(picture));
