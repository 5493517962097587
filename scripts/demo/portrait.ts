import sharp from 'sharp';
import type { Face } from '#server/demo/person.ts';

const SKINS = ['#b9794f', '#8f5a38', '#c98d63', '#6f432a', '#a86a43', '#d9a27b'];
const HAIRS = ['#1c1512', '#2a1d16', '#0f0d0d', '#4a3326', '#8b8781'];
const CLOTHES = ['#7d2e2a', '#24506b', '#355b3a', '#c58b2a', '#4b3566', '#1f2a33', '#b7694a', '#e6ddc8'];
const STAGES = [
  ['#3a2a2c', '#e2a27b'],
  ['#17303a', '#7fb3b6'],
  ['#1d3a2f', '#9cc08a'],
  ['#2e2440', '#b79ad6'],
  ['#40301a', '#e8c170'],
  ['#33222a', '#d98aa0'],
  ['#1f2a40', '#8fa9dc'],
] as const;

/** SVG paths per hair style: behind the head and over the forehead. The head is an oval from x 128 to 274 and y 108 to 324. */
const HAIRCUTS = {
  bun: [
    '<ellipse cx="200" cy="92" rx="46" ry="40"/><path d="M120 225C112 120 160 96 200 96s90 26 80 130l-10 40H130z"/>',
    '<path d="M127 205C128 130 165 108 202 108s72 24 73 100c-14-46-40-68-74-74-36 8-60 28-74 71z"/>',
  ],
  long: [
    '<path d="M108 400C96 190 130 88 202 88s104 104 92 312c-30 24-158 24-186 0z"/>',
    '<path d="M126 214C128 132 164 106 202 106s74 26 75 108c-8-54-30-78-58-86-28 26-70 34-93 86z"/>',
  ],
  bob: [
    '<path d="M112 292C98 150 140 90 202 90s104 62 90 202c-16 14-36 14-48 0H160c-14 14-34 14-48 0z"/>',
    '<path d="M127 206c0-66 30-98 75-98s74 34 75 98c-42-8-112-8-150 0z"/>',
  ],
  short: [
    '<path d="M122 210c-6-76 28-118 80-118s86 42 78 118z"/>',
    '<path d="M126 206c-4-66 26-100 76-100s80 34 76 100c-8-34-18-46-30-56-30 8-68 6-94-6-14 14-22 30-28 62z"/>',
  ],
  curly: [
    '<g><circle cx="140" cy="150" r="40"/><circle cx="180" cy="112" r="44"/><circle cx="228" cy="112" r="44"/><circle cx="264" cy="152" r="40"/><circle cx="276" cy="204" r="28"/><circle cx="126" cy="204" r="28"/></g>',
    '<g><circle cx="152" cy="138" r="26"/><circle cx="188" cy="122" r="26"/><circle cx="224" cy="124" r="26"/><circle cx="252" cy="144" r="24"/></g>',
  ],
  bald: ['', '<path d="M128 190c-2-20 2-36 8-48-2 22-2 34-8 48zM274 190c2-20-2-36-8-48 2 22 2 34 8 48z"/>'],
} as const satisfies Record<Face['hair'], unknown>;

const pick = <T>(list: readonly T[], seed: number): T => list[seed % list.length]!;

function drawing({ hair, hasBeard, hasGlasses, seed }: Face): string {
  const skin = pick(SKINS, seed * 5 + 1);
  const colour = pick(HAIRS, seed % 7 === 0 ? 4 : seed % 4);
  const cloth = pick(CLOTHES, seed * 3 + 2);
  const [dark, light] = pick(STAGES, seed);
  const [behind, front] = HAIRCUTS[hair];
  const shoulders = '<path d="M24 510c6-90 60-118 134-136 22 22 62 22 86 0 74 18 126 46 132 136z"';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="500" viewBox="0 0 400 500">
<defs><radialGradient id="g" gradientUnits="userSpaceOnUse" cx="${seed % 2 === 0 ? 92 : 308}" cy="125" r="400"><stop offset="0" stop-color="${light}"/><stop offset=".42" stop-color="${light}" stop-opacity=".45"/><stop offset="1" stop-color="${dark}" stop-opacity="0"/></radialGradient>
<linearGradient id="s" x2="1"><stop offset=".35" stop-opacity="0"/><stop offset="1" stop-opacity=".42"/></linearGradient>
<clipPath id="c"><path d="M128 196c0-60 34-88 73-88s73 28 73 88c0 70-32 128-73 128s-73-58-73-128z"/></clipPath></defs>
<path d="M0 0h400v500H0z" fill="${dark}"/><path d="M0 0h400v500H0z" fill="url(#g)"/>
<g${seed % 2 === 0 ? '' : ' transform="translate(400 0) scale(-1 1)"'}><g fill="${colour}">${behind}</g>
${shoulders} fill="${cloth}"/><path d="M162 286h78v78c0 34-78 34-78 0z" fill="${skin}"/><path d="M162 318c20 26 58 26 78-6v52c0 34-78 34-78 0z" opacity=".28"/>
<path d="M128 196c0-60 34-88 73-88s73 28 73 88c0 70-32 128-73 128s-73-58-73-128z" fill="${skin}"/>
<g clip-path="url(#c)">${hasBeard ? `<path d="M120 226c18 34 30 40 50 34 20-8 42-8 62 0 20 6 32 0 50-34v110H120z" fill="${colour}" opacity=".92"/>` : ''}<path d="M212 90c2 60-10 84-18 118l-14 38 16 8c-8 12-4 16-8 24 2 22 16 34 20 60h110V90z" opacity=".24"/></g>
<path d="M148 204c10-8 24-9 34-4M222 200c12-5 24-3 34 5" stroke="${colour}" stroke-width="5" stroke-linecap="round" fill="none" opacity=".75"/>
${hasGlasses ? '<g fill="none" stroke="#141414" stroke-width="4"><circle cx="166" cy="222" r="21"/><circle cx="240" cy="222" r="21"/><path d="M187 220q16-8 32 0"/></g>' : ''}
<g fill="${colour}">${front}</g>${shoulders} fill="url(#s)"/></g></svg>`;
}

/** Renders a portrait as a small JPEG. The same face always gives the same picture. */
export function drawPortrait(face: Face): Promise<Buffer> {
  return sharp(Buffer.from(drawing(face)))
    .resize(320, 400)
    .jpeg({ quality: 74, mozjpeg: true })
    .toBuffer();
}
