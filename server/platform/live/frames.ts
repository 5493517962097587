import * as z from 'zod';

const text = z.string();
/** Clients send the data of a frame as an object or as its JSON. */
const jsonOr = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return undefined;
    }
  }, schema);

/** What clients send. */
export const incoming = z.object({ event: text, channel: text.optional(), data: z.unknown().optional() });
/** Some clients send null for what they leave out. */
const optionalText = text.nullish().transform((value) => value ?? undefined);
export const subscription = jsonOr(z.object({ channel: text, auth: optionalText, channel_data: optionalText }));
export const unsubscription = jsonOr(z.object({ channel: text }));
export const signIn = jsonOr(z.object({ auth: text, user_data: text }));
/** What stands in the signed texts of the two: who comes into a presence channel, and who signs in. */
export const memberData = jsonOr(
  z.object({ user_id: z.union([text.min(1), z.number()]), user_info: z.unknown().optional() }),
);
export const userData = jsonOr(z.object({ id: text.min(1).max(150) }));

/** A frame as it is sent: its data is JSON within JSON. */
export const frame = (event: string, { channel, data }: { channel?: string; data?: unknown } = {}): string =>
  JSON.stringify({ event, channel, data: data === undefined ? undefined : JSON.stringify(data) });

/** A frame of text in the bytes of its wire, which are the same for each of those it goes to. */
export function wireOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const wire = Buffer.allocUnsafe(headBytes + length);
  // A whole message of text, unmasked, as a server sends.
  wire[0] = 0x81;
  if (headBytes === 2) wire[1] = length;
  else if (headBytes === 4) {
    wire[1] = 126;
    wire.writeUInt16BE(length, 2);
  } else {
    wire[1] = 127;
    wire.writeBigUInt64BE(BigInt(length), 2);
  }
  wire.write(text, headBytes);
  return wire;
}
