import { AskPage } from '#features/casting/AskPage.tsx';
import { CastingPage } from '#features/casting/CastingPage.tsx';
import { ProjectPage } from '#features/casting/ProjectPage.tsx';
import { RolePage } from '#features/casting/RolePage.tsx';
import { ShortlistPage } from '#features/casting/shortlist/ShortlistPage.tsx';
import { Route, Switch } from '#ui/router.tsx';
import { NotFound } from './NotFound.tsx';

/** The pages of the side that casts: one file, so that all of them are there offline once one was opened. */
export function Casting() {
  return (
    <Switch>
      <Route path="/casting" component={CastingPage} />
      <Route path="/casting/projects/:id" component={ProjectPage} />
      <Route path="/casting/roles/:id" component={RolePage} />
      <Route path="/casting/roles/:id/ask" component={AskPage} />
      <Route path="/casting/roles/:id/shortlist" component={ShortlistPage} />
      <Route component={NotFound} />
    </Switch>
  );
}
