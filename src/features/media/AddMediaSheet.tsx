import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { MediaKind } from '#contract/media-kinds.ts';
import type { AnyRow } from '#contract/section.ts';
import {
  getSummaryText,
  sortErrors,
  toFormValues,
  type FormErrors,
  type FormValues,
} from '#shared/forms/form-values.ts';
import { useDraft } from '#shared/forms/use-draft.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { useUploadLimit } from '#shared/queries/use-upload-limit.ts';
import { confirm } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { focusFirstInvalid, FormSummary, TextArea } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { DropArea } from './DropArea.tsx';
import { checkFields, linkLines, LINKS, sharedFields } from './media-form.ts';
import { MediaFields } from './MediaFields.tsx';
import { PickedRow } from './PickedRow.tsx';
import { canSave, isAccepted, type PickedFile } from './picked-files.ts';
import { SendingDialog } from './SendingDialog.tsx';
import { useDraftFiles } from './use-draft-files.ts';
import { usePicks } from './use-picked-files.ts';

interface AddMediaSheetProps {
  kind: MediaKind;
  profileId: string;
  /** Files and links from a share. `onTaken` is called once every file is stored or rejected. */
  given?: SharedContent | undefined;
  onClose: () => void;
}

export interface SharedContent {
  files: readonly File[];
  links: readonly string[];
  onTaken: () => void;
}

interface RestoredDraft {
  values: FormValues;
  files: readonly PickedFile[];
}

/**
 * The sheet that adds files of one kind: stores them on this device and queues their upload. Works offline throughout.
 */
export function AddMediaSheet(props: AddMediaSheetProps) {
  const { kind, profileId } = props;
  const draft = useDraft(`${kind.plural}:${profileId}`);
  const files = useDraftFiles(draft.kept);
  const maxBytes = useUploadLimit();
  if (draft.kept === undefined || files === undefined || maxBytes === undefined) return null;
  const values: FormValues = { ...toFormValues(kind), [LINKS]: '' };
  for (const key of Object.keys(values)) {
    const typed = draft.kept?.[key];
    if (typeof typed === 'string') values[key] = typed;
  }
  return <LoadedSheet {...props} draft={draft} maxBytes={maxBytes} kept={{ values, files }} />;
}

type LoadedSheetProps = AddMediaSheetProps & {
  draft: ReturnType<typeof useDraft>;
  maxBytes: number;
  kept: RestoredDraft;
};

const NO_ERRORS: FormErrors = { fields: {}, others: [] };

