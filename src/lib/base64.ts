/**
 * Encodes bytes as base64. Does not spread them into one call: a picture has more bytes than a call may have arguments.
 */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
