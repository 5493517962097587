/** Renders the app's icons from scripts/icons/*.svg into public/icons. Run it after changing the logo: `npm run icons`. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { CROWD } from '#server/demo/crowd.ts';
import { DEMO_PEOPLE } from '#server/demo/people.ts';
import { faceName } from '#server/demo/person.ts';
import { drawPortrait } from './demo/portrait.ts';

/** iOS rounds the corners itself and shows transparency as black, so the home-screen icon is full-bleed. */
const pictures = [
  { from: 'icon', to: 'any-192', size: 192 },
  { from: 'icon', to: 'any-512', size: 512 },
  { from: 'icon-maskable', to: 'maskable-192', size: 192 },
  { from: 'icon-maskable', to: 'maskable-512', size: 512 },
  { from: 'icon-monochrome', to: 'monochrome-512', size: 512 },
  { from: 'icon-maskable', to: 'apple-180', size: 180 },
];

await mkdir('public/icons', { recursive: true });
await copyFile('scripts/icons/icon.svg', 'public/icons/icon.svg');
for (const { from, to, size } of pictures) {
  await sharp(`scripts/icons/${from}.svg`, { density: (72 * size) / 512 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true, quality: 100, effort: 10 })
    .toFile(`public/icons/${to}.png`);
}

// Demo people use the drawings of the landing page as portraits. The server accepts no SVG, so they become photos here.
for (const portrait of ['meera', 'zoya']) {
  await sharp(`src/app/landing/${portrait}.svg`, { density: 200 })
    .flatten({ background: '#1d3a2f' })
    .jpeg({ quality: 88 })
    .toFile(`server/demo/portraits/${portrait}.jpg`);
}
for (const photo of ['morning', 'night', 'kathak', 'chowk', 'rain']) {
  await sharp(`scripts/demo/${photo}.svg`)
    .jpeg({ quality: 82, mozjpeg: true })
    .toFile(`server/demo/photos/${photo}.jpg`);
}
await rm('server/demo/faces', { recursive: true, force: true });
await mkdir('server/demo/faces');
for (const { profiles } of [...DEMO_PEOPLE, ...CROWD]) {
  for (const { face, laterMedia = [] } of profiles) {
    for (const each of [face, ...laterMedia.map((item) => item.face)]) {
      if (each) await writeFile(`server/demo/faces/${faceName(each)}.jpg`, await drawPortrait(each));
    }
  }
}
