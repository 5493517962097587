import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import { sectionsOf } from '#contract/sections/index.ts';
import { sortItems } from '#db/fold.ts';
import type { Item } from '#db/views.ts';
import { Card } from '#ui/Card.tsx';
import { CardBody, CUSTOM_CARDS, isListOf } from '../custom-cards.tsx';
import { FIRST_SECTIONS } from '../card-body.ts';
import { pairUp } from '#lib/pair-up.ts';
import { ContactLines } from './ContactLines.tsx';
import { Journey } from './Journey.tsx';
import { PublicHeader } from './PublicHeader.tsx';
import type { Page } from './read-page.ts';

/** After the pictures; every other section follows in the order of the registry, and contacts come last. */
const FIRST = ['experience', 'about_me', 'skill', 'highlight'];
const LAST = ['feedback', 'contact'];

const placeOf = (key: string) => {
  if (FIRST.includes(key)) return FIRST.indexOf(key) - FIRST.length;
  return LAST.indexOf(key) + 1;
};

/** Another's row as the cards take it: nothing of it can wait here. */
export function itemOf(type: string, parent: string, body: AnyRow): Item {
  const id = String(body.id);
  return { key: id, id, serverId: id, type, parent, body, state: 'saved' };
}

export interface PublicProfileProps {
  profile: Profile;
  page: Page;
  actions: ReactNode;
  /** The portfolio, which is a feature of its own. */
  portfolio: (items: Item[], profile: Profile) => ReactNode;
  /** Below a section's rows: the viewer's own words and a way to add some. */
  extra?: (section: Section) => ReactNode;
  /** Whose words stand below and not among the others'. */
  viewerId?: string;
}

/** A profile as everybody but its owner sees it. Nothing empty is shown. */
export function PublicProfile({ profile, page, actions, portfolio, extra, viewerId }: PublicProfileProps) {
  return (
    <div className="mx-auto grid max-w-[1216px] grid-cols-1 items-start gap-3 px-3 pb-6 md:grid-cols-[300px_minmax(0,1fr)] md:gap-6 md:px-6 md:pt-6 md:pb-12 lg:grid-cols-[368px_minmax(0,1fr)]">
      <PublicHeader profile={profile} page={page} actions={actions} />
      <Cards profile={profile} page={page} portfolio={portfolio} extra={extra} viewerId={viewerId} />
    </div>
  );
}

function Cards({ profile, page, portfolio, extra, viewerId }: Omit<PublicProfileProps, 'actions'>) {
  const items = (key: string, section: Section | null) => {
    const known = page.rows[key] ?? [];
    const rows = section?.writtenBy ? known.filter((row) => String(row.user_id) !== viewerId) : known;
    const whole = section?.set && rows.length > 0 ? [{ ...section.set.valuesOf(rows), id: page.id, rows }] : rows;
    const all = whole.map((row) => itemOf(key, page.id, row));
    // The owner's own order of media comes from the server.
    return section
      ? sortItems(
          section,
          all.filter((item) => section.card(item.body).title !== ''),
        )
      : all;
  };
  const sections = sectionsOf(profile.profile_type.slug).sort((a, b) => placeOf(a.key) - placeOf(b.key));
  const media = items('media', null);
  const cards = sections.flatMap((section, at) => {
    const shown = items(section.key, section);
    const more = extra?.(section);
    if (shown.length === 0 && !more) return [];
    return [
      {
        key: section.key,
        isWide: section.key === 'highlight' || (CUSTOM_CARDS[section.key]?.wide ?? false),
        card:
          section.key === 'contact' ? (
            <Card title={section.title}>
              <ContactLines items={shown} />
            </Card>
          ) : (
            <PublicCard
              section={section}
              title={section.title}
              items={shown}
              more={more}
              place={at >= FIRST_SECTIONS ? `${profile.id}/${section.key}` : undefined}
            />
          ),
      },
    ];
  });
  if (media.length > 0) cards.unshift({ key: 'media', isWide: true, card: <>{portfolio(media, profile)}</> });
  const full = pairUp(cards.map((card) => card.isWide));
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3 md:gap-4 lg:grid-cols-2">
      {cards.map(({ key, card }, at) => (
        <div key={key} className={`grid min-w-0 grid-cols-1 ${full[at] ? 'lg:col-span-2' : ''}`}>
          {card}
        </div>
      ))}
      {cards.length === 0 && (
        <p className="py-6 text-center text-muted lg:col-span-2">{profile.stage_name} has just joined.</p>
      )}
    </div>
  );
}

const nothing = () => null;

function PublicCard({
  section,
  title,
  items,
  more,
  place,
}: {
  section: Section;
  title: string;
  items: Item[];
  more: ReactNode;
  place: string | undefined;
}) {
  if (section.key === 'highlight' && items.length > 0) {
    return <Journey rows={items.map((item) => item.body)} currentYear={new Date().getFullYear()} />;
  }
  const isList = isListOf(section);
  return (
    <Card
      title={title}
      count={isList && items.length > 0 ? items.length : undefined}
      place={items.length > 0 ? place : undefined}
    >
      {items.length > 0 && <CardBody section={section} items={items} stateOf={nothing} menuOf={nothing} />}
      {more}
    </Card>
  );
}
