import { useAccount } from '#session/session.tsx';
import { ownProfiles } from '#db/queries.ts';
import { useQuery } from '#shared/queries/use-query.ts';

interface SlateCardProps {
  takeName: string;
  /** Project and part, as the person typed them. */
  text: string;
  /** What the take is called when it is sent for an audition. */
  fileName: string | null;
}

/** What to say before the scene: shown until the take begins, and not part of the recording. */
export function SlateCard({ takeName, text, fileName }: SlateCardProps) {
  const { user } = useAccount();
  const profiles = useQuery(ownProfiles, []);
  const stageName = profiles?.[0]?.body['stage_name'];
  return (
    <section
      aria-label="Slate card"
      className="mx-auto my-3 w-[min(22rem,calc(100%-2rem))] rounded-2xl bg-black/80 p-5 text-center"
    >
      <p className="text-2xl font-bold">{typeof stageName === 'string' ? stageName : user.name}</p>
      {text.trim() !== '' && <p className="mt-1 text-lg whitespace-pre-line">{text.trim()}</p>}
      <p className="mt-1 text-white/85">{takeName}</p>
      {fileName !== null && <p className="mt-1 text-sm break-all text-white/85">{fileName}</p>}
      <p className="mt-3 text-sm text-white/85">Say your name, your height and where you are based.</p>
    </section>
  );
}
