/** First and last byte (both included) that a Range header asks of a body of `size` bytes. */
function parseRange(header: string, size: number): { first: number; last: number } | 'whole' | 'outside' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  // Several ranges at once, or a unit we do not know: the standard lets a server answer with everything.
  if (match === null || (match[1] === '' && match[2] === '')) return 'whole';
  const [, from = '', to = ''] = match;
  if (from === '') {
    const count = Math.min(Number(to), size);
    return count === 0 ? 'outside' : { first: size - count, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first >= size ? 'outside' : { first, last };
}

/**
 * Answers a Range request from a full, kept body: 206 with that part, 416 where it lies outside, else the whole as it is.
 * Players seek with ranges, and Safari plays nothing that cannot answer them.
 */
export async function answerRange(full: Response, rangeHeader: string): Promise<Response> {
  const body = await full.blob();
  const range = parseRange(rangeHeader, body.size);
  const headers = new Headers(full.headers);
  // Sizes of the encoded body that came over the wire say nothing about the decoded one kept here.
  headers.delete('Content-Encoding');
  headers.set('Accept-Ranges', 'bytes');
  if (range === 'outside') {
    headers.set('Content-Range', `bytes */${body.size}`);
    headers.set('Content-Length', '0');
    return new Response(null, { status: 416, statusText: 'Range Not Satisfiable', headers });
  }
  const { first, last } = range === 'whole' ? { first: 0, last: body.size - 1 } : range;
  headers.set('Content-Length', String(last - first + 1));
  if (range === 'whole') return new Response(body, { status: 200, headers });
  headers.set('Content-Range', `bytes ${first}-${last}/${body.size}`);
  return new Response(body.slice(first, last + 1, body.type), {
    status: 206,
    statusText: 'Partial Content',
    headers,
  });
}
