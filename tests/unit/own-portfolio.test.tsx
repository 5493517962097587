import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import type { Profile } from '#contract/records/profile.ts';
import type { MediaItem } from '#db/queries.ts';
import { OwnMedia } from '#features/media/OwnMedia.tsx';

const getSaved = () => ({ value: false, syncState: 'saved' });
// Rendered once, as on a server, where stores have no snapshot of their own.
vi.mock('react', async (load) => ({
  ...(await load<object>()),
  useSyncExternalStore: (_: unknown, get: () => unknown) => get(),
}));
vi.mock('#ui/router.tsx', () => ({
  useSearchParams: () => [new URLSearchParams('tab=audio')],
  useLocation: () => ({ hash: '' }),
  useNavigate: () => () => undefined,
  Link: 'a',
}));
vi.mock('#session/session.tsx', () => ({
  useAccount: () => ({ engine: {}, db: {}, user: {} }),
  useSession: () => ({ account: null }),
}));
vi.mock('#shared/queries/use-query.ts', () => ({ useQuery: () => getSaved }));
vi.mock('#shared/offline-media/OfflineBadge.tsx', () => ({ OfflineBadge: () => null }));
vi.mock('#features/media/use-refused-media.ts', () => ({ useRefusedMedia: () => undefined }));

const recording: MediaItem = {
  id: '5',
  key: '5',
  serverId: '5',
  state: 'saved',
  body: { media_type: 'audio', name: 'Warm narration', path: '/files/5.mp3', duration: 12 },
} as unknown as MediaItem;
const profile = { user_id: '1', stage_name: 'Meera', slug: 'meera', profile_type: { slug: 'actor' } };

/** Buttons by their names for readers, as the owner's page of recordings has them. */
function buttons(): string[] {
  const nothing = () => undefined;
  const html = renderToStaticMarkup(
    <OwnMedia
      profileId="7"
      profile={profile as unknown as Profile}
      items={[recording]}
      isPage
      onAdd={nothing}
      onOpen={nothing}
      onEdit={nothing}
    />,
  );
  return [...html.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, name]) => name!);
}

describe('the owner’s own media', () => {
  it('offers the filter as Saved only, which Save is not', () => {
    expect(buttons()).toContain('Saved only');
    expect(buttons()).not.toContain('Save');
  });

  it('offers bookmark and trash on the card of a recording', () => {
    expect(buttons()).toEqual(expect.arrayContaining(['Save Warm narration', 'Delete Warm narration']));
  });
});
