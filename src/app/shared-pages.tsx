import { Route } from '#ui/router.tsx';
import { lazyPage } from './lazy-page.ts';

const Privacy = lazyPage(() => import('./pages/Legal.tsx'), 'Privacy');
const Terms = lazyPage(() => import('./pages/Legal.tsx'), 'Terms');
const Support = lazyPage(() => import('./pages/Support.tsx'), 'Support');
const Insights = lazyPage(() => import('#features/insights/InsightsPage.tsx'), 'InsightsPage');
const SearchPage = lazyPage(() => import('#features/search/SearchPage.tsx'), 'SearchPage');
const Demo = lazyPage(() => import('./pages/Demo.tsx'), 'Demo');
const Help = lazyPage(() => import('#features/help/Help.tsx'), 'Help');
const HelpGuide = lazyPage(() => import('#features/help/Help.tsx'), 'HelpGuide');
const NotFound = lazyPage(() => import('./pages/NotFound.tsx'), 'NotFound');

/** Routes that are the same for visitors and signed-in people, inside different layouts. */
export const sharedPages = (
  <>
    <Route path="/privacy" component={Privacy} />
    <Route path="/terms" component={Terms} />
    <Route path="/support" component={Support} />
    <Route path="/help" component={Help} />
    <Route path="/help/:slug" component={HelpGuide} />
    <Route path="/demo" component={Demo} />
    <Route path="/insights" component={Insights} />
    <Route path="/search" component={SearchPage} />
    <Route component={NotFound} />
  </>
);
