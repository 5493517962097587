import { createHash, randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '#server/platform/config.ts';
import { checkSignature, S3Error } from './s3-signature.ts';

/** S3 requires at least this size for all parts except the last. */
const PART_BYTES = 5 * 1024 * 1024;
/** Small, so that every list needs several pages. */
const PAGE = 3;

interface StoredObject {
  bytes: Buffer;
  etag: string;
  storedAt: Date;
}
interface Unfinished {
  id: string;
  key: string;
  begunAt: Date;
  parts: Map<number, StoredObject>;
}

/** A request with a verified signature. */
interface Call {
  operation: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
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
  /** Called first for each request. Returning true means that it sent the response or withholds it. */
  intercept: (call: Pick<Call, 'operation' | 'key' | 'response'>) => boolean;
  close: () => Promise<void>;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const tag = (name: string, content: string | number | boolean) => `<${name}>${content}</${name}>`;
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
  ['POST', 'uploadId', false, 'CompleteMultipartUpload'],
  ['DELETE', 'uploadId', false, 'AbortMultipartUpload'],
  ['PUT', null, false, 'PutObject'],
  ['GET', null, false, 'GetObject'],
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

  const xml = (response: ServerResponse, root: string, content: string, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': randomUUID() });
    response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${tag(root, content)}`);
  };
  const uploadOf = ({ query, key }: Call): Unfinished => {
    const found = unfinished.get(query.get('uploadId') ?? '');
    if (found?.key !== key) throw new S3Error('NoSuchUpload', 404);
    return found;
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
        response.writeHead(200, { 'content-length': total, etag: object.etag }).end(object.bytes);
        return;
      }
      const [start, end] = [Number(first), Math.min(last ? Number(last) : Infinity, total - 1)];
      if (start > end) throw new S3Error('InvalidRange', 416);
      const headersOut = { 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${total}` };
      response.writeHead(206, { ...headersOut, etag: object.etag }).end(object.bytes.subarray(start, end + 1));
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
    CreateMultipartUpload({ key, response }) {
      const id = randomUUID();
      unfinished.set(id, { id, key, begunAt: new Date(), parts: new Map() });
      xml(response, 'InitiateMultipartUploadResult', tag('Key', escape(key)) + tag('UploadId', id));
    },
    UploadPart(call) {
      const { query, body, response } = call;
      const number = Number(query.get('partNumber'));
      if (!(number >= 1 && number <= 10_000)) throw new S3Error('InvalidArgument', 400);
      const part = stored(body);
      uploadOf(call).parts.set(number, part);
      receivedBytes += body.byteLength;
      response.writeHead(200, { etag: part.etag }).end();
    },
    CompleteMultipartUpload(call) {
      const { key, body, response } = call;
      const upload = uploadOf(call);
      const named = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([text]) => ({
        number: Number(/<PartNumber>(\d+)</.exec(text)?.[1]),
        etag: /<ETag>(.*?)</.exec(text)?.[1]?.replaceAll('&quot;', '"'),
      }));
      if (named.length === 0) throw new S3Error('MalformedXML', 400);
      if (named.some(({ number }, at) => at > 0 && number <= (named[at - 1]?.number ?? 0))) {
        throw new S3Error('InvalidPartOrder', 400);
      }
      const parts = named.map(({ number, etag }) => {
        const part = upload.parts.get(number);
        if (part === undefined || part.etag !== etag) throw new S3Error('InvalidPart', 400);
        return part.bytes;
      });
      if (parts.slice(0, -1).some((bytes) => bytes.byteLength < PART_BYTES)) {
        throw new S3Error('EntityTooSmall', 400);
      }
      const object = stored(Buffer.concat(parts));
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
    const body = await buffer(request);
    const headers = request.headers as Record<string, string | undefined>;
    checkSignature({ method, url, headers, body }, { secrets, region: settings.region, now: new Date() });
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
    answers[operation]?.({ operation, key, query, headers, body, response });
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
    intercept: () => false,
    close: () =>
      new Promise<void>((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
  return server;
}
