import { Ban, Link2, Pencil, Plus } from 'lucide-react';
import type { RoleView } from '#db/casting-role.ts';
import { getRoleTitle } from '#db/casting.ts';
import { dropToken, type LinkItem, listLinks } from '#db/casting-links.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { confirm } from '#ui/confirm.tsx';
import { Dots } from '#ui/Dots.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { useNavigate } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { useNow } from '#ui/use-now.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import type { Taped } from '../taped.ts';
import { LinkAddress } from './LinkAddress.tsx';
import { LinkSheet } from './LinkSheet.tsx';
import { isWorking, linkStateText, openedText, openingText } from './link-text.ts';

interface ShareLinksProps {
  view: RoleView;
  tapes: readonly Taped[];
}

/** The links by which people without an account watch tapes of a role. Only its owner sees them. */
export function ShareLinks({ view: { role, project }, tapes }: ShareLinksProps) {
  const links = useQuery((db) => listLinks(db, role.id), [role.id]) ?? [];
  const sharing = useSheetParam('share');
  const navigate = useNavigate();
  const now = useNow();
  const title = getRoleTitle(role.body, project.body);
  const shown = links.find(({ id }) => id === sharing.value);
  const hasArrived = tapes.some(({ tape }) => tape.body.arrived_at !== null);
  if (links.length === 0 && !hasArrived) return null;
  const isFirst = links.length === 0;
  return (
    <Card
      title="Links for producers"
      {...(!isFirst && {
        count: links.length,
        action: <IconButton label="Share tapes" icon={Plus} onClick={() => sharing.open()} />,
      })}
    >
      {isFirst ? (
        <>
          <p className="text-muted">Let people without an account watch these tapes, for as long as you want.</p>
          <Button look="tonal" icon={Link2} className="mt-3" onClick={() => sharing.open()}>
            Share tapes
          </Button>
        </>
      ) : (
        <ul>
          {links.map((link) => (
            <LinkRow key={link.key} link={link} title={title} roleId={role.id} tapes={tapes} now={now} />
          ))}
        </ul>
      )}
      {sharing.value === '' && (
        <LinkSheet
          roleId={role.id}
          tapes={tapes}
          onClose={sharing.close}
          // In the place of the form, to which Back must not lead.
          onMade={(id) => navigate({ search: `?share=${id}` }, { replace: true, state: { sheet: 'share' } })}
        />
      )}
      {shown && <LinkAddress key={shown.key} link={shown} onClose={sharing.close} />}
    </Card>
  );
}

interface LinkRowProps {
  link: LinkItem;
  title: string;
  roleId: string;
  tapes: readonly Taped[];
  now: number;
}

function LinkRow({ link, title, roleId, tapes, now }: LinkRowProps) {
  const { engine, db } = useAccount();
  const sharing = useSheetParam('share');
  const changing = useSheetParam('change-link');
  const { body } = link;
  const revoke = async () => {
    const isSure = await confirm({
      title: `Revoke the link for ${body.name}?`,
      text:
        link.serverId === null
          ? 'Nobody can use it then. It can’t be undone.'
          : 'Whoever is watching is stopped within a second. It can’t be undone.',
      yes: 'Revoke',
      danger: true,
    });
    if (!isSure) return;
    await engine.act({ type: 'link', id: link.id, act: 'revoke', title: `${body.name}, ${title}` });
    await dropToken(db, body.token_hash);
  };
  const isOver = body.revoked_at !== null;
  const items: MenuItem[] = [
    ...(link.token !== null && !isOver
      ? [{ label: 'Show the address', icon: Link2, onSelect: () => sharing.open(link.id) }]
      : []),
    ...(isOver ? [] : [{ label: 'Change', icon: Pencil, onSelect: () => changing.open(link.id) }]),
    ...(isOver ? [] : [{ label: 'Revoke', icon: Ban, danger: true, onSelect: () => void toastOnError(revoke()) }]),
  ];
  return (
    <li className="flex items-start gap-3 border-t border-base-300 py-3 first:border-t-0">
      <div className="min-w-0 grow leading-snug">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <b className={`min-w-0 grow font-semibold break-words ${isWorking(link, now) ? '' : 'text-muted'}`}>
            {body.name}
          </b>
          <StatePill state={link.state} />
        </div>
        <p className="text-sm text-muted">
          {linkStateText(link, now)}
          {link.hasCode && !isOver && ' · with a code'}
        </p>
        {link.error && <p className="mt-1 text-sm text-needs">{link.error.message}</p>}
        {body.opened > 0 && (
          <details className="mt-1 text-sm">
            <summary className="link min-h-8 cursor-pointer content-center">{openedText(body)}</summary>
            <ul className="num mt-1 text-muted">
              {body.openings.map((opening) => (
                <li key={opening.at}>{openingText(opening, now)}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {items.length > 0 && (
        <Menu
          label={`More for the link for ${body.name}`}
          trigger={<Dots />}
          triggerClass="tap -my-1 -mr-3 text-muted"
          items={items}
        />
      )}
      {changing.value === link.id && <LinkSheet roleId={roleId} tapes={tapes} link={link} onClose={changing.close} />}
    </li>
  );
}
