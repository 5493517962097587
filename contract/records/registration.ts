import * as z from 'zod/mini';

/**
 * A task that costs a device a moment and a robot with many accounts hours: find the number whose key, by PBKDF2 with SHA-256, begins with
 * `keyPrefix`. The format is that of ALTCHA, version 2.
 */
export const challenge = z.object({
  parameters: z.object({
    algorithm: z.literal('PBKDF2/SHA-256'),
    /** Hexadecimal; the password is the nonce followed by the number as four bytes. */
    nonce: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    salt: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
    /** Rounds of PBKDF2. */
    cost: z.int().check(z.minimum(1)),
    /** Of a key, in bytes. */
    keyLength: z.int(),
    keyPrefix: z.string().check(z.regex(/^([0-9a-f]{2}){1,32}$/)),
    data: z.object({
      /** Until when a solution is accepted, in milliseconds since 1970. */
      until: z.int(),
    }),
  }),
  signature: z.string(),
});
export type Challenge = z.infer<typeof challenge>;

/** Null if this server asks for no solution. */
export const challengeResponse = z.object({ challenge: z.nullable(challenge) });

/** What a device sends as JSON in the `challenge` of a registration. */
export const solvedChallenge = z.object({
  challenge,
  solution: z.object({
    counter: z.int().check(z.minimum(0), z.maximum(0xffff_ffff)),
    /** Hexadecimal. */
    derivedKey: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  }),
});
export type SolvedChallenge = z.infer<typeof solvedChallenge>;
