import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A request as received. */
export interface SignedRequest {
  method: string;
  /** Path and query, undecoded. */
  url: string;
  headers: Record<string, string | undefined>;
  body: Uint8Array;
}

/** An error response of S3: code and status. */
export class S3Error extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number) {
    super(code);
    this.code = code;
    this.status = status;
  }
}

const SKEW_MS = 15 * 60_000;
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Uint8Array | string, text: string) => createHmac('sha256', key).update(text).digest();

/** Encodes by RFC 3986, which covers more characters than `encodeURIComponent`. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2).map(decodeURIComponent);
    return `${encode(name)}=${encode(value)}`;
  });
  return pairs.sort().join('&');
}

/** The key of a day, and what it signs. */
function sign(secret: string, { day, region, stamp, request }: Record<'day' | 'region' | 'stamp' | 'request', string>) {
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, 's3', 'aws4_request'].reduce<Uint8Array | string>(hmac, `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', stamp, scope, sha256(request)].join('\n'));
}

function toTime(stamp: string): number {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp) ?? [];
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
}

const toCanonicalHeaders = (names: readonly string[], headers: SignedRequest['headers']) =>
  names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`);

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Verifies AWS Signature Version 4 in the Authorization header, implemented from its description and not from a client.
 * The body must be signed too. @throws S3Refusal
 */
export function checkSignature(
  { method, url, headers, body }: SignedRequest,
  { secrets, region, now }: { secrets: ReadonlyMap<string, string>; region: string; now: Date },
): void {
  if (headers.authorization === undefined) throw new S3Error('AccessDenied', 403);
  const [, id = '', day = '', scopeRegion = '', signedNames = '', signature = ''] =
    FORM.exec(headers.authorization) ?? [];
  if (signature === '' || scopeRegion !== region) throw new S3Error('AuthorizationHeaderMalformed', 400);
  const secret = secrets.get(id);
  if (secret === undefined) throw new S3Error('InvalidAccessKeyId', 403);

  const stamp = headers['x-amz-date'] ?? '';
  const sentAt = toTime(stamp);
  if (!stamp.startsWith(day) || !(Math.abs(now.getTime() - sentAt) <= SKEW_MS)) {
    throw new S3Error('RequestTimeTooSkewed', 403);
  }
  const bodyDigest = headers['x-amz-content-sha256'] ?? '';
  if (bodyDigest !== sha256(body)) throw new S3Error('XAmzContentSHA256Mismatch', 400);

  const names = signedNames.split(';');
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (mustBeSigned.some((name) => !names.includes(name))) throw new S3Error('AccessDenied', 403);
  const [path = '', query = ''] = url.split('?', 2);
  const request = [
    method,
    path,
    canonicalQuery(query),
    ...toCanonicalHeaders(names, headers),
    '',
    signedNames,
    bodyDigest,
  ].join('\n');
  const expected = sign(secret, { day, region, stamp, request });
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new S3Error('SignatureDoesNotMatch', 403);
}

/** Whether the signature of a request is in its address. */
export const isPresigned = (url: string): boolean => url.includes('X-Amz-Signature=');

/**
 * Verifies AWS Signature Version 4 in the address, by which a browser may send what the server has signed. The length and the digest of
 * the bytes must be among the signed headers, so that nothing else can be sent. @throws S3Error
 */
export function checkPresigned(
  { method, url, headers }: Omit<SignedRequest, 'body'>,
  { secrets, region, now }: { secrets: ReadonlyMap<string, string>; region: string; now: Date },
): void {
  const [path = '', query = ''] = url.split('?', 2);
  const given = new URLSearchParams(query);
  const read = (name: string) => given.get(`X-Amz-${name}`) ?? '';
  const [id = '', day = '', scopeRegion = ''] = read('Credential').split('/');
  const secret = secrets.get(id);
  if (secret === undefined) throw new S3Error('InvalidAccessKeyId', 403);
  if (scopeRegion !== region) throw new S3Error('AuthorizationQueryParametersError', 400);
  const stamp = read('Date');
  if (now.getTime() > toTime(stamp) + Number(read('Expires')) * 1000) throw new S3Error('AccessDenied', 403);
  const names = read('SignedHeaders').split(';');
  const mustBeSigned = ['host', 'content-length', 'x-amz-checksum-sha256'];
  if (mustBeSigned.some((name) => !names.includes(name))) throw new S3Error('AccessDenied', 403);
  const unsigned = query
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
    .join('&');
  const request = [
    ...[method, path, canonicalQuery(unsigned), ...toCanonicalHeaders(names, headers), ''],
    names.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const expected = sign(secret, { day, region, stamp, request });
  const sent = Buffer.from(read('Signature'), 'hex');
  if (sent.length !== expected.length || !timingSafeEqual(expected, sent))
    throw new S3Error('SignatureDoesNotMatch', 403);
}
