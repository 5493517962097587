import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createCertificate } from './certificate.ts';

/** A push as a device reads it. */
export interface ReceivedPush {
  /** The path of the endpoint. */
  path: string;
  headers: Record<string, string>;
  /** The subject under which the sender has proved itself. */
  sender: string;
  topic: string;
  ttlS: number;
  payload: {
    web_push: number;
    notification: { title: string; body: string; navigate: string; tag: string; data: { id: string; kind: string } };
    app_badge: number;
  };
}

export interface Device {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  path: string;
}

type Answer = { status: number; headers?: Record<string, string> } | 'hang';

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', createSecretKey(secret), salt, info, length));

interface DeviceKeys {
  privateKey: Buffer;
  publicKey: Buffer;
  auth: Buffer;
}

/** Decrypts a push as the browser does (RFC 8291, one record). */
function decrypt(body: Buffer, { privateKey, publicKey, auth }: DeviceKeys): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const own = createECDH('prime256v1');
  own.setPrivateKey(privateKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
  const secret = hkdf(own.computeSecret(senderKey), auth, info, 32);
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdf(secret, salt, 'Content-Encoding: nonce\0', 12);
  const sealed = body.subarray(21 + keyLength);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** Checks what proves who sends the push (RFC 8292). @throws when it proves nothing */
function checkVapid(authorization: string, origin: string, now: Date): { subject: string; publicKey: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>;
  const leftS = Number(exp) - now.getTime() / 1000;
  if (!isSigned || aud !== origin || leftS <= 0 || leftS > 24 * 3600) throw new Error('VAPID does not hold');
  return { subject: String(sub), publicKey };
}

/** Opens a push service with TLS. It decrypts what it gets, and answers 403 to who does not prove themselves. */
export async function openPushService() {
  const certificate = createCertificate('localhost');
  const devices = new Map<string, DeviceKeys>();
  const pushes: ReceivedPush[] = [];
  const senders = new Set<string>();
  const faults: unknown[] = [];
  /** What it answers instead of 201. */
  let answer: (path: string) => Answer | null = () => null;
  const server = https.createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    void (async () => {
      const body = await buffer(request);
      const path = request.url ?? '';
      const instead = answer(path);
      if (instead === 'hang') return;
      const keys = devices.get(path);
      if (instead !== null || keys === undefined) {
        response.writeHead(instead?.status ?? 404, instead?.headers).end('An answer that quotes the endpoint');
        return;
      }
      try {
        const { subject, publicKey } = checkVapid(request.headers.authorization ?? '', origin(), new Date());
        senders.add(`${subject} ${publicKey}`);
        pushes.push({
          path,
          headers: request.headers as Record<string, string>,
          sender: subject,
          topic: String(request.headers.topic),
          ttlS: Number(request.headers.ttl),
          payload: JSON.parse(decrypt(body, keys)) as ReceivedPush['payload'],
        });
        response.writeHead(201).end();
      } catch (error) {
        faults.push(error);
        response.writeHead(403).end();
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = () => `https://localhost:${port}`;
  const addDevice = (): Device => {
    const pair = createECDH('prime256v1');
    const publicKey = pair.generateKeys();
    const auth = randomBytes(16);
    const path = `/send/${randomBytes(8).toString('hex')}`;
    devices.set(path, { privateKey: pair.getPrivateKey(), publicKey, auth });
    const keys = { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') };
    return { path, subscription: { endpoint: `${origin()}${path}`, keys } };
  };
  return {
    host: `localhost:${port}`,
    /** PEM, for NODE_EXTRA_CA_CERTS. */
    certificate: certificate.cert,
    agent: new https.Agent({ ca: certificate.cert }),
    pushes,
    senders,
    /** What was wrong with pushes. */
    faults,
    addDevice,
    /** Ends a subscription, as a browser that was uninstalled does. */
    removeDevice: ({ path }: Device) => devices.delete(path),
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type TestPushService = Awaited<ReturnType<typeof openPushService>>;
