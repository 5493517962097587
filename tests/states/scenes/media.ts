import type { Media } from '#contract/records/media.ts';
import { face, LONG_WORD, mediaRecord, profileRecord, waiting } from '../records.ts';
import type { Scene } from '../scene.ts';

const me = profileRecord();
const kinds: readonly Media['media_type'][] = ['image', 'video', 'audio', 'document'];
const all = [me, ...kinds.map((kind, at) => mediaRecord(`k${at}`, kind))];
const files = [1, 2, 3].map((at) => ({
  id: `f${at}`,
  state: 'ready' as const,
  name: at === 3 ? `${LONG_WORD}.jpg` : `stage-${at}.jpg`,
  picture: face(['bob-17', 'bob-23', 'bob-32'][at - 1]!),
}));
const photo = (id: string) => [
  waiting({ kind: 'upload', type: 'upload', target: id, parent: null }),
  waiting({ kind: 'create', type: 'media', deps: [id], patch: { media_type: 'image', name: LONG_WORD } }),
];

const page = (state: string, given: Partial<Scene>): Scene => ({ group: 'Media', state, path: '/media', ...given });

export const MEDIA_SCENES: readonly Scene[] = [
  page('being fetched', { isNewDevice: true, server: 'silent' }),
  page('none yet', { stored: { records: [me] } }),
  page('one of each', { stored: { records: all } }),
  page('on this phone', {
    server: 'gone',
    stored: { records: all, files, outbox: files.flatMap(({ id }) => photo(id)) },
  }),
  page('being sent', {
    server: 'silent',
    stored: { records: all, files, outbox: files.flatMap(({ id }) => photo(id)) },
  }),
  page('refused', {
    stored: {
      records: all,
      files,
      outbox: files.flatMap(({ id }, at) => {
        const [bytes, medium] = photo(id) as [ReturnType<typeof waiting>, ReturnType<typeof waiting>];
        const reason = (['toobig', 'wrongtype', 'invalid'] as const)[at]!;
        const lastError = { status: 422, message: 'The server could not take this.' };
        return [{ ...bytes, state: 'attention' as const, reason, lastError }, medium];
      }),
    },
  }),
  page('a photo opened', { path: '/media?view=k0', stored: { records: all } }),
];
