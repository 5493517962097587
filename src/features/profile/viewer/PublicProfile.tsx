import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import { sectionsOf } from '#contract/sections/index.ts';
import { sortItems } from '#db/apply-pending.ts';
import type { Item } from '#db/views.ts';
import { Card } from '#ui/Card.tsx';
import { CardBody, CUSTOM_CARDS, isListSection } from '../custom-cards.tsx';
import { INITIAL_SECTION_COUNT } from '../card-body.ts';
import { fillRows } from '#lib/fill-rows.ts';
import { ContactLines } from './ContactLines.tsx';
import { Journey } from './Journey.tsx';
import { PublicHeader } from './PublicHeader.tsx';
import type { Page } from './read-page.ts';

/** These sections follow the media; then come all others in the order of the registry. */
const FIRST_KEYS = ['experience', 'about_me', 'skill', 'highlight'];
const LAST_KEYS = ['feedback', 'contact'];

const getPosition = (key: string) => {
  if (FIRST_KEYS.includes(key)) return FIRST_KEYS.indexOf(key) - FIRST_KEYS.length;
  return LAST_KEYS.indexOf(key) + 1;
};

/** Converts a row of another person to an item for the cards. It has no pending changes, so it is always saved. */
export function toItem(type: string, parent: string, body: AnyRow): Item {
  const id = String(body.id);
  return { key: id, id, serverId: id, type, parent, body, state: 'saved' };
}

export interface PublicProfileProps {
  profile: Profile;
  page: Page;
  actions: ReactNode;
  /** Renders the portfolio, which is a separate feature. */
  portfolio: (items: Item[], profile: Profile) => ReactNode;
  /** Rendered below a section's rows: the viewer's own feedback. */
  extra?: (section: Section) => ReactNode;
  /** Renders the menu of a row that others wrote. */
  renderMenu?: (item: Item) => ReactNode;
  /** Feedback by this user is left out of the list, because `extra` shows it. */
  viewerId?: string;
}

/** A profile as everybody but its owner sees it, without empty sections. */
export function PublicProfile({ profile, page, actions, ...rest }: PublicProfileProps) {
  return (
    <div className="mx-auto grid max-w-[1216px] grid-cols-1 items-start gap-3 px-3 pb-6 md:grid-cols-[300px_minmax(0,1fr)] md:gap-6 md:px-6 md:pt-6 md:pb-12 lg:grid-cols-[368px_minmax(0,1fr)]">
      <PublicHeader profile={profile} page={page} actions={actions} />
      <Cards profile={profile} page={page} {...rest} />
    </div>
  );
}

function Cards({ profile, page, portfolio, extra, renderMenu, viewerId }: Omit<PublicProfileProps, 'actions'>) {
  const getItems = (key: string, section: Section | null) => {
    const pageRows = page.rows[key] ?? [];
    const rows = section?.writtenBy ? pageRows.filter((row) => String(row.user_id) !== viewerId) : pageRows;
    const bodies = section?.set && rows.length > 0 ? [{ ...section.set.valuesOf(rows), id: page.id, rows }] : rows;
    const all = bodies.map((row) => toItem(key, page.id, row));
    // Media have no section: the server sends them in the owner's order.
    return section
      ? sortItems(
          section,
          all.filter((item) => section.card(item.body).title !== ''),
        )
      : all;
  };
  const sections = sectionsOf(profile.profile_type.slug).sort((a, b) => getPosition(a.key) - getPosition(b.key));
  const media = getItems('media', null);
  const cards = sections.flatMap((section, index) => {
    const shownItems = getItems(section.key, section);
    const more = extra?.(section);
    if (shownItems.length === 0 && !more) return [];
    return [
      {
        key: section.key,
        isWide: section.key === 'highlight' || (CUSTOM_CARDS[section.key]?.isWide ?? false),
        card:
          section.key === 'contact' ? (
            <Card title={section.title}>
              <ContactLines items={shownItems} />
            </Card>
          ) : (
            <PublicCard
              section={section}
              title={section.title}
              items={shownItems}
              more={more}
              renderMenu={section.writtenBy && renderMenu}
              place={index >= INITIAL_SECTION_COUNT ? `${profile.id}/${section.key}` : undefined}
            />
          ),
      },
    ];
  });
  if (media.length > 0) cards.unshift({ key: 'media', isWide: true, card: <>{portfolio(media, profile)}</> });
  const isFullWidth = fillRows(cards.map((card) => card.isWide));
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3 md:gap-4 lg:grid-cols-2">
      {cards.map(({ key, card }, index) => (
        <div key={key} className={`grid min-w-0 grid-cols-1 ${isFullWidth[index] ? 'lg:col-span-2' : ''}`}>
          {card}
        </div>
      ))}
      {cards.length === 0 && (
        <p className="py-6 text-center text-muted lg:col-span-2">{profile.stage_name} has just joined.</p>
      )}
    </div>
  );
}

const renderNothing = () => null;

function PublicCard({
  section,
  title,
  items,
  more,
  renderMenu = renderNothing,
  place,
}: {
  section: Section;
  title: string;
  items: Item[];
  more: ReactNode;
  renderMenu: ((item: Item) => ReactNode) | undefined;
  place: string | undefined;
}) {
  if (section.key === 'highlight' && items.length > 0) {
    return <Journey rows={items.map((item) => item.body)} currentYear={new Date().getFullYear()} />;
  }
  const isList = isListSection(section);
  return (
    <Card
      title={title}
      count={isList && items.length > 0 ? items.length : undefined}
      place={items.length > 0 ? place : undefined}
    >
      {items.length > 0 && (
        <CardBody section={section} items={items} renderState={renderNothing} renderMenu={renderMenu} />
      )}
      {more}
    </Card>
  );
}
