import { MessageSquarePlus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Link } from '#ui/router.tsx';
import type { Connection } from '#contract/records/people.ts';
import { initials } from '#lib/text.ts';
import { ConnectSheet } from '#shared/people/ConnectSheet.tsx';
import { getPersonFacts, getPagePath } from '#shared/people/PersonLine.tsx';
import { usePeopleActions } from '#shared/people/use-people-actions.ts';
import type { Person } from '#sync/queue/connections.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { findNextRow } from '#ui/pass-focus.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';

/** Converts a suggestion to the person stored with a request, which the list shows until the server has the request. */
function toPerson({ user_id, name, title, address, profile_photo, slug, profile_type }: Connection): Person {
  return { userId: String(user_id), name, card: { title, address, profile_photo, slug, profile_type } };
}

function Suggestion({ person, onAddNote }: { person: Connection; onAddNote: (person: Person) => void }) {
  const actions = usePeopleActions();
  const page = getPagePath(person);
  const fallback = (
    <span className="grid aspect-[5/4] w-full place-items-center bg-secondary text-3xl font-bold text-secondary-content">
      <span aria-hidden>{initials(person.name)}</span>
    </span>
  );
  const content = (
    <>
      {person.profile_photo ? (
        <RemoteImage
          src={person.profile_photo}
          alt=""
          className="aspect-[5/4] w-full bg-base-300 object-cover object-top"
          loading="lazy"
          fallback={fallback}
        />
      ) : (
        fallback
      )}
      <span className="block px-2.5 pt-2.5 leading-tight">
        <span className="block truncate font-semibold">{person.name}</span>
        <span className="mt-0.5 block truncate text-xs text-muted">{getPersonFacts(person) || '\u00a0'}</span>
      </span>
    </>
  );
  return (
    <li className="notice flex w-44 shrink-0 snap-start flex-col overflow-hidden border border-base-300 sm:w-48">
      {page === null ? content : <Link to={page}>{content}</Link>}
      <div className="mt-auto flex items-center gap-1 p-2.5">
        <Button
          look="tonal"
          icon={UserPlus}
          className="min-w-0 grow px-2"
          aria-label={`Connect with ${person.name}`}
          onClick={({ currentTarget }) => {
            findNextRow(currentTarget)();
            actions.connect(toPerson(person));
          }}
        >
          Connect
        </Button>
        <IconButton
          label={`Connect with ${person.name} with a note`}
          title="Add a note"
          icon={MessageSquarePlus}
          onClick={() => onAddNote(toPerson(person))}
        />
      </div>
    </li>
  );
}

/** People whom the server suggests, in a row that scrolls sideways. */
export function Recommended({ people }: { people: readonly Connection[] }) {
  const [noteRecipient, setNoteRecipient] = useState<Person | null>(null);
  return (
    <section aria-labelledby="recommended">
      <div className="flex min-h-11 items-center px-1">
        <h2 id="recommended" className="grow text-[1.0625rem] font-bold">
          Recommended
        </h2>
        <Link to="/search" className="tap px-2 text-sm font-semibold text-primary">
          See all
        </Link>
      </div>
      <ul
        className="-mx-3 flex snap-x scroll-px-3 gap-3 overflow-x-auto px-3 pb-1 [scrollbar-width:none] md:mx-0 md:scroll-px-0 md:px-0"
        aria-label="People you may know"
      >
        {people.map((person) => (
          <Suggestion key={person.user_id} person={person} onAddNote={setNoteRecipient} />
        ))}
      </ul>
      {noteRecipient && <ConnectSheet person={noteRecipient} onClose={() => setNoteRecipient(null)} />}
    </section>
  );
}
