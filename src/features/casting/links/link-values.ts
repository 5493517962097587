import { createLinkBody, LINK_LIMITS, toCodeText, updateLinkBody, type ShareLink } from '#contract/records/links.ts';
import { toErrorMap } from '#contract/schema.ts';
import type { AnyRow } from '#contract/section.ts';
import type { FormValues } from '#shared/forms/form-values.ts';
import { digestText, makeToken } from './link-token.ts';

const DAY_MS = 86_400_000;

/** How long a link works, in days, by the values of the form. */
export const LASTING = [
  { value: '1', label: '1 day' },
  { value: '3', label: '3 days' },
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: String(LINK_LIMITS.days), label: `${LINK_LIMITS.days} days` },
];

export const NEW_LINK: FormValues = { name: '', tape_ids: '', expires_at: '7', code: '', watermark: '' };

/** What the form of a link that was sent begins with. An empty end leaves it as it is. */
export const toLinkValues = ({ name, tape_ids: ids, watermark }: Partial<ShareLink>): FormValues => ({
  name: name ?? '',
  tape_ids: ids?.join(',') ?? '',
  expires_at: '',
  watermark: watermark ?? '',
});

type Errors = Record<string, string[]>;
type Read<T> = { fields: T } | { errors: Errors };

/** The value of `tape_ids` while only some tapes are to be shown and none is chosen yet. */
export const NO_TAPES = 'none';

/** Nothing chosen must not become everything. */
const findMissing = ({ tape_ids: ids }: FormValues): { errors: Errors } | null =>
  ids === NO_TAPES ? { errors: { tape_ids: ['Choose at least one tape'] } } : null;

/** The fields that can be changed afterwards. */
function readChanges(values: FormValues, now: number): AnyRow {
  const days = Number(values.expires_at);
  return {
    name: values.name ?? '',
    tape_ids: values.tape_ids ? values.tape_ids.split(',') : null,
    ...(days > 0 && { expires_at: new Date(now + days * DAY_MS).toISOString() }),
  };
}

/** Reads what changes in a link that was sent. */
export function readLinkChanges(values: FormValues, now: number): Read<AnyRow> {
  const missing = findMissing(values);
  if (missing) return missing;
  const checked = updateLinkBody.safeParse(readChanges(values, now));
  return checked.success ? { fields: checked.data } : { errors: toErrorMap(checked.error.issues) };
}

/** A new link, as it is sent, and the token that only its address will hold. */
export interface NewLink {
  token: string;
  hash: string;
  fields: AnyRow;
}

/** Makes a link with a token of its own from the values of the form. */
export async function readNewLink(values: FormValues, now: number): Promise<Read<NewLink>> {
  const missing = findMissing(values);
  if (missing) return missing;
  const token = makeToken();
  const hash = await digestText(token);
  const code = values.code?.trim() ?? '';
  if (code.length > LINK_LIMITS.code) return { errors: { code: [`Keep it to ${LINK_LIMITS.code} characters`] } };
  const given = {
    ...readChanges(values, now),
    watermark: values.watermark ?? '',
    token_hash: hash,
    code_hash: code === '' ? null : await digestText(toCodeText(token, code)),
  };
  // The engine adds these two.
  const checked = createLinkBody.safeParse({ ...given, role_id: '1', client_id: crypto.randomUUID() });
  if (!checked.success) return { errors: toErrorMap(checked.error.issues) };
  const { role_id: _role, client_id: _client, ...fields } = checked.data;
  return { fields: { token, hash, fields } };
}
