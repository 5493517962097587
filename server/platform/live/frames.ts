import * as z from 'zod';

const text = z.string();
/** Clients send the data of a frame as an object or as a JSON string. */
const jsonOr = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return undefined;
    }
  }, schema);

/** A frame from a client. */
export const incoming = z.object({ event: text, channel: text.optional(), data: z.unknown().optional() });
/** Some clients send null for what they leave out. */
const optionalText = text.nullish().transform((value) => value ?? undefined);
export const subscription = jsonOr(z.object({ channel: text, auth: optionalText, channel_data: optionalText }));
export const unsubscription = jsonOr(z.object({ channel: text }));
export const signIn = jsonOr(z.object({ auth: text, user_data: text }));
/** Signed texts: `channel_data` of a presence channel, and `user_data` of a sign-in. */
export const memberData = jsonOr(
  z.object({ user_id: z.union([text.min(1), z.number()]), user_info: z.unknown().optional() }),
);
export const userData = jsonOr(z.object({ id: text.min(1).max(150) }));

/** Serializes a frame. The protocol encodes its data as JSON within JSON. */
export const frame = (event: string, { channel, data }: { channel?: string; data?: unknown } = {}): string =>
  JSON.stringify({ event, channel, data: data === undefined ? undefined : JSON.stringify(data) });

/** Encodes a WebSocket text frame once, so that all recipients share the same bytes. */
export function encodeFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const wire = Buffer.allocUnsafe(headerBytes + length);
  // FIN and opcode 1: a complete text message. Servers do not mask.
  wire[0] = 0x81;
  if (headerBytes === 2) wire[1] = length;
  else if (headerBytes === 4) {
    wire[1] = 126;
    wire.writeUInt16BE(length, 2);
  } else {
    wire[1] = 127;
    wire.writeBigUInt64BE(BigInt(length), 2);
  }
  wire.write(text, headerBytes);
  return wire;
}
