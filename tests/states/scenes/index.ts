import type { Scene } from '../scene.ts';
import { MEDIA_SCENES } from './media.ts';
import { PAGE_SCENES } from './pages.ts';
import { PEOPLE_SCENES } from './people.ts';
import { PROFILE_SCENES } from './profile.ts';
import { WAITING_SCENES } from './waiting.ts';

export const SCENES: readonly Scene[] = [
  ...PROFILE_SCENES,
  ...WAITING_SCENES,
  ...MEDIA_SCENES,
  ...PEOPLE_SCENES,
  ...PAGE_SCENES,
];
