import { Route, Switch } from '#ui/router.tsx';
import { lazyPage } from './lazy-page.ts';

const Insights = lazyPage(() => import('#features/insights/InsightsPage.tsx'), 'InsightsPage');
const Cv = lazyPage(() => import('./pages/Cv.tsx'), 'Cv');
const Privacy = lazyPage(() => import('./pages/Legal.tsx'), 'Privacy');
const Terms = lazyPage(() => import('./pages/Legal.tsx'), 'Terms');
const Support = lazyPage(() => import('./pages/Support.tsx'), 'Support');
const Demo = lazyPage(() => import('./pages/Demo.tsx'), 'Demo');
const Help = lazyPage(() => import('#features/help/Help.tsx'), 'Help');
const HelpGuide = lazyPage(() => import('#features/help/Help.tsx'), 'HelpGuide');
const ForgotPassword = lazyPage(() => import('#features/account/ForgotPassword.tsx'), 'ForgotPassword');
const ResetPassword = lazyPage(() => import('#features/account/ResetPassword.tsx'), 'ResetPassword');
const RecoverySignIn = lazyPage(() => import('#features/account/RecoverySignIn.tsx'), 'RecoverySignIn');
const ConfirmEmail = lazyPage(() => import('#features/account/LinkPages.tsx'), 'ConfirmEmail');
const SecureAccount = lazyPage(() => import('#features/account/LinkPages.tsx'), 'SecureAccount');
const StopMail = lazyPage(() => import('#features/account/LinkPages.tsx'), 'StopMail');
const GuardianPage = lazyPage(() => import('#features/account/GuardianPage.tsx'), 'GuardianPage');
const Decisions = lazyPage(() => import('#features/account/Decisions.tsx'), 'Decisions');
const DeskList = lazyPage(() => import('#features/desk/DeskList.tsx'), 'DeskList');
const ReportPage = lazyPage(() => import('#features/desk/ReportPage.tsx'), 'ReportPage');
const LogPage = lazyPage(() => import('#features/desk/LogPage.tsx'), 'LogPage');
const OfficesPage = lazyPage(() => import('#features/desk/OfficesPage.tsx'), 'OfficesPage');
const AgeRequestsPage = lazyPage(() => import('#features/desk/AgeRequestsPage.tsx'), 'AgeRequestsPage');
const PersonPage = lazyPage(() => import('#features/desk/PersonPage.tsx'), 'PersonPage');
const JobsPage = lazyPage(() => import('#features/desk/JobsPage.tsx'), 'JobsPage');
const Casting = lazyPage(() => import('./pages/Casting.tsx'), 'Casting');
const Auditions = lazyPage(() => import('#features/auditions/AuditionsPage.tsx'), 'AuditionsPage');
const Audition = lazyPage(() => import('#features/auditions/AuditionPage.tsx'), 'AuditionPage');
const Availability = lazyPage(() => import('./pages/Availability.tsx'), 'Availability');
const BoothPage = lazyPage(() => import('#features/booth/BoothPage.tsx'), 'BoothPage');
const TakesPage = lazyPage(() => import('#features/booth/TakesPage.tsx'), 'TakesPage');
const WatchPage = lazyPage(() => import('#features/watch/WatchPage.tsx'), 'WatchPage');
const NotFound = lazyPage(() => import('./pages/NotFound.tsx'), 'NotFound');

/** Pages that few visits begin with. Their routes are not part of what every visit loads. */
export function RarePages() {
  return (
    <Switch>
      <Route path="/insights" component={Insights} />
      <Route path="/cv" component={Cv} />
      <Route path="/cv/:userSlug/:typeSlug" component={Cv} />
      <Route path="/privacy" component={Privacy} />
      <Route path="/terms" component={Terms} />
      <Route path="/support" component={Support} />
      <Route path="/help" component={Help} />
      <Route path="/help/:slug" component={HelpGuide} />
      <Route path="/demo" component={Demo} />
      <Route path="/forgot" component={ForgotPassword} />
      <Route path="/reset" component={ResetPassword} />
      <Route path="/recover" component={RecoverySignIn} />
      <Route path="/confirm" component={ConfirmEmail} />
      <Route path="/secure" component={SecureAccount} />
      <Route path="/mail/stop/:token" component={StopMail} />
      <Route path="/guardian" component={GuardianPage} />
      <Route path="/decisions" component={Decisions} />
      <Route path="/desk" component={DeskList} />
      <Route path="/desk/reports/:id" component={ReportPage} />
      <Route path="/desk/audit" component={LogPage} />
      <Route path="/desk/offices" component={OfficesPage} />
      <Route path="/desk/age-requests" component={AgeRequestsPage} />
      <Route path="/desk/people/:id" component={PersonPage} />
      <Route path="/desk/jobs" component={JobsPage} />
      <Route path="/casting/*?" component={Casting} />
      <Route path="/auditions" component={Auditions} />
      <Route path="/auditions/:id" component={Audition} />
      <Route path="/availability" component={Availability} />
      <Route path="/booth" component={BoothPage} />
      <Route path="/booth/takes" component={TakesPage} />
      <Route path="/watch/:linkId" component={WatchPage} />
      <Route component={NotFound} />
    </Switch>
  );
}
