import { Clapperboard } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { MediaKind } from '#contract/media-kinds.ts';
import type { AnyRow } from '#contract/section.ts';
import { toFormValues } from '#shared/forms/form-values.ts';
import { useDraftForm, type DraftForm } from '#shared/forms/use-draft-form.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import type { NewMedia } from '#sync/queue/attach-file.ts';
import { deviceWord } from '#ui/device.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { DropArea } from './DropArea.tsx';
import { checkFields, linkLines, LINKS, sharedFields } from './media-form.ts';
import { MediaFields } from './MediaFields.tsx';
import { LeaveLink } from '#shared/picked-files/LeaveLink.tsx';
import { PickedRow } from '#shared/picked-files/PickedRow.tsx';
import { canSave, getKeepText, isAccepted, listTaken, type PickedFile } from '#shared/picked-files/picked-files.ts';
import { SendingDialog } from './SendingDialog.tsx';
import { useDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import { useKeepFiles } from '#shared/picked-files/use-keep-files.ts';
import { usePicks } from '#shared/picked-files/use-picked-files.ts';

interface AddMediaSheetProps {
  kind: MediaKind;
  profileId: string;
  /** Files and links from a share. */
  given?: SharedContent | undefined;
  onClose: () => void;
}

export interface SharedContent {
  files: readonly File[];
  links: readonly string[];
  /** What the person must know about the share. */
  note?: string | undefined;
  /** Called with each file once it is stored or rejected, and first with none: the links are in the sheet. */
  onTaken: (taken: readonly File[]) => void;
}

/**
 * The sheet that adds files of one kind: stores them on this device and queues their upload. Works offline throughout.
 */
export function AddMediaSheet(props: AddMediaSheetProps) {
  const { kind, profileId } = props;
  const body = useRef<HTMLDivElement>(null);
  const start = { ...toFormValues(kind), [LINKS]: '' };
  const form = useDraftForm({ key: `${kind.plural}:${profileId}`, start, body });
  const files = useDraftFiles(form.kept);
  const maxBytes = useUploadLimits()?.[kind.key];
  if (files === undefined || maxBytes === undefined) return null;
  return <LoadedSheet {...props} form={form} body={body} files={files} maxBytes={maxBytes} />;
}

interface LoadedSheetProps extends AddMediaSheetProps {
  form: DraftForm;
  body: RefObject<HTMLDivElement | null>;
  /** The stored files of an abandoned sheet. */
  files: readonly PickedFile[];
  maxBytes: number;
}

function LoadedSheet({ kind, profileId, given, onClose, form, body, files, maxBytes }: LoadedSheetProps) {
  const isOnline = useOnline();
  const picks = usePicks(kind, maxBytes, files);
  const { values, errors, change } = form;
  const [queued, setQueued] = useState<readonly string[] | null>(null);

  const stored = picks.files.filter((file) => file.state === 'stored');
  const isTouched = picks.files.length > 0 || form.isChanged;
  useKeepFiles(form, picks, isTouched);

  /** Adds the files that fit, and returns these. */
  const handlePick = (picked: readonly File[]): readonly File[] => {
    const left = picks.add(picked);
    form.showError(
      left > 0 ? `${kind.maxFiles} ${kind.plural} at a time. Add the other ${left} once these are saved.` : null,
    );
    return picked.slice(0, picked.length - left);
  };
  /** The files of the share that are in the list or were. The others are for another time. */
  const [added, setAdded] = useState<readonly File[]>([]);
  const begin = useEffectEvent(() => {
    if (!given) return;
    setAdded(handlePick(given.files));
    if (given.note !== undefined) form.showError(given.note);
    if (given.links.length > 0) change({ [LINKS]: [values[LINKS], ...given.links].filter(Boolean).join('\n') });
    given.onTaken([]);
  });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    begin();
  }, []);
  const told = useRef<ReadonlySet<File>>(new Set());
  const tellTaken = useEffectEvent(() => {
    const taken = listTaken(kind, added, picks.files).filter((file) => !told.current.has(file));
    told.current = new Set([...told.current, ...taken]);
    if (taken.length > 0) given?.onTaken(taken);
  });
  // After useKeepFiles has named them in the draft: a file that is in neither place would be lost with the page.
  useEffect(() => tellTaken(), [added, picks.files]);
  const handleDiscard = async () => {
    if (!(await form.discard(`Discard these ${kind.plural}?`, isTouched))) return;
    for (const file of picks.files) picks.remove(file);
    given?.onTaken(added);
    onClose();
  };
  // Each file has a name of its own; the form's name is that of the YouTube videos.
  const isNamedByForm = picks.files.length === 0 || (values[LINKS] ?? '').trim() !== '';
  const fields = isNamedByForm ? kind.fields : sharedFields(kind.fields);
  /** Returns the row to send with each file and link; null if something must be corrected first. */
  const check = (): { row: AnyRow; links: readonly string[] } | null => {
    const { links, error } = linkLines(values[LINKS] ?? '');
    if (stored.length === 0 && links.length === 0 && error === null) {
      form.showErrors({});
      form.showError('No files uploaded!');
      return null;
    }
    const checked = checkFields({ fields, rules: [] }, values);
    const misnamed = stored.flatMap((file) => {
      const found = checkFields({ fields: { name: kind.fields['name']! }, rules: [] }, { name: file.title });
      return 'errors' in found ? [[file.key, found.errors['name'] ?? []] as const] : [];
    });
    form.showErrors(
      {
        ...Object.fromEntries(misnamed),
        ...('errors' in checked && checked.errors),
        ...(error !== null && { [LINKS]: [error] }),
      },
      misnamed.map(([key]) => key),
    );
    return 'row' in checked && error === null && misnamed.length === 0 ? { row: checked.row, links } : null;
  };
  const handleSave = async () => {
    if (!canSave(picks.files)) return;
    const ready = check();
    if (ready === null) return;
    const items: NewMedia[] = [
      ...stored.flatMap(({ mediaId, title }) =>
        mediaId ? [{ mediaId, fields: { ...ready.row, name: title.trim(), media_type: kind.key } }] : [],
      ),
      ...ready.links.map((youtube_url) => ({ fields: { ...ready.row, youtube_url } })),
    ];
    let ids: readonly string[] = [];
    const isSaved = await form.submit(async (actions) => {
      ids = (await actions.addMedia(profileId, items)).map(({ id }) => id);
    }, 'An unexpected error occurred. What you picked is still here.');
    if (!isSaved) return;
    picks.removeAll(stored);
    // The sheet opens again if other files are left in it.
    change({ [LINKS]: '' });
    setQueued(ids);
  };
  const handleDone = () => {
    if (picks.files.length === 0) return onClose();
    form.reopen();
    setQueued(null);
  };

  if (queued) return <SendingDialog kind={kind} profileId={profileId} ids={queued} onDone={handleDone} />;
  return (
    <Sheet
      title={`Add ${kind.plural}`}
      dirty={isTouched}
      keepText={getKeepText(picks.files, `The ${kind.plural} stay on this ${deviceWord()}. Open this again to go on.`)}
      onClose={onClose}
      onSubmit={() => void handleSave()}
      foot={
        <FormFoot onDiscard={() => void handleDiscard()} disabled={!canSave(picks.files)}>
          Save
        </FormFoot>
      }
    >
      <div ref={body} className="space-y-4">
        {!isOnline && (
          <p className="text-sm text-muted">No signal right now. You can save once every file is stored here.</p>
        )}
        <FormSummary text={form.summary} />
        <DropArea kind={kind} maxBytes={maxBytes} onPick={handlePick} />
        {kind.key === 'video' && (
          <LeaveLink files={picks.files} look="tonal" icon={Clapperboard} className="w-full" to="/booth">
            Record a take
          </LeaveLink>
        )}
        {picks.files.length > 0 && (
          <ul>
            {picks.files.map((file) => (
              <PickedRow
                key={file.key}
                kind={kind}
                maxBytes={maxBytes}
                file={file}
                isOnline={isOnline}
                needsFullLabel={picks.files.filter(isAccepted).length > 1 || isNamedByForm}
                error={errors[file.key]}
                picks={picks}
              />
            ))}
          </ul>
        )}
        {kind.key === 'video' && (
          <TextArea
            name={LINKS}
            label="YouTube links, one per line"
            optional
            rows={2}
            placeholder="https://youtu.be/…"
            value={values[LINKS] ?? ''}
            error={errors[LINKS]}
            onChange={(text) => change({ [LINKS]: text })}
          />
        )}
        <MediaFields fields={fields} values={values} errors={errors} onChange={change} />
      </div>
    </Sheet>
  );
}
