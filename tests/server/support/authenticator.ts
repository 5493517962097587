import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

const FLAGS = { present: 0x01, verified: 0x04, mayBeCopied: 0x08, isCopied: 0x10, hasCredential: 0x40 };

/** CBOR of a text and of a byte string: the only values that a test writes besides fixed ones. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x58, value.length]), value]);

/** The public key as a COSE map: {1: 2 (EC), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function toCose(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, 'base64url')),
  ]);
}

interface AuthenticatorOptions {
  /** Whether it may copy the passkey to other devices. Such passkeys do not count. */
  isSynced?: boolean;
  isVerified?: boolean;
}

/** Options of WebAuthn, as far as the authenticator reads them. */
interface Asked {
  challenge_id: string;
  options: Record<string, unknown>;
}

/** An authenticator with one passkey, and the browser around it. */
export class TestAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #options: AuthenticatorOptions;
  counter = 0;
  /** Given by the server when the passkey is made. */
  userHandle: string | undefined;
  origin: string;
  rpId: string;

  /** @param origin of the page that the browser shows */
  constructor(origin: string, options: AuthenticatorOptions = {}) {
    this.origin = origin;
    this.rpId = new URL(origin).hostname;
    this.#options = options;
  }

  get publicKey(): Buffer {
    return toCose(this.#keys.publicKey);
  }

  #clientData(type: string, { options }: Asked): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: options['challenge'], origin: this.origin }));
  }

  #authenticatorData(extra: Buffer = Buffer.alloc(0)): Buffer {
    const { isSynced = true, isVerified = true } = this.#options;
    const flags =
      FLAGS.present |
      (isVerified ? FLAGS.verified : 0) |
      (isSynced ? FLAGS.mayBeCopied | FLAGS.isCopied : 0) |
      (extra.length > 0 ? FLAGS.hasCredential : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(this.rpId), Buffer.from([flags]), counter, extra]);
  }

  /** Makes the passkey. @returns the body that the app sends */
  create(asked: Asked) {
    this.userHandle = (asked.options['user'] as { id: string }).id;
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.publicKey]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(this.#authenticatorData(credential)),
    ]);
    const response = {
      clientDataJSON: this.#clientData('webauthn.create', asked).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    };
    return this.#answer(asked, response);
  }

  /** Signs a challenge with the passkey. @returns the body that the app sends */
  get(asked: Asked) {
    if (this.#options.isSynced === false) this.counter += 1;
    const clientData = this.#clientData('webauthn.get', asked);
    const authenticatorData = this.#authenticatorData();
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.#keys.privateKey);
    return this.#answer(asked, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(this.userHandle !== undefined && { userHandle: this.userHandle }),
    });
  }

  #answer<T extends object>({ challenge_id }: Asked, response: T) {
    const credential = { id: this.id, rawId: this.id, type: 'public-key', response };
    return { challenge_id, response: { ...credential, clientExtensionResults: {} } };
  }
}
