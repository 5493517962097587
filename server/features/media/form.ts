import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { badRequest, HttpError, invalid, tooLarge } from '#server/platform/http/errors.ts';
import { requireStorableText } from '#server/platform/http/storable-text.ts';
import { spool, type SpooledFile } from './spool.ts';

export interface PickedFile extends SpooledFile {
  /** The field it came in, named exactly as sent. */
  field: string;
  /** What its sender calls it; '' where they do not say. Nothing is stored under it. */
  name: string;
}

export interface ReceivedForm {
  /** By name without a trailing []; a repeated one, or one with [], is a list. */
  fields: Record<string, string | string[]>;
  files: PickedFile[];
}

export interface FormRules {
  /** What file fields may be called, without a trailing []. */
  fileField: string;
  maxFiles: number;
  maxBytes: number;
  /** Said when there are more files than that. @param fields what came before them */
  tooMany: (fields: ReceivedForm['fields']) => string;
}

const LIMITS = { fields: 40, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 100 };

/**
 * Reads a multipart form, its files running into `folder` as they come, under names of its own.
 * @throws 400 for what is no form, 413 for too many bytes, 422 naming the field
 */
export async function readForm(request: FastifyRequest, folder: string, rules: FormRules): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: Object.create(null) as ReceivedForm['fields'], files: [] };
  try {
    const limits = { ...LIMITS, files: rules.maxFiles + 1, fileSize: rules.maxBytes, parts: LIMITS.fields + 20 };
    for await (const part of request.parts({ limits })) await takePart(part, form, folder, rules);
  } catch (error) {
    // The sender is let finish, so that it reads the answer and not a broken connection.
    request.raw.unpipe();
    request.raw.resume();
    throw refusalOf(error);
  }
  requireStorableText(form.fields);
  return form;
}

async function takePart(part: Multipart, form: ReceivedForm, folder: string, rules: FormRules): Promise<void> {
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
  const spooled = await spool(part.file, folder);
  if (part.file.truncated) throw tooManyBytes(part.fieldname, rules.maxBytes);
  form.files.push({ ...spooled, field: part.fieldname, name: part.filename ?? '' });
}

/** The parser's own errors: limits are 413, everything else is a form that cannot be read. */
function refusalOf(error: unknown): unknown {
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT'].includes(code))
    return tooLarge('The form has too many parts');
  // Our own disk is no fault of the sender's.
  if (/^E[A-Z]+$/.test(code) && code !== 'ECONNRESET') return error;
  return badRequest('The form cannot be read');
}

function tooManyBytes(field: string, maxBytes: number): HttpError {
  const message = `Max ${maxBytes / 1024 / 1024} MB files are allowed`;
  return new HttpError(413, { message, errors: { [field]: [message] } });
}
