import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { fileTooBig } from '#server/features/uploads/size-limits.ts';
import { badRequest, HttpError, invalid, tooLarge } from '#server/platform/http/errors.ts';
import { requireStorableText } from '#server/platform/http/storable-text.ts';
import { spool, type SpooledFile, type Staging } from './spool.ts';

export interface PickedFile extends SpooledFile {
  /** Name of its form field, exactly as sent. */
  field: string;
  /** File name given by the client, or ''. It is never used as a storage key. */
  name: string;
}

export interface ReceivedForm {
  /** By name without a trailing []; a repeated field, or one with [], is an array. */
  fields: Record<string, string | string[]>;
  files: PickedFile[];
}

export interface FormRules {
  /** Name of the file field, without a trailing []. */
  fileField: string;
  maxFiles: number;
  /** Of each file, whatever its kind. */
  maxBytes: number;
  /** Error message for too many files. @param fields the fields received so far */
  tooMany: (fields: ReceivedForm['fields']) => string;
}

const LIMITS = { fields: 40, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 100 };

/**
 * Reads a multipart form and streams its files to the folder, under generated names.
 * @throws 400 if it is not a form, 413 if it is too large, 422 naming the field, 507 if the disk is too full
 */
export async function readForm(request: FastifyRequest, staging: Staging, rules: FormRules): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: Object.create(null) as ReceivedForm['fields'], files: [] };
  try {
    const limits = { ...LIMITS, files: rules.maxFiles + 1, fileSize: rules.maxBytes, parts: LIMITS.fields + 20 };
    for await (const part of request.parts({ limits })) await takePart(part, form, staging, rules);
  } catch (error) {
    // Consume the rest of the body, so that the client receives the response instead of a broken connection.
    request.raw.unpipe();
    request.raw.resume();
    throw toFormError(error);
  }
  requireStorableText(form.fields);
  return form;
}

async function takePart(part: Multipart, form: ReceivedForm, staging: Staging, rules: FormRules): Promise<void> {
  const name = part.fieldname.replace(/\[\]$/, '');
  if (part.type === 'field') {
    if (part.fieldnameTruncated) throw badRequest('A field of the form has too long a name');
    if (part.valueTruncated) throw invalid({ [part.fieldname]: ['This is too long'] });
    if (typeof part.value !== 'string') throw invalid({ [part.fieldname]: ['Use plain text'] });
    const before = form.fields[name];
    const isList = before !== undefined || part.fieldname !== name;
    form.fields[name] = isList ? [...(before === undefined ? [] : [before].flat()), part.value] : part.value;
    return;
  }
  if (name !== rules.fileField) throw invalid({ [part.fieldname]: [`Send files as ${rules.fileField}`] });
  if (form.files.length >= rules.maxFiles) throw invalid({ [part.fieldname]: [rules.tooMany(form.fields)] });
  const spooled = await spool(part.file, staging);
  if (part.file.truncated) throw fileTooBig(part.fieldname, rules.maxBytes);
  form.files.push({ ...spooled, field: part.fieldname, name: part.filename ?? '' });
}

/** Maps parser errors: exceeded limits become 413, everything else a 400. */
function toFormError(error: unknown): unknown {
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT'].includes(code))
    return tooLarge('The form has too many parts');
  // A failure of the server's disk is not the client's fault.
  if (/^E[A-Z]+$/.test(code) && code !== 'ECONNRESET') return error;
  return badRequest('The form cannot be read');
}
