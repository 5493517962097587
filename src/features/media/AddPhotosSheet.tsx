import { useEffect, useRef, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import { errorMap } from '#contract/schema.ts';
import { MEDIA_KINDS } from '#contract/media-kinds.ts';
import { submissionSchema } from '#contract/records/media.ts';
import { dropDraft, loadDraft, keepDraft } from '#db/drafts.ts';
import { useAccount } from '#session/session.tsx';
import { useLookup } from '#session/use-lookup.ts';
import { useOnline } from '#session/use-online.ts';
import { troubleWords } from '#session/trouble.ts';
import { Button } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { focusFirstWrong, FormSummary, Select, TextField } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { DropArea } from './DropArea.tsx';
import { PickedRow } from './PickedRow.tsx';
import { canSave, nameFrom, type PickedFile } from './picks.ts';
import { SendingDialog } from './SendingDialog.tsx';
import { usePicks } from './use-picks.ts';

interface AddPhotosSheetProps {
  profileId: string;
  onClose: () => void;
}

type Words = Record<'name' | 'keywords' | 'project_type' | 'category_type', string>;

const NO_WORDS: Words = { name: '', keywords: '', project_type: '', category_type: '' };
const draftKey = (profileId: string) => `photos:${profileId}`;

interface Kept {
  words: Words;
  files: PickedFile[];
}

/** What an abandoned sheet left: its words, and the files that are still stored. */
async function loadKept(db: ReturnType<typeof useAccount>['db'], profileId: string): Promise<Kept> {
  const draft = await loadDraft(db, draftKey(profileId));
  const words = { ...NO_WORDS };
  for (const key of Object.keys(words) as (keyof Words)[]) {
    const value = draft?.[key];
    if (typeof value === 'string') words[key] = value;
  }
  const ids = Array.isArray(draft?.['files']) ? draft['files'].filter((id) => typeof id === 'string') : [];
  const files = (await db.media.bulkGet(ids)).flatMap((file): PickedFile[] => {
    if (file?.state !== 'ready') return [];
    const { id, name, size, thumb } = file;
    return [{ key: id, mediaId: id, name, sizeBytes: size, storedBytes: size, state: 'stored', picture: thumb }];
  });
  return { words, files };
}

/** Picks photos, stores them here and queues them; it needs no signal at any point. */
export function AddPhotosSheet(props: AddPhotosSheetProps) {
  const { db } = useAccount();
  const [kept, setKept] = useState<Kept>();
  useEffect(() => {
    let isCurrent = true;
    loadKept(db, props.profileId).then(
      (found) => isCurrent && setKept(found),
      (error: unknown) => {
        // A draft is a courtesy: without it the sheet is simply empty.
        reportError(error);
        if (isCurrent) setKept({ words: NO_WORDS, files: [] });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [db, props.profileId]);
  return kept && <LoadedSheet {...props} kept={kept} />;
}

function LoadedSheet({ profileId, onClose, kept }: AddPhotosSheetProps & { kept: Kept }) {
  const { db, engine } = useAccount();
  const isOnline = useOnline();
  const projectTypes = useLookup('project_types', CALLS.projectTypes);
  const picks = usePicks(kept.files);
  const [words, setWords] = useState(kept.words);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [summary, setSummary] = useState<string | null>(null);
  const [queued, setQueued] = useState<readonly string[] | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const isSaving = useRef(false);

  const stored = picks.files.filter((file) => file.state === 'stored');
  const storedIds = stored.map((file) => file.mediaId).join();
  const isTouched = picks.files.length > 0 || Object.values(words).some((word) => word !== '');
  useEffect(() => {
    if (!isTouched) return;
    const files = storedIds === '' ? [] : storedIds.split(',');
    keepDraft(db, draftKey(profileId), { ...words, files }, Date.now());
  }, [db, profileId, words, storedIds, isTouched]);
  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstWrong(body.current);
  }, [errors]);

  const handlePick = (files: File[]) => {
    setSummary(null);
    const left = picks.add(files);
    const first = files[0];
    if (words.name === '' && first) setWords({ ...words, name: nameFrom(first.name) });
    if (left > 0) setSummary(`10 photos at a time. ${left} more can follow once these are saved.`);
  };
  const handleDiscard = async () => {
    if (
      isTouched &&
      !(await confirm({ title: 'Discard these photos?', yes: 'Discard', no: 'Keep editing', danger: true }))
    )
      return;
    await dropDraft(db, draftKey(profileId));
    for (const file of picks.files) picks.remove(file);
    onClose();
  };
  const handleSave = async () => {
    if (isSaving.current || !canSave(picks.files)) return;
    setErrors({});
    if (stored.length === 0) {
      setSummary('No files uploaded!');
      return;
    }
    const checked = submissionSchema(MEDIA_KINDS[0]!, () => new Date().getFullYear()).safeParse({
      profile_id: profileId,
      media_type: 'image',
      name: words.name,
      keywords: words.keywords || null,
      project_type: words.project_type || null,
      category_type: words.category_type || null,
    });
    if (!checked.success) {
      const found = errorMap(checked.error.issues);
      setErrors(Object.fromEntries(Object.entries(found).map(([key, messages]) => [key, messages[0] ?? ''])));
      setSummary('One thing to fix. What you typed is safe.');
      return;
    }
    isSaving.current = true;
    const { name, keywords, project_type, category_type } = checked.data as unknown as Words;
    const ids: string[] = [];
    try {
      for (const file of stored) {
        if (!file.mediaId) continue;
        const { id } = await engine.addMedia(profileId, file.mediaId, {
          media_type: 'image',
          name,
          keywords,
          project_type,
          category_type,
        });
        ids.push(id);
        picks.leave([file]);
      }
      await dropDraft(db, draftKey(profileId));
      setQueued(ids);
    } catch (error) {
      setSummary(troubleWords(error, 'An unexpected error occurred. What you picked is still here.'));
    } finally {
      isSaving.current = false;
    }
  };

  if (queued) {
    const left = picks.files.length;
    return <SendingDialog profileId={profileId} ids={queued} onDone={() => (left > 0 ? setQueued(null) : onClose())} />;
  }
  const field = (name: keyof Words) => ({
    name,
    value: words[name],
    error: errors[name],
    onChange: (value: string) => setWords({ ...words, [name]: value }),
  });
  return (
    <Sheet
      title="Add photos"
      dirty={isTouched}
      keepText={`The photos stay on this ${deviceWord()} and wait here until you open this again.`}
      onClose={onClose}
      onSubmit={() => void handleSave()}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={() => void handleDiscard()}>
            Discard
          </Button>
          <Button type="submit" className="flex-1" disabled={!canSave(picks.files)}>
            Save
          </Button>
        </>
      }
    >
      <div ref={body} className="space-y-4">
        {!isOnline && (
          <p className="text-sm text-muted">No signal right now. Save is ready once every file is stored here.</p>
        )}
        <FormSummary text={summary} />
        <DropArea onPick={handlePick} />
        {picks.files.length > 0 && (
          <ul>
            {picks.files.map((file) => (
              <PickedRow
                key={file.key}
                file={file}
                isOnline={isOnline}
                onRemove={() => picks.remove(file)}
                onShrink={() => void picks.shrink(file)}
              />
            ))}
          </ul>
        )}
        <div className="grid grid-cols-1 gap-x-3 gap-y-4 min-[22.5rem]:grid-cols-2">
          <TextField {...field('name')} label="Name" />
          <Select
            {...field('project_type')}
            label="Project type"
            optional
            options={projectTypes.map(({ name }) => ({ value: name, label: name }))}
          />
        </div>
        <TextField {...field('keywords')} label="Keywords" optional hint="Enter comma-separated values" />
        <TextField
          {...field('category_type')}
          label="Category"
          optional
          placeholder="Headshot, still, behind the scenes"
        />
      </div>
    </Sheet>
  );
}
