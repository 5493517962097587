import { createHash, randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '#server/platform/config.ts';
import { checkPresigned, checkSignature, isPresigned, S3Error } from './s3-signature.ts';

/** S3 requires at least this size for all parts except the last. */
const PART_BYTES = 5 * 1024 * 1024;
/** Small, so that every list needs several pages. */
const PAGE = 3;

interface StoredObject {
  bytes: Buffer;
  etag: string;
  storedAt: Date;
  /** Base64; of an object that was put together from parts, the digest of their digests and their number. */
  checksum?: string | undefined;
}
interface Unfinished {
  id: string;
  key: string;
  begunAt: Date;
  /** Whether the service was asked to compute digests. */
  hasChecksums: boolean;
  parts: Map<number, StoredObject>;
}

/** A request with a verified signature. */
interface Call {
  operation: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Whether it came by a signed address, from a browser or a device. */
  isDirect: boolean;
  response: ServerResponse;
}

/** An in-memory object store with the part of the S3 API that file storage needs. It verifies every signature. */
export interface S3Server {
  settings: S3Settings;
  objects: Map<string, StoredObject>;
  unfinished: Map<string, Unfinished>;
  /** Operations of the received requests, in order. */
  calls: string[];
  /** Total size of the received objects and parts. */
  receivedBytes: () => number;
  /** Bytes of objects and parts that went to or came from the server of the app, which signs each request. */
  serverBytes: () => number;
  /** What the service offers. */
  offers: { checksums: boolean; cors: string | null };
  /** The clock of the service. */
  now: () => Date;
  /** Requests that browsers and devices made by signed addresses. */
  direct: { method: string; url: string; headers: IncomingMessage['headers'] }[];
  /** Called first for each request. Returning true means that it sent the response or withholds it. */
  intercept: (call: Pick<Call, 'operation' | 'key' | 'response'>) => boolean;
  close: () => Promise<void>;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const tag = (name: string, content: string | number | boolean) => `<${name}>${content}</${name}>`;
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
const stored = (bytes: Buffer): StoredObject => ({
  bytes,
  etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
  storedAt: new Date(),
});

const OPERATIONS: [method: string, query: string | null, onBucket: boolean, operation: string][] = [
  ['GET', 'uploads', true, 'ListMultipartUploads'],
  ['GET', 'list-type', true, 'ListObjectsV2'],
  ['POST', 'uploads', false, 'CreateMultipartUpload'],
  ['PUT', 'partNumber', false, 'UploadPart'],
  ['GET', 'uploadId', false, 'ListParts'],
  ['POST', 'uploadId', false, 'CompleteMultipartUpload'],
  ['DELETE', 'uploadId', false, 'AbortMultipartUpload'],
  ['PUT', null, false, 'PutObject'],
  ['GET', null, false, 'GetObject'],
  ['HEAD', null, false, 'HeadObject'],
  ['DELETE', null, false, 'DeleteObject'],
];

/** Returns the page of items whose name sorts after `after` and the name at which the next page starts. */
function pageOf<T>(all: T[], nameOf: (one: T) => string, after: string, maxItems: number) {
  const rest = all.filter((one) => nameOf(one) > after).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const page = rest.slice(0, maxItems);
  const last = page.at(-1);
  return { page, next: rest.length > page.length && last !== undefined ? nameOf(last) : null };
}

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, StoredObject>();
  const unfinished = new Map<string, Unfinished>();
  const calls: string[] = [];
  let receivedBytes = 0;
  let serverBytes = 0;

  const xml = (response: ServerResponse, root: string, content: string, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': randomUUID() });
    response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${tag(root, content)}`);
  };
  const uploadOf = ({ query, key }: Call): Unfinished => {
    const found = unfinished.get(query.get('uploadId') ?? '');
    if (found?.key !== key) throw new S3Error('NoSuchUpload', 404);
    return found;
  };

  const readSource = (source: string, range: unknown): Buffer => {
    const object = objects.get(decodeURIComponent(source).replace(/^\/?[^/]+\//, ''));
    if (object === undefined) throw new S3Error('NoSuchKey', 404);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(range)) ?? [];
    if (Number(last) >= object.bytes.byteLength) throw new S3Error('InvalidArgument', 400);
    return object.bytes.subarray(Number(first), Number(last) + 1);
  };

  const answers: Record<string, (call: Call) => void> = {
    PutObject({ key, body, response }) {
      receivedBytes += body.byteLength;
      const object = stored(body);
      objects.set(key, object);
      response.writeHead(200, { etag: object.etag }).end();
    },
    GetObject({ key, headers, response }) {
      const object = objects.get(key);
      if (object === undefined) throw new S3Error('NoSuchKey', 404);
      const total = object.bytes.byteLength;
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
      if (first === undefined) {
        serverBytes += total;
        response.writeHead(200, { 'content-length': total, etag: object.etag }).end(object.bytes);
        return;
      }
      const [start, end] = [Number(first), Math.min(last ? Number(last) : Infinity, total - 1)];
      if (start > end) throw new S3Error('InvalidRange', 416);
      const headersOut = { 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${total}` };
      serverBytes += end - start + 1;
      response.writeHead(206, { ...headersOut, etag: object.etag }).end(object.bytes.subarray(start, end + 1));
    },
    HeadObject({ key, headers, response }) {
      const object = objects.get(key);
      if (object === undefined) {
        response.writeHead(404).end();
        return;
      }
      const isAsked = headers['x-amz-checksum-mode'] === 'ENABLED' && object.checksum !== undefined;
      const checksum = isAsked ? { 'x-amz-checksum-sha256': object.checksum } : {};
      response.writeHead(200, { 'content-length': object.bytes.byteLength, etag: object.etag, ...checksum }).end();
    },
    DeleteObject({ key, response }) {
      objects.delete(key);
      response.writeHead(204).end();
    },
    ListObjectsV2({ query, response }) {
      const prefix = query.get('prefix') ?? '';
      const within = [...objects].filter(([key]) => key.startsWith(prefix));
      const maxItems = Math.min(PAGE, Number(query.get('max-keys') ?? PAGE));
      const { page, next } = pageOf(within, ([key]) => key, query.get('continuation-token') ?? '', maxItems);
      const contents = page.map(([key, { bytes, etag, storedAt }]) =>
        tag(
          'Contents',
          tag('Key', escape(key)) +
            tag('LastModified', storedAt.toISOString()) +
            tag('ETag', escape(etag)) +
            tag('Size', bytes.byteLength),
        ),
      );
      const more =
        tag('IsTruncated', next !== null) + (next === null ? '' : tag('NextContinuationToken', escape(next)));
      xml(response, 'ListBucketResult', contents.join('') + more);
    },
    ListMultipartUploads({ query, response }) {
      const nameOf = ({ key, id }: Pick<Unfinished, 'key' | 'id'>) => `${key}\n${id}`;
      const [key, id] = [query.get('key-marker'), query.get('upload-id-marker')];
      const after = key === null ? '' : nameOf({ key, id: id ?? '\uffff' });
      const { page, next } = pageOf([...unfinished.values()], nameOf, after, Number(query.get('max-uploads') ?? PAGE));
      const uploads = page.map((upload) =>
        tag(
          'Upload',
          tag('Key', escape(upload.key)) + tag('UploadId', upload.id) + tag('Initiated', upload.begunAt.toISOString()),
        ),
      );
      const [nextKey = '', nextId = ''] = next?.split('\n') ?? [];
      const more =
        next === null ? '' : tag('NextKeyMarker', escape(nextKey)) + tag('NextUploadIdMarker', escape(nextId));
      xml(response, 'ListMultipartUploadsResult', uploads.join('') + tag('IsTruncated', next !== null) + more);
    },
    CreateMultipartUpload({ key, headers, response }) {
      const id = randomUUID();
      const hasChecksums = server.offers.checksums && headers['x-amz-checksum-algorithm'] === 'SHA256';
      unfinished.set(id, { id, key, begunAt: new Date(), hasChecksums, parts: new Map() });
      xml(response, 'InitiateMultipartUploadResult', tag('Key', escape(key)) + tag('UploadId', id));
    },
    UploadPart(call) {
      const { query, body, headers, response } = call;
      const number = Number(query.get('partNumber'));
      if (!(number >= 1 && number <= 10_000)) throw new S3Error('InvalidArgument', 400);
      const upload = uploadOf(call);
      const source = headers['x-amz-copy-source'];
      if (typeof source === 'string') {
        const part = stored(readSource(source, headers['x-amz-copy-source-range']));
        upload.parts.set(number, part);
        xml(response, 'CopyPartResult', tag('ETag', escape(part.etag)));
        return;
      }
      const checksum = headers['x-amz-checksum-sha256'];
      if (server.offers.checksums && typeof checksum === 'string' && checksum !== digestOf(body)) {
        throw new S3Error('BadDigest', 400);
      }
      const part = { ...stored(body), checksum: upload.hasChecksums ? digestOf(body) : undefined };
      upload.parts.set(number, part);
      receivedBytes += body.byteLength;
      if (!call.isDirect) serverBytes += body.byteLength;
      response.writeHead(200, { etag: part.etag }).end();
    },
    ListParts(call) {
      const { query, response } = call;
      const after = Number(query.get('part-number-marker') ?? 0);
      const rest = [...uploadOf(call).parts].filter(([n]) => n > after).sort(([one], [other]) => one - other);
      const page = rest.slice(0, PAGE);
      const parts = page.map(([n, { bytes, etag, checksum }]) =>
        tag(
          'Part',
          tag('PartNumber', n) +
            tag('ETag', escape(etag)) +
            tag('Size', bytes.byteLength) +
            (checksum === undefined ? '' : tag('ChecksumSHA256', checksum)),
        ),
      );
      const isTruncated = rest.length > page.length;
      const more = isTruncated ? tag('NextPartNumberMarker', page.at(-1)?.[0] ?? 0) : '';
      xml(response, 'ListPartsResult', parts.join('') + tag('IsTruncated', isTruncated) + more);
    },
    CompleteMultipartUpload(call) {
      const { key, body, response } = call;
      const upload = uploadOf(call);
      const named = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([text]) => ({
        number: Number(/<PartNumber>(\d+)</.exec(text)?.[1]),
        etag: /<ETag>(.*?)</.exec(text)?.[1]?.replaceAll('&quot;', '"'),
        checksum: /<ChecksumSHA256>(.*?)</.exec(text)?.[1],
      }));
      if (named.length === 0) throw new S3Error('MalformedXML', 400);
      if (named.some(({ number }, at) => at > 0 && number <= (named[at - 1]?.number ?? 0))) {
        throw new S3Error('InvalidPartOrder', 400);
      }
      const parts = named.map(({ number, etag, checksum }) => {
        const part = upload.parts.get(number);
        if (part === undefined || part.etag !== etag || part.checksum !== checksum)
          throw new S3Error('InvalidPart', 400);
        return part;
      });
      if (parts.slice(0, -1).some(({ bytes }) => bytes.byteLength < PART_BYTES)) {
        throw new S3Error('EntityTooSmall', 400);
      }
      const sums = parts.map(({ checksum }) => Buffer.from(checksum ?? '', 'base64'));
      const checksum = upload.hasChecksums ? `${digestOf(Buffer.concat(sums))}-${parts.length}` : undefined;
      const object = { ...stored(Buffer.concat(parts.map(({ bytes }) => bytes))), checksum };
      objects.set(key, object);
      unfinished.delete(upload.id);
      xml(response, 'CompleteMultipartUploadResult', tag('Key', escape(key)) + tag('ETag', escape(object.etag)));
    },
    AbortMultipartUpload(call) {
      unfinished.delete(uploadOf(call).id);
      call.response.writeHead(204).end();
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '' } = request;
    const { cors } = server.offers;
    if (cors !== null && request.headers.origin === cors) response.setHeader('access-control-allow-origin', cors);
    if (method === 'OPTIONS') {
      const allowed = {
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'x-amz-checksum-sha256',
      };
      response.writeHead(request.headers.origin === cors ? 200 : 403, allowed).end();
      return;
    }
    const body = await buffer(request);
    const headers = request.headers as Record<string, string | undefined>;
    const isDirect = isPresigned(url);
    const trusted = { secrets, region: settings.region, now: server.now() };
    if (isDirect) {
      server.direct.push({ method, url, headers: request.headers });
      checkPresigned({ method, url, headers }, trusted);
    } else checkSignature({ method, url, headers, body }, trusted);
    const { pathname, searchParams: query } = new URL(url, settings.endpoint);
    const [, bucket = '', ...rest] = pathname.split('/');
    if (bucket !== settings.bucket) throw new S3Error('NoSuchBucket', 404);
    const key = decodeURIComponent(rest.join('/'));
    const found = OPERATIONS.find(
      ([verb, name, onBucket]) => verb === method && onBucket === (key === '') && (name === null || query.has(name)),
    );
    if (found === undefined) throw new S3Error('NotImplemented', 501);
    const operation = found[3];
    calls.push(operation);
    if (server.intercept({ operation, key, response })) return;
    answers[operation]?.({ operation, key, query, headers, body, isDirect, response });
  }

  const listener = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A sender that disconnected gets no response.
      if (request.destroyed && !request.complete) return;
      const { code, status } = error instanceof S3Error ? error : new S3Error('InternalError', 500);
      xml(response, 'Error', tag('Code', code) + tag('Message', code), status);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    bucket: 'callboard',
    region: 'eu-central-1',
    accessKeyId: 'GHOSTLIGHT',
    secretAccessKey: 'stays/on+all=night',
    pathStyle: true,
    prefix: '',
  };
  const secrets = new Map([[settings.accessKeyId, settings.secretAccessKey]]);
  const server: S3Server = {
    settings,
    objects,
    unfinished,
    calls,
    receivedBytes: () => receivedBytes,
    serverBytes: () => serverBytes,
    offers: { checksums: true, cors: null },
    now: () => new Date(),
    direct: [],
    intercept: () => false,
    close: () =>
      new Promise<void>((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
  return server;
}
