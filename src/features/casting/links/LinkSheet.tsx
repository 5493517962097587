import { useRef, useState } from 'react';
import { keepToken, type LinkItem } from '#db/casting-links.ts';
import { useAccount } from '#session/session.tsx';
import type { Actions } from '#sync/actions.ts';
import { changedFields, type FormValues } from '#shared/forms/form-values.ts';
import { getRefusedErrors, saveEdits } from '#shared/forms/save-edits.ts';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { deviceWord } from '#ui/device.ts';
import { FormSummary } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import type { Taped } from '../taped.ts';
import { LinkFields } from './LinkFields.tsx';
import { NEW_LINK, readLinkChanges, readNewLink, toLinkValues } from './link-values.ts';

interface LinkSheetProps {
  /** The role whose tapes the link shows. */
  roleId: string;
  tapes: readonly Taped[];
  /** The link to change; absent to make one. */
  link?: LinkItem;
  onClose: () => void;
  /** Called instead once a link is stored on this device. @param id of the link */
  onMade?: (id: string) => void;
}

/** Makes or changes a share link. It works without signal: the link does its work once it has been sent. */
export function LinkSheet({ roleId, tapes, link, onClose, onMade }: LinkSheetProps) {
  const { db } = useAccount();
  const body = useRef<HTMLDivElement>(null);
  // Read once: what comes from other devices while the form is open must not count as edits.
  const [start] = useState(() => ({ stored: link?.body ?? {}, values: link ? toLinkValues(link.body) : NEW_LINK }));
  const key = `link:${link?.id ?? `new:${roleId}`}`;
  const form = useDraftForm({ key, start: start.values, refused: getRefusedErrors(link), body });
  if (form.kept === undefined) return null;

  const make = async (values: FormValues) => {
    const read = await readNewLink(values, Date.now());
    if ('errors' in read) return form.showErrors(read.errors);
    const { token, hash, fields } = read.fields;
    let madeId = '';
    const store = async (actions: Actions) => {
      // First: a link whose token is lost is of no use. A token without a link hurts nobody.
      await keepToken(db, hash, token);
      madeId = (await actions.create('link', roleId, fields)).id;
    };
    if (await form.submit(store)) (onMade ?? onClose)(madeId);
  };
  const changeLink = async (item: LinkItem, values: FormValues) => {
    const read = readLinkChanges(values, Date.now());
    if ('errors' in read) return form.showErrors(read.errors);
    const edits = { changed: changedFields(start.stored, read.fields), seen: start.stored };
    if (await form.submit((actions) => saveEdits(actions, { type: 'link', id: item.id, item }, edits))) onClose();
  };
  return (
    <Sheet
      title={link ? 'Change the link' : 'Share tapes'}
      dirty={form.isChanged}
      keepText={`What you typed stays on this ${deviceWord()}. Open this again to go on.`}
      onClose={onClose}
      onSubmit={() => void (link ? changeLink(link, form.values) : make(form.values))}
      foot={
        <FormFoot onDiscard={() => void form.discard('Discard what you typed?').then((isSure) => isSure && onClose())}>
          {link ? 'Save' : 'Make the link'}
        </FormFoot>
      }
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={form.summary} />
        {!link && (
          <p className="text-sm text-muted">
            Whoever has the link watches these tapes in their browser, without an account. They see the names and the
            takes, and nothing else.
          </p>
        )}
        <LinkFields values={form.values} errors={form.errors} change={form.change} tapes={tapes} isNew={!link} />
      </div>
    </Sheet>
  );
}
