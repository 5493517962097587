import { MessageCircle, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from '#ui/router.tsx';
import type { ConnectionView } from '#db/network.ts';
import { agoText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { PersonLine } from '#shared/people/PersonLine.tsx';
import { PersonMenu } from '#shared/people/PersonMenu.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { ConnectionStatePill } from './Invitations.tsx';
import type { IndustryChoice } from './industries.ts';

/** Rows shown at first, and added by each press of Show more. */
const BATCH_SIZE = 50;

/** Returns 'Connected 3 days ago', or 'Just now' right after connecting. */
function formatConnectedSince(connectedAt: string, now: number): string {
  const ago = agoText(Date.parse(connectedAt), now);
  return ago === 'Just now' ? ago : `Connected ${ago}`;
}

function Row({ connection, now }: { connection: ConnectionView; now: number }) {
  const { name, userId, conversationId } = connection;
  return (
    <li className="flex items-center gap-1 border-t border-base-300 py-2 first:border-t-0">
      <div className="min-w-0 grow">
        <PersonLine person={connection}>
          {connection.at && (
            <span className="block text-sm text-muted">{formatConnectedSince(connection.at, now)}</span>
          )}
        </PersonLine>
        <div className="pl-15 empty:hidden sm:pl-17">
          <ConnectionStatePill connection={connection} />
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
      <PersonMenu person={{ userId, name }} connection={connection} />
    </li>
  );
}

interface NetworkProps {
  connections: readonly ConnectionView[];
  /** Filters the connections; undefined shows all. */
  industry: IndustryChoice | undefined;
  now: number;
}

/** The person's connections, the latest first. */
export function Network({ connections, industry, now }: NetworkProps) {
  const [maxRows, setMaxRows] = useState(BATCH_SIZE);
  const shown = industry ? connections.filter(({ industryIds }) => industryIds.includes(industry.id)) : connections;
  return (
    <Card title={`My Network > ${industry?.name ?? 'All'}`} count={shown.length}>
      {shown.length === 0 ? (
        <EmptyNetwork industry={industry} />
      ) : (
        <ul>
          {shown.slice(0, maxRows).map((connection) => (
            <Row key={connection.userId} connection={connection} now={now} />
          ))}
        </ul>
      )}
      {shown.length > maxRows && (
        <Button look="plain" className="mt-1 w-full" onClick={() => setMaxRows(maxRows + BATCH_SIZE)}>
          Show {Math.min(BATCH_SIZE, shown.length - maxRows)} more
        </Button>
      )}
    </Card>
  );
}

function EmptyNetwork({ industry }: { industry: IndustryChoice | undefined }) {
  const memberCount = industry?.memberCount ?? 0;
  return (
    <div className="py-6 text-center">
      <span className="mx-auto grid size-14 place-items-center rounded-full bg-base-200 text-muted">
        <UsersRound className="ic size-6" aria-hidden />
      </span>
      <p className="mt-3 font-semibold">
        {industry ? `Nobody you know works in ${industry.name} yet` : 'Nobody in your network yet'}
      </p>
      <p className="mt-1 text-sm text-muted">
        {industry && memberCount > 0
          ? `${count(memberCount, 'person', 'people')} on Callboard ${memberCount === 1 ? 'does' : 'do'}.`
          : 'Connect with people you have worked with. They appear here once they accept.'}
      </p>
      <ButtonLink look="tonal" className="mt-4" to={industry ? `/search?industry=${industry.id}` : '/search'}>
        Find people
      </ButtonLink>
    </div>
  );
}
