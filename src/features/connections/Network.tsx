import { MessageCircle, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Tie } from '#db/network.ts';
import { agoText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { PersonLine } from '#shared/people/PersonLine.tsx';
import { PersonMenu } from '#shared/people/PersonMenu.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { TieState } from './Invitations.tsx';
import type { IndustryChoice } from './industries.ts';

const AT_ONCE = 50;

/** 'Connected 3 days ago'; in the first second 'Just now'. */
function since(at: string, now: number): string {
  const ago = agoText(Date.parse(at), now);
  return ago === 'Just now' ? ago : `Connected ${ago}`;
}

function Row({ tie, now }: { tie: Tie; now: number }) {
  const { name, userId, conversationId } = tie;
  return (
    <li className="flex items-center gap-1 border-t border-base-300 py-2 first:border-t-0">
      <div className="min-w-0 grow">
        <PersonLine person={tie}>
          {tie.at && <span className="block text-sm text-muted">{since(tie.at, now)}</span>}
        </PersonLine>
        <div className="pl-15 empty:hidden sm:pl-17">
          <TieState tie={tie} />
        </div>
      </div>
      {conversationId !== null && (
        <Link
          to={`/messages/${conversationId}`}
          className="tap btn btn-tonal btn-square"
          aria-label={`Message ${name}`}
        >
          <MessageCircle className="ic" aria-hidden />
        </Link>
      )}
      <PersonMenu whom={{ userId, name }} tie={tie} />
    </li>
  );
}

interface NetworkProps {
  ties: readonly Tie[];
  /** What is shown of them. */
  industry: IndustryChoice | undefined;
  now: number;
}

/** Everybody one is connected with, the latest first. */
export function Network({ ties, industry, now }: NetworkProps) {
  const [most, setMost] = useState(AT_ONCE);
  const shown = industry ? ties.filter(({ industryIds }) => industryIds.includes(industry.id)) : ties;
  return (
    <Card title={`My Network > ${industry?.name ?? 'All'}`} count={shown.length}>
      {shown.length === 0 ? (
        <Nobody industry={industry} />
      ) : (
        <ul>
          {shown.slice(0, most).map((tie) => (
            <Row key={tie.userId} tie={tie} now={now} />
          ))}
        </ul>
      )}
      {shown.length > most && (
        <Button look="plain" className="mt-1 w-full" onClick={() => setMost(most + AT_ONCE)}>
          Show {Math.min(AT_ONCE, shown.length - most)} more
        </Button>
      )}
    </Card>
  );
}

function Nobody({ industry }: { industry: IndustryChoice | undefined }) {
  const there = industry?.people ?? 0;
  return (
    <div className="py-6 text-center">
      <span className="mx-auto grid size-14 place-items-center rounded-full bg-base-200 text-muted">
        <UsersRound className="ic size-6" aria-hidden />
      </span>
      <p className="mt-3 font-semibold">
        {industry ? `Nobody you know works in ${industry.name} yet` : 'Nobody in your network yet'}
      </p>
      <p className="mt-1 text-sm text-muted">
        {industry && there > 0
          ? `${count(there, 'person', 'people')} on Callboard ${there === 1 ? 'does' : 'do'}.`
          : 'Connect with people you have worked with. They appear here once they accept.'}
      </p>
      <ButtonLink look="tonal" className="mt-4" to={industry ? `/search?industry=${industry.id}` : '/search'}>
        Find people
      </ButtonLink>
    </div>
  );
}
