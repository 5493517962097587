import { findSetSection } from '#db/canonical.ts';
import { getEffect } from '#db/effects.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { setRows } from '#db/sets.ts';
import { getMergeBase, merge3, sameValue } from '../conflict/merge.ts';
import { formRequest } from '../operations/build-request.ts';
import { needsProbe } from '../operations/index.ts';
import { classify } from '../send/classify.ts';
import { NOT_REACHED, type Verdict } from '../send/verdict.ts';
import type { SendContext, ServerAdapter, ServerIds } from '../engine-ports.ts';
import { basicRules } from './basic-rules.ts';

/** A server that implements only the specification. A file is sent in the request of its record. */
export const basicApi: ServerAdapter = {
  ...basicRules,
  needsProbe,
  hasCall: ({ isExtension }) => isExtension !== true,
  addPrecondition: (request) => request,
  getUploadFields: () => null,
  buildFileRequest: (db, path, file, { form, field }) => formRequest(db, path, form, field, file),
  getUnchangedFields,
  sendFile: () => Promise.resolve({ do: 'done', record: { inline: true }, existed: false }),
  checkBeforeSend,
};

/** The specification does not say whether a set keeps omitted fields, so an update sends all of them. */
async function getUnchangedFields(db: AccountDb, row: OutboxRow, profileId: string) {
  const set = findSetSection(row.type)?.set;
  return set ? set.valuesOf((await setRows(db, row.type, profileId)).map((record) => record.body)) : {};
}

/**
 * Reads the record before an update, because without versions the server cannot detect another device's edit. An edit
 * between this read and the write is still overwritten.
 */
async function checkBeforeSend(context: SendContext, row: OutboxRow, ids: () => ServerIds): Promise<Verdict | null> {
  if (getEffect(row) !== 'update') return null;
  const { db, ports, server } = context;
  const tools = await ports.loadConflictTools().catch(() => null);
  if (tools === null) return NOT_REACHED;
  const fetched = await tools.fetchTheirs(db, ports, row, ids(), null);
  if ('failed' in fetched) return classify(row, fetched.failed, server);
  const error = { status: 412, message: 'Changed on another device' };
  if (fetched.theirs === null) return { do: 'needs', reason: 'gone', error };
  const { patch, conflicts } = merge3(getMergeBase(row, fetched.theirs), row.patch, fetched.theirs);
  const isOther = Object.entries(patch).some(([field, value]) => !sameValue(value, row.patch[field]));
  return conflicts.length > 0 || isOther ? { do: 'merge', theirs: fetched.theirs, error } : null;
}
