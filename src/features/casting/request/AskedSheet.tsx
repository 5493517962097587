import type { ReactNode } from 'react';
import { findPack } from '#contract/rules/index.ts';
import type { CastingItem } from '#db/casting.ts';
import { momentText, zoneHint } from '#lib/deadline.ts';
import { Facts } from '#shared/casting/Facts.tsx';
import { MovedDeadline } from '#shared/casting/MovedDeadline.tsx';
import { Notices } from '#shared/casting/Notices.tsx';
import { roleFacts } from '#shared/casting/role-text.ts';
import { RequestTerms } from '#shared/casting/RequestTerms.tsx';
import { Button } from '#ui/Button.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { useNow } from '#ui/use-now.ts';
import { getZone } from './request-changes.ts';

interface AskedSheetProps {
  item: CastingItem<'request'>;
  project: CastingItem<'project'>;
  /** Of the performer. */
  name: string;
  /** Absent for those who cannot change it. */
  onChange?: (() => void) | undefined;
  onClose: () => void;
}

/** What one performer was asked, as they read it. */
export function AskedSheet({ item, project, name, onChange, onClose }: AskedSheetProps) {
  const now = useNow();
  const { body, serverId } = item;
  const zone = getZone({ request: item, project });
  const due = Date.parse(body.deadline_at);
  return (
    <Sheet
      title={`What ${name} was asked`}
      onClose={onClose}
      foot={
        onChange && (
          <Button className="flex-1" onClick={onChange}>
            Change
          </Button>
        )
      }
    >
      <div className="space-y-4">
        <div>
          <p className="font-bold">Due {momentText(due, now, zone)}</p>
          {serverId !== null && <MovedDeadline body={body} now={now} zone={zone} />}
          <p className="text-sm text-muted">{zoneHint(due, zone, now)}</p>
        </div>
        <div>{serverId === null ? <Unsent item={item} /> : <RequestTerms terms={body} />}</div>
        <Facts facts={roleFacts({}, project.body, body.shoot_dates)} />
        {serverId !== null && (
          <>
            <Notices title="Told before they say yes" notices={body.notices} emptyText="Nothing special." />
            <Rules body={body} />
          </>
        )}
      </div>
    </Sheet>
  );
}

/** A request on its way names its PDFs by the uploads: the server has not counted their pages yet. */
function Unsent({ item: { body } }: { item: CastingItem<'request'> }): ReactNode {
  const names = (body.sides ?? []).map(({ name }) => name);
  return (
    <>
      {names.length > 0 && <p className="break-words">Sides as PDF: {names.join(', ')}</p>}
      <RequestTerms terms={{ ...body, sides: [] }} />
    </>
  );
}

function Rules({ body }: { body: CastingItem<'request'>['body'] }) {
  const { pack, breaches, waivers } = body.rules;
  return (
    <div className="text-sm">
      <p className="text-muted">Rules of this request: {findPack(pack)?.name ?? pack}.</p>
      <ul className="mt-1 space-y-1">
        {breaches.map(({ rule, text }) => (
          <li key={rule} className="break-words">
            {text} The reason given: “{waivers.find((waiver) => waiver.rule === rule)?.text}”
          </li>
        ))}
      </ul>
    </div>
  );
}
