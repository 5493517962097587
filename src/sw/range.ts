/** Parses a Range header for a body of `size` bytes; `first` and `last` are inclusive. */
function parseRange(header: string, size: number): { first: number; last: number } | 'whole' | 'outside' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  // Several ranges, or an unknown unit: the standard allows a response with the whole body.
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
 * Answers a Range request from a complete stored body: 206 with that part, 416 if it is out of range, otherwise the
 * whole body. Players seek with ranges, and Safari plays only media whose server supports them.
 */
export async function answerRange(full: Response, rangeHeader: string): Promise<Response> {
  const body = await full.blob();
  const range = parseRange(rangeHeader, body.size);
  const headers = new Headers(full.headers);
  // The stored body is decoded, so the encoding and size of the transferred one do not apply.
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
