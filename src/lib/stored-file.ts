/** Names that our own server gives: 128 random bits, and an ending for browsers. */
const OWN_NAME = /^[0-9a-f]{32}(?=$|\.[a-z0-9]{2,5}$)/;
/** Types of pages and refusals; no stored file has one. */
const NON_FILE_TYPES = /^(text\/html|application\/(xhtml|json|problem))|^$/;

/**
 * Whether an answer is the whole stored file of this address, and not what a captive portal or a proxy sent in its place.
 * Our own server names the file in its ETag and in Content-Disposition; a proxy may change one of the two. Of a server that
 * names its files in another way only the type is known.
 * @param address of the file, with or without a query
 */
export function isStoredFile({ status, type, redirected, headers }: Response, address: string): boolean {
  if (status !== 200 || type === 'opaque' || redirected) return false;
  if (NON_FILE_TYPES.test(headers.get('Content-Type') ?? '')) return false;
  const name = new URL(address, 'http://host').pathname.replace(/.*\//, '');
  const [mark] = OWN_NAME.exec(name) ?? [];
  if (mark === undefined) return true;
  return [headers.get('ETag'), headers.get('Content-Disposition')].some((said) => said?.includes(mark));
}

/** Whether all bytes came that the answer promised. Those of an encoded body are counted before decoding and say nothing. */
export function isComplete({ headers }: Response, sizeBytes: number): boolean {
  const promised = headers.get('Content-Length');
  return promised === null || headers.has('Content-Encoding') || Number(promised) === sizeBytes;
}

/**
 * Whether the server itself says that it does not give this file out: a refusal with the envelope of every refusal, which reads
 * the body. A page of a gateway is no word of the server. Neither is 401: it speaks of who asks, and not of the file.
 */
export async function isRefusedFile(answer: Response): Promise<boolean> {
  if (![403, 404, 410].includes(answer.status) || answer.redirected) return false;
  const said: unknown = await answer.json().catch(() => null);
  return typeof (said as { message?: unknown } | null)?.message === 'string';
}
