import { Clapperboard } from 'lucide-react';
import { useSession } from '#session/session.tsx';
import { SignInFirst } from '#shared/SignInFirst.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { usePageTitle } from '#ui/page-title.ts';
import { useSearchParams } from '#ui/router.tsx';
import { Booth } from './Booth.tsx';
import { readBrief } from './brief.ts';
import { readSettings } from './settings.ts';

/** The tape booth, for somebody who is signed in: takes belong to an account. */
export function BoothPage() {
  usePageTitle('Tape booth');
  const { account } = useSession();
  if (account === null) {
    return (
      <SignInFirst
        icon={Clapperboard}
        title="Sign in to record a take"
        text="The tape booth keeps your takes on this device, for your account alone."
      />
    );
  }
  return <OwnBooth />;
}

function OwnBooth() {
  const [params] = useSearchParams();
  const id = params.get('audition');
  const found = useQuery(
    async (db) => {
      const brief = id === null ? null : await readBrief(db, id);
      return { brief, settings: await readSettings(db, brief) };
    },
    [id],
  );
  return found && <Booth {...found} />;
}
