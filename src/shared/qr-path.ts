import encodeQR from 'qr';

/** Width of the white border that scanners need. */
const QUIET_ZONE_MODULES = 4;

/** Encodes a text as a QR code: one SVG path, and the size including the quiet zone, both in modules. */
export function toQrPath(text: string): { path: string; size: number } {
  const rows = encodeQR(text, 'raw', { border: QUIET_ZONE_MODULES, ecc: 'medium' });
  let path = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      path += `M${start} ${y}h${x - start + 1}v1H${start}z`;
    }
  });
  return { path, size: rows.length };
}
