import { Route } from '#ui/router.tsx';
import { lazyPage } from './lazy-page.ts';

const SearchPage = lazyPage(() => import('#features/search/SearchPage.tsx'), 'SearchPage');
const RarePages = lazyPage(() => import('./RarePages.tsx'), 'RarePages');

/** Routes that are the same for visitors and signed-in people, inside different layouts. */
export const sharedPages = (
  <>
    <Route path="/search" component={SearchPage} />
    <Route component={RarePages} />
  </>
);