function LoadedSheet({ kind, profileId, given, onClose, draft, maxBytes, kept }: LoadedSheetProps) {
  const { engine } = useAccount();
  const isOnline = useOnline();
  const picks = usePicks(kind, maxBytes, kept.files);
  const [values, setValues] = useState(kept.values);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [summary, setSummary] = useState<string | null>(null);
  const [queued, setQueued] = useState<readonly string[] | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const isSaving = useRef(false);

  const stored = picks.files.filter((file) => file.state === 'stored');
  const storedIds = stored.map((file) => file.mediaId).join();
  const isTouched = picks.files.length > 0 || Object.values(values).some((value) => value !== '');
  const { keep, flush } = draft;
  const titles = JSON.stringify(Object.fromEntries(stored.map((file) => [file.mediaId, file.title])));
  useEffect(() => {
    if (!isTouched || isSaving.current) return;
    const files = storedIds === '' ? [] : storedIds.split(',');
    keep({ ...values, files, titles: JSON.parse(titles) as Record<string, string> });
  }, [keep, values, storedIds, titles, isTouched]);
  // Saved at once: the cleanup deletes stored files that no draft references.
  useEffect(() => {
    if (storedIds !== '') flush();
  }, [flush, storedIds]);
  useEffect(() => {
    if (Object.keys(errors.fields).length > 0) focusFirstInvalid(body.current);
  }, [errors]);

  const handleChange = (changed: FormValues) => setValues((before) => ({ ...before, ...changed }));
  const handlePick = (files: File[]) => {
    setSummary(null);
    const left = picks.add(files);
    if (left > 0) {
      setSummary(`${kind.maxFiles} ${kind.plural} at a time. Add the other ${left} once these are saved.`);
    }
  };
  const begin = useEffectEvent(() => {
    if (!given) return;
    handlePick([...given.files]);
    if (given.links.length > 0) handleChange({ [LINKS]: [values[LINKS], ...given.links].filter(Boolean).join('\n') });
  });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    begin();
  }, []);
  const isAllStored = canSave(picks.files) && isTouched;
  const notifyTaken = useEffectEvent(() => given?.onTaken());
  useEffect(() => {
    if (hasBegun.current && isAllStored) notifyTaken();
  }, [isAllStored]);
  const handleDiscard = async () => {
    if (
      isTouched &&
      !(await confirm({ title: `Discard these ${kind.plural}?`, yes: 'Discard', no: 'Keep editing', danger: true }))
    )
      return;
    await draft.drop();
    for (const file of picks.files) picks.remove(file);
    onClose();
  };
  // Each file has a name of its own; the form's name is that of the YouTube videos.
  const isNamedByForm = picks.files.length === 0 || (values[LINKS] ?? '').trim() !== '';
  const fields = isNamedByForm ? kind.fields : sharedFields(kind.fields);
  /** Returns the row to send with each file and link; null if something must be corrected first. */
  const check = (): { row: AnyRow; links: readonly string[] } | null => {
    const { links, error } = linkLines(values[LINKS] ?? '');
    setErrors(NO_ERRORS);
    setSummary(null);
    if (stored.length === 0 && links.length === 0 && error === null) {
      setSummary('No files uploaded!');
      return null;
    }
    const checked = checkFields({ fields, rules: [] }, values);
    const misnamed = stored.flatMap((file) => {
      const found = checkFields({ fields: { name: kind.fields['name']! }, rules: [] }, { name: file.title });
      return 'errors' in found ? [[file.key, found.errors['name'] ?? []] as const] : [];
    });
    if ('row' in checked && error === null && misnamed.length === 0) return { row: checked.row, links };
    const found = sortErrors([...Object.keys(values), ...misnamed.map(([key]) => key)], {
      ...Object.fromEntries(misnamed),
      ...('errors' in checked && checked.errors),
      ...(error !== null && { [LINKS]: [error] }),
    });
    setErrors(found);
    setSummary(
      [getSummaryText(Object.keys(found.fields).length + found.others.length, values), ...found.others].join(' '),
    );
    return null;
  };
  const handleSave = async () => {
    if (isSaving.current || !canSave(picks.files)) return;
    const ready = check();
    if (ready === null) return;
    isSaving.current = true;
    const ids: string[] = [];
    let links = ready.links;
    try {
      for (const file of stored) {
        if (!file.mediaId) continue;
        const row = { ...ready.row, name: file.title.trim(), media_type: kind.key };
        ids.push((await engine.addMedia(profileId, file.mediaId, row)).id);
        picks.removeAll([file]);
      }
      for (const link of ready.links) {
        ids.push((await engine.addLink(profileId, { ...ready.row, youtube_url: link })).id);
        links = links.slice(1);
      }
      await draft.drop();
      setQueued(ids);
    } catch (error) {
      setSummary(toErrorText(error, 'An unexpected error occurred. What you picked is still here.'));
    } finally {
      // Links that are already queued must not be queued again.
      if (ready.links.length > 0) handleChange({ [LINKS]: links.join('\n') });
      isSaving.current = false;
    }
  };

  if (queued) {
    const left = picks.files.length;
    return (
      <SendingDialog
        kind={kind}
        profileId={profileId}
        ids={queued}
        onDone={() => (left > 0 ? setQueued(null) : onClose())}
      />
    );
  }
  return (
    <Sheet
      title={`Add ${kind.plural}`}
      dirty={isTouched}
      keepText={`The ${kind.plural} stay on this ${deviceWord()}. Open this again to go on.`}
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
        <FormSummary text={summary} />
        <DropArea kind={kind} maxBytes={maxBytes} onPick={handlePick} />
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
                error={errors.fields[file.key]}
                onRename={(title) => picks.rename(file, title)}
                onRemove={() => picks.remove(file)}
                onShrink={() => void picks.shrink(file)}
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
            error={errors.fields[LINKS]}
            onChange={(text) => handleChange({ [LINKS]: text })}
          />
        )}
        <MediaFields fields={fields} values={values} errors={errors.fields} onChange={handleChange} />
      </div>
    </Sheet>
  );
}
