/** File names that our own server generates: 128 random bits, and an extension for browsers. */
const OWN_NAME = /^[0-9a-f]{32}(?=$|\.[a-z0-9]{2,5}$)/;
/** Content types of pages and refusals, which no stored file has. */
const NON_FILE_TYPES = /^(text\/html|application\/(xhtml|json|problem))|^$/;

/**
 * Whether a response is the complete stored file of this URL, and not a page that a captive portal or proxy sent
 * instead. Our own server puts the file name into ETag and Content-Disposition; a proxy may change one of them. For
 * servers that name files differently, only the content type is checked.
 * @param address URL or path of the file, with or without a query
 */
export function isStoredFile({ status, type, redirected, headers }: Response, address: string): boolean {
  if (status !== 200 || type === 'opaque' || redirected) return false;
  if (NON_FILE_TYPES.test(headers.get('Content-Type') ?? '')) return false;
  const name = new URL(address, 'http://host').pathname.replace(/.*\//, '');
  const [mark] = OWN_NAME.exec(name) ?? [];
  if (mark === undefined) return true;
  return [headers.get('ETag'), headers.get('Content-Disposition')].some((value) => value?.includes(mark));
}

/**
 * Whether all promised bytes arrived. Content-Length of an encoded body counts the bytes before decoding, so it is
 * ignored.
 */
export function isComplete({ headers }: Response, sizeBytes: number): boolean {
  const promised = headers.get('Content-Length');
  return promised === null || headers.has('Content-Encoding') || Number(promised) === sizeBytes;
}

/**
 * Whether the server itself refuses this file. Reads the body, because the server's own refusals have its error
 * envelope and a gateway's page does not. A 401 does not count: it is about the session, not about the file.
 */
export async function isRefusedFile(answer: Response): Promise<boolean> {
  if (![403, 404, 410].includes(answer.status) || answer.redirected) return false;
  const body: unknown = await answer.json().catch(() => null);
  return typeof (body as { message?: unknown } | null)?.message === 'string';
}
