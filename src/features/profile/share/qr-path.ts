import encodeQR from 'qr';

/** Modules of white around the code, which readers need. */
const QUIET = 4;

/** A QR code as one SVG path in units of its modules, with the white border counted in. */
export function qrPath(text: string): { path: string; size: number } {
  const rows = encodeQR(text, 'raw', { border: QUIET, ecc: 'medium' });
  let path = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
    }
  });
  return { path, size: rows.length };
}
